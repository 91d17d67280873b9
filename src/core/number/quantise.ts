import { FormatError } from '../errors.ts';
import { roundHalfToEven } from './index.ts';

/** Minimum absmax that a scale is computed from: scale and inverse stay normal in f32, also for a row of zeros. */
export const MIN_ABSMAX = 2 ** -100;

/** 1 / 127 in f32, to multiply with: all devices round a product alike, but not a quotient. */
export const STEP_SHARE = Math.fround(1 / 127);

/** A row of activations as i8, with its scale. */
export interface Quantised {
  /** largest magnitude of the row */
  readonly absmax: number;
  /** f32: an activation is about an i8 times the scale */
  readonly scale: number;
  /** 1 / scale in f32, as every kernel computes it */
  readonly inverse: number;
  readonly values: Int8Array;
}

/**
 * Quantises a row to i8: scale = max(absmax, MIN_ABSMAX) * STEP_SHARE, each value times 1 / scale rounded half to even
 * and clamped to +-127. Scale, inverse and products are rounded to f32, as in kernels, so that all give the same
 * integers. Throws FormatError with value and column for NaN and infinities. O(cols).
 * Source: SlideSparse paper, algorithm 1, pass 1. Deviation: the published code clamps the stored scale but not its
 * inverse, so that rows with absmax below 1/512 come back too large.
 */
export function quantise(x: Float32Array): Quantised {
  let absmax = 0;
  for (const value of x) absmax = Math.max(absmax, Math.abs(value));
  if (!Number.isFinite(absmax)) {
    const column = x.findIndex((value) => !Number.isFinite(value));
    throw new FormatError(`activations: found ${x[column]} at column ${column}, expected finite values for i8`);
  }
  const scale = Math.fround(Math.max(absmax, MIN_ABSMAX) * STEP_SHARE);
  const inverse = Math.fround(1 / scale);
  const values = Int8Array.from(x, (value) =>
    Math.max(-127, Math.min(127, roundHalfToEven(Math.fround(value * inverse)))),
  );
  return { absmax, scale, inverse, values };
}
