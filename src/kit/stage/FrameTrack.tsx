import { memo } from 'react';
import type { TimelineFrame } from '../../story/timeline.ts';
import { isQuestion } from '../../state/index.ts';

interface FrameTrackProps {
  readonly frames: readonly TimelineFrame[];
  /** the current frame, from 1 */
  readonly frame: number;
  readonly onFrame: (frame: number) => void;
}

/** A short bar for each frame of a story, by chapters. Each bar is a button; Tab reaches the current frame's. */
export const FrameTrack = memo(function FrameTrack({ frames, frame, onFrame }: FrameTrackProps) {
  const chapters = frameChapters(frames);
  const reached = chapters.flatMap((chapter) => chapter.frames).find((stroke) => stroke.frame === frame);
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
                aria-label={labelOf(stroke, title)}
                title={labelOf(stroke, title)}
                data-question={stroke.isQuestion || undefined}
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

/** A frame of a story in the track. */
interface Stroke {
  /** its number, from 1 */
  readonly frame: number;
  readonly isQuestion: boolean;
}

/** Consecutive frames under one title. */
interface FrameChapter {
  readonly title: string;
  readonly frames: readonly Stroke[];
}

const labelOf = (stroke: Stroke, title: string): string =>
  `Frame ${stroke.frame}, ${title}${stroke.isQuestion ? ', a question' : ''}`;

/** The frames, by chapters. */
function frameChapters(frames: readonly TimelineFrame[]): readonly FrameChapter[] {
  const chapters: { readonly title: string; readonly frames: Stroke[] }[] = [];
  frames.forEach((frame, i) => {
    const stroke = { frame: i + 1, isQuestion: isQuestion(frame) };
    const last = chapters.at(-1);
    if (last?.title === frame.chapter) last.frames.push(stroke);
    else chapters.push({ title: frame.chapter, frames: [stroke] });
  });
  return chapters;
}
