import type { VisitFacts } from './visit-facts.ts';

/** A weight that is left. */
export type RowWeight = VisitFacts['entries'][number];

/** A slot of the array: what is stored with a value, which is a weight or a zero on the way to it. */
export interface ArraySlot {
  readonly entry: RowWeight;
  readonly note: number | null;
  readonly isZero: boolean;
}

/** The slots that the weights take in the array of a format. */
export function slotsOf(
  { a: { format, params } }: Pick<VisitFacts, 'a'>,
  entries: readonly RowWeight[],
): readonly ArraySlot[] {
  const each = format.headline?.each;
  return entries.flatMap((entry, i) => {
    const skipped = entry.column - (i === 0 ? -1 : entries[i - 1].column) - 1;
    const notes: readonly (number | null)[] = each ? each.of(skipped, params) : [null];
    return notes.map((note, n) => ({ entry, note, isZero: n + 1 < notes.length }));
  });
}

type Point = readonly [x: number, y: number];

/** Where everything of the moving row is, in px. */
export interface RowLayout {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly pitch: number;
  readonly cell: number;
  readonly rowY: number;
  readonly arrayY: number;
}

/** Columns of the row at most, and the least room for one. */
export const MAX_COLUMNS = 32;
const MIN_PITCH = 30;

const GAP = 3;
const MARKER = 12;
const MAX_CELL = 48;
/** Below the values: what is stored with each, as a bar and in words. */
export const NOTE = { gap: 2, bar: 7, words: 18 } as const;

/** The row as wide as there is room, the array `flight` px below it. */
export function layoutOf(width: number, flight: number): RowLayout {
  const columns = Math.max(1, Math.min(MAX_COLUMNS, Math.floor(width / MIN_PITCH)));
  const pitch = (width + GAP) / columns;
  const cell = Math.min(MAX_CELL, pitch - GAP);
  const arrayY = MARKER + cell + flight;
  return {
    width,
    height: arrayY + cell + NOTE.gap + NOTE.bar + NOTE.words,
    columns,
    pitch,
    cell,
    rowY: MARKER,
    arrayY,
  };
}

/** How long a weight is on its way, in ms. */
export const FLIGHT_MS = 650;
/** How long its way is seen once it has arrived. */
const FADE_MS = 300;
/** How long the end of a run stays before the next. */
const REST_MS = 1800;
/** How often the picture runs. */
const RUNS = 2;

/** What a run of `readMs` shows after `ms`, of all runs together. */
export interface Instant {
  /** of this run; infinite once all have ended */
  readonly ms: number;
  readonly isOver: boolean;
}

/** Draws an instant of a run in which the whole matrix is read in `readMs`. */
export type PaintInstant = (instant: Instant, readMs: number) => void;

/** The instant after `ms` of playing, which repeats `runs` times. */
export function instantAt(ms: number, readMs: number, runs = RUNS): Instant {
  const runMs = readMs + FLIGHT_MS + REST_MS;
  if (ms >= runs * runMs - REST_MS) return { ms: Number.POSITIVE_INFINITY, isOver: true };
  return { ms: ms % runMs, isOver: false };
}

/** For how long a weight has been on its way; below 0 it is in its cell. */
function sinceLeft({ columns }: RowLayout, column: number, ms: number, readMs: number): number {
  return ms - ((column + 1) / columns) * readMs;
}

/** Where a weight is: in its cell (0), on its way, or in the array (1). */
export function flightOf(layout: RowLayout, column: number, ms: number, readMs: number): number {
  return Math.max(0, Math.min(1, sinceLeft(layout, column, ms, readMs) / FLIGHT_MS));
}

/** How much is seen of the way behind a weight: it fades once the weight has arrived. */
export function trailOpacity(layout: RowLayout, column: number, ms: number, readMs: number): number {
  const since = sinceLeft(layout, column, ms, readMs);
  return since <= 0 ? 0 : Math.max(0, Math.min(1, 1 - (since - FLIGHT_MS) / FADE_MS));
}

/** How strong the colour of a weight is by its share of the largest. */
export function toneOf(share: number): number {
  return 0.35 + 0.65 * Math.min(1, share);
}

/** The way of a weight from its cell to its slot, up to a share of it, as control points of a cubic curve. */
export function flightPath(
  { pitch, cell, rowY, arrayY }: RowLayout,
  column: number,
  slot: number,
  share: number,
): readonly Point[] {
  const [from, to]: [Point, Point] = [
    [column * pitch + cell / 2, rowY + cell / 2],
    [slot * pitch + cell / 2, arrayY + cell / 2],
  ];
  const down = to[1] - from[1];
  // Down first, then across, then into the slot from above.
  const whole: Point[] = [from, [from[0], from[1] + 0.65 * down], [to[0], to[1] - 0.75 * down], to];
  const between = ([ax, ay]: Point, [bx, by]: Point): Point => [ax + (bx - ax) * share, ay + (by - ay) * share];
  const part: Point[] = [from];
  for (let points = whole; points.length > 1;) {
    points = points.slice(1).map((point, i) => between(points[i], point));
    part.push(points[0]);
  }
  return part;
}

/** Slow at both ends. */
export function eased(share: number): number {
  return share < 0.5 ? 2 * share * share : 1 - 2 * (1 - share) * (1 - share);
}

/** Factors of ten, two and five by which time is slowed. */
const STEPS = [1, 2, 5];
/** What slowed reading takes, about, in ms. */
const READ_MS = 3000;

/** By how much reading is slowed so that it can be watched, and how long it takes then; null without a time. */
export function slowMotion(ns: number | null): { readonly by: number; readonly readMs: number } | null {
  if (ns === null) return null;
  const wanted = (READ_MS * 1e6) / ns;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const by = [...STEPS.map((step) => step * power), 10 * power].reduce((best, one) =>
    Math.abs(Math.log(one / wanted)) < Math.abs(Math.log(best / wanted)) ? one : best,
  );
  return { by, readMs: (ns * by) / 1e6 };
}

/** Without a time, reading takes as long. */
export const UNTIMED_READ_MS = READ_MS;
