import { type KeyboardEvent, memo, type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Stop } from '../../core/story/timeline.ts';
import type { Chapter } from '../../core/story/trace.ts';
import { type Player, stopsReached } from '../../state/player.ts';

/** A chapter on the track, in px. */
interface ChapterBox {
  readonly left: number;
  readonly width: number;
}

/** Between two chapters, px. */
const GAP = 6;
/** A chapter with one stop keeps room for a few letters of its name, px. */
const MIN_WIDTH = 56;

/** Chapters as long as they have stops, and where the stops are, for a track of this width. */
export function placeStops(
  chapters: number,
  stops: readonly Pick<Stop, 'chapter'>[],
  width: number,
): { readonly boxes: readonly ChapterBox[]; readonly xs: readonly number[] } {
  const counts = Array.from({ length: chapters }, (_, i) => stops.filter(({ chapter }) => chapter === i).length);
  const free = Math.max(0, width - GAP * (chapters - 1));
  const min = Math.min(MIN_WIDTH, free / Math.max(1, chapters));
  const rest = free - min * chapters;
  let left = 0;
  const boxes = counts.map((count) => {
    const box = { left, width: min + (rest * count) / Math.max(1, stops.length) };
    left += box.width + GAP;
    return box;
  });
  const passed = counts.map(() => 0);
  const xs = stops.map(({ chapter }) => {
    const nth = passed[chapter]++;
    return boxes[chapter].left + (boxes[chapter].width * (nth + 0.5)) / counts[chapter];
  });
  return { boxes, xs };
}

/** What is written at a stop: where nothing else happens, that the formats differ. */
export function nameOf({ name, kind, difference }: Pick<Stop, 'name' | 'kind' | 'difference'>): string {
  return difference && kind === 'step' ? 'first difference' : name;
}

/** About the width of a name at 12 px, with the room that it keeps to its neighbours. */
export function nameWidth(name: string): number {
  return 6.3 * name.length + 14;
}

/** A name centred at x, moved so that it lies on the track. */
export function nameLeft(x: number, name: string, width: number): number {
  const own = nameWidth(name);
  return Math.max(0, Math.min(x - own / 2, width - own));
}

/**
 * Which of the stops show their name: the current one, then those that say most, as long as none covers another or what is
 * `taken`.
 */
export function shownNames(
  stops: readonly Stop[],
  xs: readonly number[],
  width: number,
  current: number,
  taken: readonly (readonly [left: number, right: number])[] = [],
): ReadonlySet<number> {
  const order = stops.map((_, i) => i).toSorted((i, j) => rank(stops[i], i, current) - rank(stops[j], j, current));
  const boxes = [...taken];
  const shown = new Set<number>();
  for (const i of order) {
    const left = nameLeft(xs[i], nameOf(stops[i]), width);
    const right = left + nameWidth(nameOf(stops[i]));
    if (boxes.some((box) => box[0] < right && left < box[1])) continue;
    boxes.push([left, right]);
    shown.add(i);
  }
  return shown;
}

function rank({ difference, kind, alone }: Stop, i: number, current: number): number {
  if (i === current) return 0;
  if (difference) return 1;
  if (alone !== null) return 2;
  return kind === 'step' || kind === 'fold' ? 4 : 3;
}

/** A format on the track: what it alone does has its colour. */
export interface TrackSide {
  readonly title: string;
  /** a colour of CSS */
  readonly color: string;
}

interface StopTrackProps {
  readonly player: Player;
  readonly chapters: readonly Chapter[];
  readonly stops: readonly Stop[];
  readonly step: number;
  readonly a: TrackSide;
  readonly b: TrackSide | null;
  /** Shows every step, from this one on. */
  readonly onOpen: (step: number) => void;
}

/** Until the page is laid out. */
const USUAL_WIDTH = 720;
/** Below this only the current stop has its name, in the middle of the page's own words. */
const NARROW = 560;

/**
 * The key moments of a story as one slider, whose chapters are as long as they have moments. Arrow keys go by moments,
 * with Shift by chapters; Home and End to the ends; Enter on a fold opens its steps; the pointer anywhere.
 */
export const StopTrack = memo(function StopTrack({ player, chapters, stops, step, a, b, onOpen }: StopTrackProps) {
  const track = useRef<HTMLDivElement>(null);
  const width = useWidth(track);
  const [hovered, setHovered] = useState<number | null>(null);
  const reached = stopsReached(stops, step);
  const current = reached - 1;
  const { boxes, xs } = placeStops(chapters.length, stops, width);
  const stop = stops[current] as Stop | undefined;
  const chapter = (stops[step > (stop?.at ?? 0) ? current + 1 : Math.max(0, current)] ?? stop)?.chapter ?? -1;

  const nearest = (clientX: number): number => {
    const x = clientX - (track.current?.getBoundingClientRect().left ?? 0);
    // Before the first stop is the start of the story.
    if (xs.length === 0 || x < xs[0] / 2) return -1;
    return xs.reduce((best, at, i) => (Math.abs(at - x) < Math.abs(xs[best] - x) ? i : best), 0);
  };
  const seekTo = (clientX: number): void => player.seek(stops[nearest(clientX)]?.at ?? 0);
  const openFold = (): void => {
    if (stop?.kind === 'fold') onOpen(stop.from + 1);
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    seekTo(event.clientX);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event.clientX);
    setHovered(nearest(event.clientX));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const back = event.key === 'ArrowLeft' || event.key === 'ArrowDown';
    const on = event.key === 'ArrowRight' || event.key === 'ArrowUp';
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'PageUp' || (on && event.shiftKey)) player.nextChapter();
    else if (event.key === 'PageDown' || (back && event.shiftKey)) player.previousChapter();
    else if (on) player.next();
    else if (back) player.previous();
    else if (event.key === 'Home') player.first();
    else if (event.key === 'End') player.last();
    else if (event.key === 'Enter') openFold();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const isNarrow = width < NARROW;
  const shownNow = hovered !== null && hovered >= 0 ? hovered : current;
  const isBelow = (i: number): boolean => !isNarrow && stops[i].alone === 'b';
  const above = stops.flatMap((_, i) => (isBelow(i) ? [] : [i]));
  const below = stops.flatMap((_, i) => (isBelow(i) ? [i] : []));
  const named = (list: readonly number[], taken: readonly (readonly [number, number])[]): readonly number[] => {
    const pick = <T,>(all: readonly T[]): readonly T[] => list.map((i) => all[i]);
    const shown = shownNames(pick(stops), pick(xs), width, list.indexOf(shownNow), taken);
    return list.filter((_, nth) => shown.has(nth));
  };
  const titles = boxes.map(({ left, width: room }, i): readonly [number, number] => [
    left,
    left + Math.min(room, nameWidth(chapters[i].title)),
  ]);
  const name = (i: number) => (
    <span
      key={`${stops[i].at}`}
      className="stop-name"
      style={{ left: nameLeft(xs[i], nameOf(stops[i]), width), width: nameWidth(nameOf(stops[i])) }}
      data-current={i === current || undefined}
      data-side={stops[i].alone ?? undefined}
    >
      {nameOf(stops[i])}
    </span>
  );
  const onlyName = isNarrow ? stops[shownNow] : undefined;

  return (
    <div className="stops" style={{ '--a': a.color, '--b': b?.color ?? a.color }}>
      <div className="stop-names" aria-hidden="true">
        {isNarrow ? <span className="stop-only">{onlyName && nameOf(onlyName)}</span> : named(above, []).map(name)}
      </div>
      <div
        className="scrubber"
        role="slider"
        tabIndex={0}
        aria-label="Key moment"
        aria-valuemin={0}
        aria-valuemax={stops.length}
        aria-valuenow={reached}
        aria-valuetext={valueText(stops, step, { a, b })}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setHovered(null)}
        onDoubleClick={openFold}
        onKeyDown={onKeyDown}
      >
        <div className="stop-track" ref={track}>
          <Line chapters={chapters} stops={stops} step={step} boxes={boxes} xs={xs} hovered={hovered} />
        </div>
      </div>
      <div className="stop-titles">
        {boxes.map((box, i) => (
          <button
            key={chapters[i].id}
            type="button"
            className="scrubber-name"
            style={{ left: box.left, maxWidth: box.width }}
            aria-current={i === chapter ? 'step' : undefined}
            title={chapters[i].title}
            onClick={() => player.seek(i === 0 ? 0 : (stops.find((found) => found.chapter === i)?.at ?? 0))}
          >
            {chapters[i].title}
          </button>
        ))}
        {!isNarrow && <span aria-hidden="true">{named(below, titles).map(name)}</span>}
      </div>
    </div>
  );
});

interface LineProps extends Pick<StopTrackProps, 'chapters' | 'stops' | 'step'> {
  readonly boxes: readonly ChapterBox[];
  readonly xs: readonly number[];
  readonly hovered: number | null;
}

/** The line as far as it has been shown, and its marks. */
function Line({ chapters, stops, step, boxes, xs, hovered }: LineProps) {
  const end = lineEnd(stops, xs, boxes, step);
  const reached = stopsReached(stops, step);
  return (
    <>
      {boxes.map((box, i) => (
        <div
          key={chapters[i].id}
          className="stop-chapter"
          style={{ left: box.left, width: box.width, '--share': shareOf(box, end) }}
        />
      ))}
      {stops.map(({ at, kind, alone, difference }, i) => (
        <span
          key={at}
          className="stop"
          style={{ left: xs[i] }}
          data-kind={kind === 'fold' ? 'fold' : alone ? 'alone' : undefined}
          data-side={alone ?? undefined}
          data-reached={at <= step || undefined}
          data-current={at === step || undefined}
          data-hovered={i === hovered || undefined}
          data-difference={difference ? '' : undefined}
        />
      ))}
      {stops[reached - 1]?.at !== step && <span className="stop-here" style={{ left: end }} />}
    </>
  );
}

/** Where the line of what has been shown ends, px: between two stops as far as the steps on the way. */
function lineEnd(stops: readonly Stop[], xs: readonly number[], boxes: readonly ChapterBox[], step: number): number {
  const reached = stopsReached(stops, step);
  const from = reached === 0 ? 0 : xs[reached - 1];
  // What is there is shown up to its end.
  if (reached === stops.length) return (boxes.at(-1)?.left ?? 0) + (boxes.at(-1)?.width ?? 0);
  const next = stops[reached];
  return from + ((step - next.from) / (next.at - next.from)) * (xs[reached] - from);
}

function shareOf({ left, width }: ChapterBox, x: number): number {
  return width === 0 ? 0 : Math.min(1, Math.max(0, (x - left) / width));
}

/** 'first padding, MACKO alone, key moment 5 of 14' */
function valueText(
  stops: readonly Stop[],
  step: number,
  sides: { readonly a: TrackSide; readonly b: TrackSide | null },
): string {
  const reached = stopsReached(stops, step);
  if (reached === 0) return `before the first of ${stops.length} key moments`;
  const { name, alone, difference, at } = stops[reached - 1];
  const words = [
    at === step ? name : `after ${name}`,
    ...(alone ? [`${sides[alone]?.title ?? ''} alone`] : []),
    ...(difference ? ['first difference'] : []),
    `key moment ${reached} of ${stops.length}`,
  ];
  return words.join(', ');
}

function useWidth(element: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(USUAL_WIDTH);
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured || typeof ResizeObserver === 'undefined') return;
    const measure = (): void => setWidth(measured.clientWidth || USUAL_WIDTH);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
