/** The two 8-bit floats of the OCP 8-bit floating point specification, revision 1.0, as bits in a u8. */

import { f16Value } from './f16.ts';

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
