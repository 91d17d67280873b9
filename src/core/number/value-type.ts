import { f16Bits, f16Value } from './f16.ts';

/** The type of stored weights in most formats. `i8` is a signed byte times a scale per row. */
export type ValueType = 'f16' | 'f32' | 'i8';

/** The types of stored values in all formats: of weights, also i4 (q4.ts); of activations, bf16. */
export type AnyValueType = ValueType | 'i4' | 'bf16';

/** Bits of a stored value, without scales. */
export const VALUE_BITS: Readonly<Record<AnyValueType, number>> = { f16: 16, bf16: 16, f32: 32, i8: 8, i4: 4 };

/** `value` rounded to f16, ties to even. */
export function roundToF16(value: number): number {
  return f16Value(f16Bits(value));
}

/** Rounds half to even: 0.5 -> 0, 1.5 -> 2, 2.5 -> 2. */
export function roundHalfToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest < 0.5) return floor;
  if (rest > 0.5) return floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

/** The largest scale whose product with 127 is finite in f32. (The largest f32, over 127, rounds to the next f32.) */
const LARGEST_SCALE = 0x810203 * 2 ** 98;

/**
 * The scale of a row of `n` values in i8: absmax / 127 in f32, at most LARGEST_SCALE; 1 for a row without non-zeros or
 * whose scale would round to 0, so that dividing by it is always safe.
 */
export function i8Scale(values: Float32Array, n: number): number {
  let absmax = 0;
  for (let i = 0; i < n; i++) {
    const magnitude = Math.abs(values[i]);
    if (magnitude > absmax) absmax = magnitude;
  }
  const scale = Math.min(Math.fround(absmax / 127), LARGEST_SCALE);
  return scale > 0 ? scale : 1;
}

/** `value` / `scale` rounded half to even, from -127 to 127. */
export function i8Of(value: number, scale: number): number {
  return Math.max(-127, Math.min(127, roundHalfToEven(value / scale)));
}
