/** IEEE 754 binary16 (5 exponent bits, 10 fraction bits), as bits in a u16. */

const scratchF32 = new Float32Array(1);
const scratchU32 = new Uint32Array(scratchF32.buffer);

/** Bits of the f16 nearest to the f32 with these bits (ties to even). Overflow gives infinity; NaN stays NaN. */
export function f16FromF32Bits(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const magnitude = bits & 0x7fffffff;
  if (magnitude >= 0x38800000) {
    // 2^-14 and above: a normal f16, infinity or NaN
    if (magnitude < 0x47800000) return sign | ((magnitude - 0x38000000 + 0xfff + ((magnitude >>> 13) & 1)) >>> 13);
    return sign | (magnitude > 0x7f800000 ? 0x7e00 : 0x7c00);
  }
  // Below 2^-14 the f16 is a multiple of 2^-24: the fraction, with its hidden bit, is shifted and rounded by hand.
  const shift = 126 - (magnitude >>> 23);
  if (shift > 25) return sign;
  const fraction = (magnitude & 0x7fffff) | 0x800000;
  const kept = fraction >>> shift;
  const rest = fraction & ((1 << shift) - 1);
  const half = 1 << (shift - 1);
  return sign | (kept + (rest > half || (rest === half && (kept & 1) === 1) ? 1 : 0));
}

/** Bits of the f16 nearest to `value`, which is rounded to f32 first. */
export function f16Bits(value: number): number {
  scratchF32[0] = value;
  return f16FromF32Bits(scratchU32[0]);
}

/** The value of an f16, exact. */
export function f16Value(bits: number): number {
  const exponent = (bits >>> 10) & 31;
  const fraction = bits & 0x3ff;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

let table: Float32Array | null = null;

/** The value of every f16 by its bits, built once: for loops over millions of values. */
export function f16Table(): Float32Array {
  table ??= Float32Array.from({ length: 65536 }, (_, bits) => f16Value(bits));
  return table;
}
