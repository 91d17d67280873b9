/** IEEE 754 binary16 (5 exponent bits, 10 fraction bits), as bits in a u16. */

const scratchF32 = new Float32Array(1);
const scratchU32 = new Uint32Array(scratchF32.buffer);

/** Bits of the f16 nearest to the f32 with these bits (ties to even). Overflow becomes infinity; NaN stays NaN. */
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
  const quotient = fraction >>> shift;
  const rest = fraction & ((1 << shift) - 1);
  const half = 1 << (shift - 1);
  return sign | (quotient + (rest > half || (rest === half && (quotient & 1) === 1) ? 1 : 0));
}

/** The bits of `value` rounded to f32. */
export function f32Bits(value: number): number {
  scratchF32[0] = value;
  return scratchU32[0];
}

/** Bits of the f16 nearest to `value`, which is rounded to f32 first. */
export function f16Bits(value: number): number {
  return f16FromF32Bits(f32Bits(value));
}

/** The exponent bias is 127 in f32 and 15 in f16: f16 bits, shifted into an f32, read this many times too small. */
const EXPONENT_FACTOR = 2 ** 112;

/** The value of an f16, exact. */
export function f16Value(bits: number): number {
  if ((bits & 0x7c00) === 0x7c00) {
    if (bits & 0x3ff) return Number.NaN;
    return bits & 0x8000 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  scratchU32[0] = ((bits & 0x8000) << 16) | ((bits & 0x7fff) << 13);
  return scratchF32[0] * EXPONENT_FACTOR;
}

let table: Float32Array | null = null;

/** The value of every f16 by its bits, built once: for loops over millions of values. */
export function f16Table(): Float32Array {
  if (table) return table;
  table = new Float32Array(65536);
  // A loop: `Float32Array.from` would call a function for each value.
  for (let bits = 0; bits < table.length; bits++) table[bits] = f16Value(bits);
  return table;
}
