import { memo } from 'react';
import type { TimelineFrame } from '../../story/timeline.ts';
import { isQuestion } from '../../state/index.ts';

interface FrameTrackProps {
  readonly frames: readonly TimelineFrame[];
  /** number of the current frame, from 1 */
  readonly frame: number;
  readonly onFrame: (frame: number) => void;
}

/** A short bar for each frame of a story, by chapters. Each bar is a button; Tab reaches the current frame's button. */
export const FrameTrack = memo(function FrameTrack({ frames, frame: current, onFrame }: FrameTrackProps) {
  const chapters = chaptersOfBars(frames);
  return (
    <div className="frames flex gap-3 min-h-[calc(24px+1.5rem)]" role="group" aria-label="Frames">
      {chapters.map(({ title, bars }) => (
        <div key={bars[0].frame} className="frames-chapter min-w-0 basis-0" style={{ flexGrow: bars.length }}>
          <div className="flex gap-1">
            {bars.map((bar) => (
              <button
                key={bar.frame}
                type="button"
                className="frames-stroke min-w-0 flex-1 cursor-pointer h-[24px]"
                aria-label={barLabel(bar, title)}
                title={barLabel(bar, title)}
                data-question={bar.isQuestion || undefined}
                aria-current={bar.frame === current ? 'step' : undefined}
                data-reached={bar.frame <= current || undefined}
                tabIndex={bar.frame === current ? 0 : -1}
                onClick={() => onFrame(bar.frame)}
              />
            ))}
          </div>
          {/* On a phone, only the current chapter has space for its name. */}
          <span
            className="frames-name block truncate text-muted text-12 leading-6 data-current:text-ink data-current:font-medium max-xs:not-data-current:invisible max-xs:data-current:w-max max-xs:in-[.frames-chapter:nth-last-child(-n+2)]:float-end"
            aria-hidden="true"
            data-current={bars.some(({ frame }) => frame === current) || undefined}
          >
            {title}
          </span>
        </div>
      ))}
    </div>
  );
});

/** The bar of a frame. */
interface FrameBar {
  /** number of the frame, from 1 */
  readonly frame: number;
  readonly isQuestion: boolean;
}

/** The bars of consecutive frames with the same chapter title. */
interface ChapterOfBars {
  readonly title: string;
  readonly bars: readonly FrameBar[];
}

const barLabel = ({ frame, isQuestion: asks }: FrameBar, title: string): string =>
  `Frame ${frame}, ${title}${asks ? ', a question' : ''}`;

/** A bar for each frame, by chapters. */
function chaptersOfBars(frames: readonly TimelineFrame[]): readonly ChapterOfBars[] {
  const chapters: { readonly title: string; readonly bars: FrameBar[] }[] = [];
  frames.forEach((frame, i) => {
    const bar = { frame: i + 1, isQuestion: isQuestion(frame) };
    const last = chapters.at(-1);
    if (last?.title === frame.chapter) last.bars.push(bar);
    else chapters.push({ title: frame.chapter, bars: [bar] });
  });
  return chapters;
}
