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

/** The part of the scrubber for one chapter: steps [start, end), with the last one closed. */
interface Span {
  readonly title: string;
  readonly start: number;
  readonly end: number;
}

function spansOf(chapters: readonly Chapter[], stepCount: number): readonly Span[] {
  return chapters.map((chapter, i) => ({
    title: chapter.title,
    start: chapterStart(chapters, i),
    end: i + 1 < chapters.length ? chapterStart(chapters, i + 1) : stepCount,
  }));
}

/** Steps per press of Page Up or Page Down. */
const PAGE = 10;

/**
 * The story as one slider whose chapters are segments. Arrow keys go by steps, with Shift by chapters; Page keys by ten; Home
 * and End to the ends; the pointer anywhere.
 */
export const Scrubber = memo(function Scrubber({ chapters, stepCount, step, onSeek, onChapter }: ScrubberProps) {
  const track = useRef<HTMLDivElement>(null);
  const spans = spansOf(chapters, stepCount);
  const current = chapterAt(chapters, step);

  const seekTo = (clientX: number): void => {
    const parts = track.current?.children;
    if (!parts) return;
    for (let i = 0; i < spans.length; i++) {
      const box = parts[i].getBoundingClientRect();
      if (clientX > box.right && i + 1 < spans.length) continue;
      const share = box.width === 0 ? 0 : Math.min(1, Math.max(0, (clientX - box.left) / box.width));
      onSeek(Math.round(spans[i].start + share * (spans[i].end - spans[i].start)));
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
    const back = event.key === 'ArrowLeft' || event.key === 'ArrowDown';
    const on = event.key === 'ArrowRight' || event.key === 'ArrowUp';
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (back || on) {
      if (event.shiftKey) onChapter(on ? 1 : -1);
      else onSeek(step + (on ? 1 : -1));
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
        className="scrubber round-3 as-block relative pointer touch-none"
        role="slider"
        tabIndex={0}
        aria-label="Step"
        aria-valuemin={0}
        aria-valuemax={stepCount}
        aria-valuenow={step}
        aria-valuetext={valueText(spans, current, step, stepCount)}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onKeyDown={onKeyDown}
      >
        <div className="flex items-center gap-half h-24px" ref={track}>
          {spans.map((span, i) => (
            <div
              key={span.title}
              className="scrubber-chapter round-3 relative h-6px"
              style={{ flex: lengthOf(span), '--share': shareOf(span, step) }}
              data-current={i === current || undefined}
            >
              {i === current && (
                <div
                  className="scrubber-knob absolute unclickable ground"
                  style={{ left: `${shareOf(span, step) * 100}%` }}
                />
              )}
            </div>
          ))}
        </div>
      </div>
      <div className="scrubber-names flex gap-half quiet size-12 min-h-6">
        {spans.map((span, i) => (
          <button
            key={span.title}
            type="button"
            className="scrubber-name truncate text-start pointer min-h-6"
            style={{ flex: lengthOf(span) }}
            aria-current={i === current ? 'step' : undefined}
            title={span.title}
            onClick={() => onSeek(span.start)}
          >
            {span.title}
          </button>
        ))}
      </div>
    </div>
  );
});

/** A chapter's share of the width. Short chapters keep space for a few letters of their title. */
function lengthOf(span: Span): string {
  return `${Math.max(1, span.end - span.start)} 1 3.5rem`;
}

function shareOf(span: Span, step: number): number {
  if (span.end === span.start) return step >= span.end ? 1 : 0;
  return Math.min(1, Math.max(0, (step - span.start) / (span.end - span.start)));
}

function valueText(spans: readonly Span[], current: number, step: number, stepCount: number): string {
  const place = `step ${step} of ${stepCount}`;
  return current < 0 ? place : `${spans[current].title}, ${place}`;
}
