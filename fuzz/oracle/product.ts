import type { Entry } from './matrix.ts';

/** y = A x in double precision, with what an error bound needs. */
export interface Product {
  readonly y: Float64Array;
  /** by row: the sum of |a x|, NaN or infinite if a value is */
  readonly magnitude: Float64Array;
  /** by row: entries */
  readonly terms: Uint32Array;
}

/** O(entries). */
export function product(rows: number, entries: readonly Entry[], x: Float32Array): Product {
  const y = new Float64Array(rows);
  const magnitude = new Float64Array(rows);
  const terms = new Uint32Array(rows);
  for (const [row, col, value] of entries) {
    const term = value * x[col];
    y[row] += term;
    magnitude[row] += Math.abs(term);
    terms[row]++;
  }
  return { y, magnitude, terms };
}

const LARGEST_F32 = (2 - 2 ** -23) * 2 ** 127;

/**
 * A message if `found` is outside the f32 error bound around `expected`, else null. `relative`: the relative error of
 * each term, in addition to the rounding of the result.
 */
export function sumFault(
  found: number,
  expected: number,
  magnitude: number,
  terms: number,
  relative: number,
): string | null {
  if (Number.isNaN(expected) || Number.isNaN(found)) {
    return Number.isNaN(expected) && Number.isNaN(found) ? null : `found ${found}, expected ${expected}`;
  }
  if (found === expected) return null;
  // Two sums of doubles in different orders, then one rounding to f32.
  const error = magnitude * (relative + terms * 2 ** -51) + Math.abs(expected) * 2 ** -24 + 2 ** -149;
  if (Number.isFinite(found)) {
    if (Math.abs(found - expected) <= error) return null;
    return `found ${found}, expected ${expected} within ${error}`;
  }
  const overflows = found > 0 ? expected + error > LARGEST_F32 : expected - error < -LARGEST_F32;
  return overflows ? null : `found ${found}, expected ${expected}`;
}
