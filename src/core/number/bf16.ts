/** bfloat16: the upper half of an f32 (8 exponent bits, 7 fraction bits), as bits in a u16. */

import { f32Bits } from './f16.ts';

/** Bits of the bf16 nearest to the f32 with these bits (ties to even). Overflow gives infinity; NaN stays NaN. */
export function bf16FromF32Bits(bits: number): number {
  // A NaN whose fraction is only in the lower half would become an infinity.
  if ((bits & 0x7fffffff) > 0x7f800000) return ((bits >>> 16) & 0x8000) | 0x7fc0;
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
}

/** Bits of the bf16 nearest to `value`, which is rounded to f32 first. */
export function bf16Bits(value: number): number {
  return bf16FromF32Bits(f32Bits(value));
}

/** `value` rounded to bf16, ties to even. */
export function roundToBf16(value: number): number {
  return bf16Value(bf16Bits(value));
}

let table: Float32Array | null = null;

/** The value of every bf16 by its bits, built once: for loops over millions of values. */
export function bf16Table(): Float32Array {
  if (table) return table;
  // A loop: `Uint32Array.from` would call a function for each value.
  const bits = new Uint32Array(65536);
  for (let i = 0; i < bits.length; i++) bits[i] = i << 16;
  return (table = new Float32Array(bits.buffer));
}

/** The value of a bf16, exact. */
export function bf16Value(bits: number): number {
  return bf16Table()[bits];
}
