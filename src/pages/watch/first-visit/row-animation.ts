/* Layout and timing of the first screen's animation: weights of a row fly from their cells into an array. */

import type { VisitFacts } from './visit-facts.ts';

/** A non-zero weight of the row, with its column. */
export type RowWeight = VisitFacts['entries'][number];

/** A slot of the array: a weight, or a zero that is stored before it to bridge a gap. */
export interface ArraySlot {
  /** the weight; of a stored zero, the weight after it */
  readonly entry: RowWeight;
  /** number of empty columns before it, which is stored with the value; null: nothing is */
  readonly gap: number | null;
  readonly isZero: boolean;
}

/** The slots that the weights take in the array of format A, in order. */
export function slotsOf(
  { a: { format, params } }: Pick<VisitFacts, 'a'>,
  entries: readonly RowWeight[],
): readonly ArraySlot[] {
  const perWeight = format.headline?.storedPerWeight;
  return entries.flatMap((entry, i) => {
    const skipped = entry.column - (i === 0 ? -1 : entries[i - 1].column) - 1;
    const gaps: readonly (number | null)[] = perWeight ? perWeight.of(skipped, params) : [null]; // one for each slot
    return gaps.map((gap, n) => ({ entry, gap, isZero: n + 1 < gaps.length }));
  });
}

type Point = readonly [x: number, y: number];

/** Where the row and the array are in the picture, px. `cell`: side of a cell; `pitch`: from one cell to the next. */
export interface RowLayout {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly pitch: number;
  readonly cell: number;
  readonly rowY: number;
  readonly arrayY: number;
}

/** Maximum number of columns of the row, and minimum width of one, px. */
export const MAX_COLUMNS = 32;
const MIN_PITCH = 30;

/** Gap between cells, height of the marker above the cell that is read, and maximum side of a cell, px. */
const CELL_GAP = 3;
const MARKER = 12;
const MAX_CELL = 48;
/** Below each cell, and below each slot: space, and boxes for its bytes, px. */
export const BYTE_MARK = { space: 3, height: 9 } as const;
/** Below the bytes of each slot: space, a bar and the number of empty columns before its weight, px. */
export const GAP_MARK = { space: 2, bar: 7, number: 18 } as const;

/** The layout for a width: as many columns as fit, and the array `flight` px below the row. */
export function layoutOf(width: number, flight: number): RowLayout {
  const columns = Math.max(1, Math.min(MAX_COLUMNS, Math.floor(width / MIN_PITCH)));
  const pitch = (width + CELL_GAP) / columns;
  const cell = Math.min(MAX_CELL, pitch - CELL_GAP);
  const arrayY = MARKER + cell + BYTE_MARK.space + BYTE_MARK.height + flight;
  return {
    width,
    height: arrayY + cell + BYTE_MARK.space + BYTE_MARK.height + GAP_MARK.space + GAP_MARK.bar + GAP_MARK.number,
    columns,
    pitch,
    cell,
    rowY: MARKER,
    arrayY,
  };
}

/** How long a weight flies, ms. */
export const FLIGHT_MS = 650;
/** How long a weight's trail is visible after the weight has arrived, ms. */
const FADE_MS = 300;
/** How long the end of a run is shown before the next begins, ms. */
const REST_MS = 1800;
/** How many times the animation runs. */
const RUNS = 2;

/** An instant of the animation. */
export interface Instant {
  /** since the beginning of this run; infinite once all runs have ended */
  readonly ms: number;
  readonly isOver: boolean;
}

/** Draws an instant of a run in which the whole matrix is read in `readMs`. */
export type PaintInstant = (instant: Instant, readMs: number) => void;

/** The instant `ms` after the start of the animation, which runs `runs` times. */
export function instantAt(ms: number, readMs: number, runs = RUNS): Instant {
  const runMs = readMs + FLIGHT_MS + REST_MS;
  if (ms >= runs * runMs - REST_MS) return { ms: Number.POSITIVE_INFINITY, isOver: true };
  return { ms: ms % runMs, isOver: false };
}

/** For how long a weight has flown, ms; below 0 it is still in its cell. */
function msSinceStart({ columns }: RowLayout, column: number, ms: number, readMs: number): number {
  return ms - ((column + 1) / columns) * readMs;
}

/** How far a weight has flown: 0 in its cell, 1 in the array. */
export function flightOf(layout: RowLayout, column: number, ms: number, readMs: number): number {
  return Math.max(0, Math.min(1, msSinceStart(layout, column, ms, readMs) / FLIGHT_MS));
}

/** Opacity of the trail behind a weight, which fades once the weight has arrived. */
export function trailOpacity(layout: RowLayout, column: number, ms: number, readMs: number): number {
  const since = msSinceStart(layout, column, ms, readMs);
  return since <= 0 ? 0 : Math.max(0, Math.min(1, 1 - (since - FLIGHT_MS) / FADE_MS));
}

/** Opacity of a weight's colour, by its share of the largest magnitude. */
export function toneOf(share: number): number {
  return 0.35 + 0.65 * Math.min(1, share);
}

/** The first `share` of a weight's path from its cell to its slot, as control points of a cubic curve. */
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

/** Makes a movement slow at both ends. */
export function eased(share: number): number {
  return share < 0.5 ? 2 * share * share : 1 - 2 * (1 - share) * (1 - share);
}

/** The factor of the slow motion is a power of ten multiplied by one of these. */
const STEPS = [1, 2, 5];
/** Approximate duration of the slowed reading, ms. */
const READ_MS = 3000;

/** The factor by which reading a matrix (`ns`) is slowed, and the resulting duration; null if `ns` is null. */
export function slowMotion(ns: number | null): { readonly by: number; readonly readMs: number } | null {
  if (ns === null) return null;
  const factor = (READ_MS * 1e6) / ns;
  const power = 10 ** Math.floor(Math.log10(factor));
  const by = [...STEPS.map((step) => step * power), 10 * power].reduce((best, candidate) =>
    Math.abs(Math.log(candidate / factor)) < Math.abs(Math.log(best / factor)) ? candidate : best,
  );
  return { by, readMs: (ns * by) / 1e6 };
}

/** Duration of reading in the animation if no time was measured, ms. */
export const UNTIMED_READ_MS = READ_MS;
