import { type KeyboardEvent, memo, type PointerEvent, useRef } from 'react';
import { chapterAt, chapterStart } from '../../state/index.ts';
import type { Chapter } from '../../story/trace.ts';

interface ScrubberProps {
  readonly chapters: readonly Chapter[];
  readonly stepCount: number;
  readonly step: number;
  /** whether the player rests at the ends of groups of steps */
  readonly hasStops: boolean;
  readonly onSeek: (step: number) => void;
  readonly onStop: (direction: 1 | -1) => void;
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
const PAGE_STEPS = 10;

/**
 * A slider through every step of a story, with a segment for each chapter. Arrow keys move by a step, or with Shift by a
 * chapter; in a story with stops by a stop, or with Shift by a step. Page Up and Page Down move by ten steps, Home and End to
 * the ends, and the pointer to any step.
 */
export const Scrubber = memo(function Scrubber(props: ScrubberProps) {
  const { chapters, stepCount, step, hasStops, onSeek, onStop, onChapter } = props;
  const track = useRef<HTMLDivElement>(null);
  const segments = segmentsOf(chapters, stepCount);
  const current = chapterAt(chapters, step);

  const seekTo = (clientX: number): void => {
    const boxes = track.current?.children;
    if (!boxes) return;
    for (let i = 0; i < segments.length; i++) {
      const box = boxes[i].getBoundingClientRect();
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
      const direction = isForward ? 1 : -1;
      if (event.shiftKey && !hasStops) onChapter(direction);
      else if (hasStops && !event.shiftKey) onStop(direction);
      else onSeek(step + direction);
    } else if (event.key === 'PageUp') onSeek(step + PAGE_STEPS);
    else if (event.key === 'PageDown') onSeek(step - PAGE_STEPS);
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
        aria-disabled={stepCount === 0 || undefined}
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
              style={{ flex: flexOf(segment), '--share': shareBefore(segment, step) }}
              data-current={i === current || undefined}
            >
              {i === current && (
                <div
                  className="absolute -top-[6px] w-[18px] h-[18px] -ml-[9px] border-[2.5px] border-accent rounded-[6px] pointer-events-none bg-ground"
                  style={{ left: `${shareBefore(segment, step) * 100}%` }}
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
function shareBefore(segment: Segment, step: number): number {
  if (segment.end === segment.start) return step >= segment.end ? 1 : 0;
  return Math.min(1, Math.max(0, (step - segment.start) / (segment.end - segment.start)));
}

/** The position as text: 'Encode, step 20 of 58'. */
function valueText(segments: readonly Segment[], current: number, step: number, stepCount: number): string {
  const position = `step ${step} of ${stepCount}`;
  return current < 0 ? position : `${segments[current].title}, ${position}`;
}
