import { entryValue } from '../../../core/number/index.ts';
import { GROUP, storedDelta } from '../layout.ts';
import { alignedStart, LANES, type MackoTrace } from './trace.ts';

/** f32 values of x in a cache line of 64 bytes. */
export const LINE_COLUMNS = 16;

/** The registers of the drawn subgroup's lanes in the phases of one chunk. */
export interface Lanes {
  /** deltas before this chunk, in this row */
  readonly carry: number;
  /** per lane: sum of its unmasked stored deltas */
  readonly sums: readonly number[];
  /** after the first and the second level of the inclusive scan */
  readonly scan0: readonly number[];
  readonly scan1: readonly number[];
  /** per lane: sum of value times x */
  readonly products: readonly number[];
}

/** Whether entry i belongs to the row. */
export function inRow(t: MackoTrace, row: number, i: number): boolean {
  return i >= t.encoded.indptr[row] && i < t.encoded.indptr[row + 1];
}

/** The registers of the lanes while they process the entries from `chunk` of `row`. */
export function lanesOf(t: MackoTrace, row: number, chunk: number): Lanes {
  const sums = Array.from({ length: LANES }, () => 0);
  const products = Array.from({ length: LANES }, () => 0);
  for (let k = 0; k < LANES * GROUP; k++) {
    const i = chunk + k;
    if (!inRow(t, row, i)) continue;
    const lane = Math.floor(k / GROUP);
    sums[lane] += storedDelta(t.encoded, i);
    products[lane] += entryValue(t.encoded, row, i) * t.x[t.columnOf[i]];
  }
  const level = (before: readonly number[], distance: number): number[] =>
    before.map((sum, lane) => sum + (lane >= distance ? before[lane - distance] : 0));
  const scan0 = level(sums, 1);
  let carry = 0;
  for (let i = Math.max(alignedStart(t.encoded.indptr[row]), t.encoded.indptr[row]); i < chunk; i++) {
    carry += storedDelta(t.encoded, i);
  }
  return { carry, sums, scan0, scan1: level(scan0, 2), products };
}

/** The cache lines of x that the chunk's gathers touch, ascending. */
export function touchedLines(t: MackoTrace, row: number, chunk: number): readonly number[] {
  const lines = new Set<number>();
  for (let i = chunk; i < chunk + LANES * GROUP; i++) {
    if (inRow(t, row, i)) lines.add(Math.floor(t.columnOf[i] / LINE_COLUMNS));
  }
  return [...lines].toSorted((a, b) => a - b);
}
