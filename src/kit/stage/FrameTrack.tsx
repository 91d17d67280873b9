import { memo } from 'react';
import type { TimelineFrame } from '../../story/timeline.ts';
import { countedFrames, isQuestion, numberOfFrame } from '../../state/index.ts';

interface FrameTrackProps {
  readonly frames: readonly TimelineFrame[];
  /** the current frame, from 1 */
  readonly frame: number;
  readonly onFrame: (frame: number) => void;
}

/** A short bar for each frame of a story, by chapters. Each bar is a button; Tab reaches the current frame's. */
export const FrameTrack = memo(function FrameTrack({ frames, frame, onFrame }: FrameTrackProps) {
  const chapters = frameChapters(frames);
  const reached = chapters.flatMap((chapter) => chapter.frames).findLast((stroke) => stroke.frame <= frame);
  return (
    <div className="frames flex gap-3 min-h-[calc(24px+1.5rem)]" role="group" aria-label="Frames">
      {chapters.map(({ title, frames: strokes }) => (
        <div key={strokes[0].frame} className="frames-chapter min-w-0 basis-0" style={{ flexGrow: strokes.length }}>
          <div className="flex gap-1">
            {strokes.map((stroke) => (
              <button
                key={stroke.frame}
                type="button"
                className="frames-stroke min-w-0 flex-1 cursor-pointer h-[24px]"
                aria-label={`Frame ${stroke.number}, ${title}`}
                title={`Frame ${stroke.number}, ${title}`}
                aria-current={stroke.frame === frame ? 'step' : undefined}
                data-reached={stroke.frame <= frame || undefined}
                tabIndex={stroke === reached ? 0 : -1}
                onClick={() => onFrame(stroke.frame)}
              />
            ))}
          </div>
          {/* On a phone, only the current chapter has space for its name. */}
          <span
            className="frames-name block truncate text-muted text-12 leading-6 data-current:text-ink data-current:font-medium max-xs:not-data-current:invisible max-xs:data-current:w-max max-xs:in-[.frames-chapter:nth-last-child(-n+2)]:float-end"
            aria-hidden="true"
            data-current={strokes.some((s) => s === reached) || undefined}
          >
            {title}
          </span>
        </div>
      ))}
    </div>
  );
});

/** A frame of a story with its number. Frames with a question have no number. */
interface CountedFrame {
  /** its position among all frames, from 1 */
  readonly frame: number;
  /** its position among the numbered frames, from 1 */
  readonly number: number;
}

/** Consecutive frames under one title. */
interface FrameChapter {
  readonly title: string;
  readonly frames: readonly CountedFrame[];
}

/** The numbered frames, by chapters. */
function frameChapters(frames: readonly TimelineFrame[]): readonly FrameChapter[] {
  const chapters: { readonly title: string; readonly frames: CountedFrame[] }[] = [];
  let number = 0;
  frames.forEach((frame, i) => {
    if (isQuestion(frame)) return;
    number++;
    const last = chapters.at(-1);
    if (last?.title === frame.chapter) last.frames.push({ frame: i + 1, number });
    else chapters.push({ title: frame.chapter, frames: [{ frame: i + 1, number }] });
  });
  return chapters;
}

/** The number of a frame, and how many frames have a number; null for a question. */
export function frameNumber(
  frames: readonly TimelineFrame[],
  frame: number,
): { readonly number: number; readonly count: number } | null {
  if (isQuestion(frames[frame - 1])) return null;
  return { number: numberOfFrame(frames, frame), count: countedFrames(frames) };
}
