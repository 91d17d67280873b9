import { type KeyboardEvent, memo, type PointerEvent, useRef } from 'react';
import type { Chapter } from '../../core/story/trace.ts';
import { chapterAt, chapterStart } from '../../state/played-story.ts';

interface ScrubberProps {
  readonly chapters: readonly Chapter[];
  readonly stepCount: number;
  readonly step: number;
  readonly onSeek: (step: number) => void;
  readonly onChapter: (direction: 1 | -1) => void;
}

/** The segment of one chapter: the steps from `start` to before `end`; the last segment includes its end. */
interface Segment {
  readonly title: string;
  readonly start: number;
  readonly end: number;
}

/** The segments of all chapters. */
function segmentsOf(chapters: readonly Chapter[], stepCount: number): readonly Segment[] {
  return chapters.map((chapter, i) => ({
    title: chapter.title,
    start: chapterStart(chapters, i),
    end: i + 1 < chapters.length ? chapterStart(chapters, i + 1) : stepCount,
  }));
}

/** Steps per press of Page Up or Page Down. */
const PAGE = 10;

/**
 * A slider through every step of a story, with a segment for each chapter. Arrow keys move by steps, with Shift by
 * chapters; Page Up and Page Down by ten steps; Home and End to the ends; the pointer to any step.
 */
export const Scrubber = memo(function Scrubber({ chapters, stepCount, step, onSeek, onChapter }: ScrubberProps) {
  const track = useRef<HTMLDivElement>(null);
  const segments = segmentsOf(chapters, stepCount);
  const current = chapterAt(chapters, step);

  const seekTo = (clientX: number): void => {
    const parts = track.current?.children;
    if (!parts) return;
    for (let i = 0; i < segments.length; i++) {
      const box = parts[i].getBoundingClientRect();
      if (clientX > box.right && i + 1 < segments.length) continue;
      const share = box.width === 0 ? 0 : Math.min(1, Math.max(0, (clientX - box.left) / box.width));
      onSeek(Math.round(segments[i].start + share * (segments[i].end - segments[i].start)));
      return;
    }
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    seekTo(event.clientX);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event.clientX);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const isBack = event.key === 'ArrowLeft' || event.key === 'ArrowDown';
    const isForward = event.key === 'ArrowRight' || event.key === 'ArrowUp';
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isBack || isForward) {
      if (event.shiftKey) onChapter(isForward ? 1 : -1);
      else onSeek(step + (isForward ? 1 : -1));
    } else if (event.key === 'PageUp') onSeek(step + PAGE);
    else if (event.key === 'PageDown') onSeek(step - PAGE);
    else if (event.key === 'Home') onSeek(0);
    else if (event.key === 'End') onSeek(stepCount);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div>
      <div
        className="scrubber focus-visible:outline-offset-6 rounded-[3px] block relative cursor-pointer touch-none"
        role="slider"
        tabIndex={0}
        aria-label="Step"
        aria-valuemin={0}
        aria-valuemax={stepCount}
        aria-valuenow={step}
        aria-valuetext={valueText(segments, current, step, stepCount)}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onKeyDown={onKeyDown}
      >
        <div className="flex items-center gap-0.5 h-[24px]" ref={track}>
          {segments.map((segment, i) => (
            <div
              key={segment.title}
              className="scrubber-chapter rounded-[3px] relative h-[6px] bg-[linear-gradient(to_right,var(--accent)_calc(var(--share)*100%),var(--track)_calc(var(--share)*100%))]"
              style={{ flex: flexOf(segment), '--share': shareOf(segment, step) }}
              data-current={i === current || undefined}
            >
              {i === current && (
                <div
                  className="absolute -top-[6px] w-[18px] h-[18px] -ml-[9px] border-[2.5px] border-accent rounded-[6px] pointer-events-none bg-ground"
                  style={{ left: `${shareOf(segment, step) * 100}%` }}
                />
              )}
            </div>
          ))}
        </div>
      </div>
      <div className="scrubber-names flex gap-0.5 text-muted text-12 min-h-6">
        {segments.map((segment, i) => (
          <button
            key={segment.title}
            type="button"
            className="truncate text-start cursor-pointer min-w-[24px] min-h-6 aria-[current=step]:text-ink aria-[current=step]:font-medium"
            style={{ flex: flexOf(segment) }}
            aria-current={i === current ? 'step' : undefined}
            title={segment.title}
            onClick={() => onSeek(segment.start)}
          >
            {segment.title}
          </button>
        ))}
      </div>
    </div>
  );
});

/** The flex of a chapter, by its number of steps. Short chapters keep space for a few letters of their title. */
function flexOf(segment: Segment): string {
  return `${Math.max(1, segment.end - segment.start)} 1 3.5rem`;
}

/** How much of a segment lies before a step, 0 to 1. */
function shareOf(segment: Segment, step: number): number {
  if (segment.end === segment.start) return step >= segment.end ? 1 : 0;
  return Math.min(1, Math.max(0, (step - segment.start) / (segment.end - segment.start)));
}

function valueText(segments: readonly Segment[], current: number, step: number, stepCount: number): string {
  const place = `step ${step} of ${stepCount}`;
  return current < 0 ? place : `${segments[current].title}, ${place}`;
}
