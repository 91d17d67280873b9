import { f16Value, f32Bits } from './f16.ts';

// bf16 (bfloat16): the upper half of an f32, with 8 exponent bits and 7 fraction bits, as bits in a u16. E4M3 and E5M2: the
// two floats of the OCP 8-bit floating point specification, revision 1.0, as bits in a u8.

/** Bits of the bf16 nearest to the f32 with these bits (ties to even). Overflow becomes infinity; NaN stays NaN. */
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

/** The value of an E4M3: 4 exponent bits, bias 7; 3 fraction bits; no infinities; NaN only at 0x7f and 0xff. Exact. */
export function f8E4m3Value(bits: number): number {
  const exponent = (bits >>> 3) & 15;
  const fraction = bits & 7;
  const sign = bits & 0x80 ? -1 : 1;
  if (exponent === 15 && fraction === 7) return Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** -9;
  return sign * (1 + fraction / 8) * 2 ** (exponent - 7);
}

/** The value of an E5M2: the upper half of an f16. Exact. */
export function f8E5m2Value(bits: number): number {
  return f16Value((bits & 0xff) << 8);
}
