import { memo } from 'react';
import type { TimelineFrame } from '../../core/story/timeline.ts';
import { frameChapters } from './frame-chapters.ts';

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
