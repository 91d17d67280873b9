import { FormatError } from '../errors.ts';
import { roundHalfToEven } from './index.ts';

/** The floor of the absmax that a scale follows from: scale and inverse stay normal in f32, also for a row of zeros. */
export const MIN_ABSMAX = 2 ** -100;

/** 1 / 127 in f32. All devices round a product alike, but not a quotient. */
export const STEP_SHARE = Math.fround(1 / 127);

/** A row of activations as i8, with the value of one step. */
export interface Quantised {
  /** largest magnitude of the row */
  readonly absmax: number;
  /** value of one step, f32 */
  readonly scale: number;
  /** 1 / scale, rounded to f32 once: the one inverse that every kernel uses */
  readonly inverse: number;
  readonly values: Int8Array;
}

/**
 * Quantises a row to i8: scale = max(absmax, MIN_ABSMAX) times 1 / 127, each value times 1 / scale rounded half to even and
 * clamped to +-127. The inverse is that of the stored scale, also for rows with a small absmax. Every operation is one
 * that f32 rounds alike everywhere, so that kernels give the same integers. Throws FormatError with value and column
 * for NaN and infinities: one of them would set every other activation of the row to 0. O(cols).
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
