/**
 * exp and ln from additions, multiplications and divisions alone. The standard leaves the last bits of Math.exp and
 * Math.log to the engine; data generated from a seed must be the same on all engines. Relative error below 4e-16.
 */

// ln 2 as a sum of two numbers: an exponent times LN2_HIGH is exact, since its last bits are 0
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

const scratchF64 = new Float64Array(1);
const scratchU32 = new Uint32Array(scratchF64.buffer);
scratchF64[0] = 1;
/** index of the word with sign and exponent; depends on the byte order of the machine */
const HIGH = scratchU32[1] === 0 ? 0 : 1;

/** Natural logarithm of a positive normal number; NaN for anything else. */
export function ln(x: number): number {
  if (!(x >= 2 ** -1022 && x < Number.POSITIVE_INFINITY)) return Number.NaN;
  scratchF64[0] = x;
  let exponent = (scratchU32[HIGH] >>> 20) - 1023;
  scratchU32[HIGH] = (scratchU32[HIGH] & 0xfffff) | 0x3ff00000;
  let m = scratchF64[0];
  if (m > Math.SQRT2) {
    m /= 2;
    exponent++;
  }
  // x = m 2^exponent. ln m = 2 atanh(t) = 2 (t + t^3 / 3 + t^5 / 5 + ...) with t = (m - 1) / (m + 1), below 0.172
  const t = (m - 1) / (m + 1);
  const t2 = t * t;
  let sum = 0;
  for (let k = 23; k >= 3; k -= 2) sum = (sum + 1 / k) * t2;
  return exponent * LN2_HIGH + (2 * t + (2 * t * sum + exponent * LN2_LOW));
}

/** e^x for -700 < x < 700; NaN for anything else. */
export function exp(x: number): number {
  if (!(x > -700 && x < 700)) return Number.NaN;
  const exponent = Math.round(x / Math.LN2);
  const r = x - exponent * LN2_HIGH - exponent * LN2_LOW;
  // x = r + exponent ln 2; the Taylor series of e^r by Horner's scheme
  let sum = 1;
  for (let k = 14; k >= 1; k--) sum = 1 + (sum * r) / k;
  scratchF64[0] = 0;
  scratchU32[HIGH] = (exponent + 1023) << 20;
  return sum * scratchF64[0];
}
