import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { f16Bits, f16Table, f16Value } from './f16.ts';
import { cases } from '../../../test/scheduled.ts';

/** All non-negative finite f16 values, ascending: index = bits. */
const FINITE = Array.from({ length: 0x7c00 }, (_, bits) => f16Value(bits));

/** Rounding by definition, with a slow search: the nearest value, in a tie the one with an even last bit. */
function nearest(value: number): number {
  const magnitude = Math.abs(value);
  if (magnitude >= 65520) return 0x7c00;
  let low = 0;
  let high = FINITE.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (FINITE[middle] <= magnitude) low = middle;
    else high = middle;
  }
  const below = magnitude - FINITE[low];
  const above = FINITE[high] - magnitude;
  if (below === above) return low % 2 === 0 ? low : high;
  return below < above ? low : high;
}

/** The value of a bit pattern by definition: 5 bits of exponent and 10 of fraction. */
function byDefinition(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, (bits & 0x3ff) / 1024];
  if (exponent === 31) return fraction > 0 ? Number.NaN : sign / 0;
  return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15));
}

describe('f16', () => {
  it('f16 has the value that the format defines, alone and in the table', () => {
    const expected = Float64Array.from({ length: 65536 }, (_, bits) => byDefinition(bits));
    expect(expected.map((_, bits) => f16Value(bits))).toEqual(expected);
    expect(Float64Array.from(f16Table())).toEqual(expected);
  });

  it('round-trips every f16', () => {
    const found = Uint16Array.from({ length: 65536 }, (_, bits) => f16Bits(f16Value(bits)));
    const isNaN = (bits: number): boolean => (bits & 0x7c00) === 0x7c00 && (bits & 0x3ff) !== 0;
    expect(found).toEqual(found.map((_, bits) => (isNaN(bits) ? 0x7e00 : bits)));
  });

  it('rounds to the nearest, ties to even', () => {
    const near = fc.integer({ min: 0, max: 0x7bfe }).chain((bits) =>
      fc.constantFrom(0, 2 ** -20, 0.25, 0.5, 0.75, 0.5 - 2 ** -10, 0.5 + 2 ** -10).map((share) => {
        return FINITE[bits] + share * (FINITE[bits + 1] - FINITE[bits]);
      }),
    );
    fc.assert(
      fc.property(fc.oneof(near, fc.float({ noNaN: true })), (wide) => {
        const value = Math.fround(wide);
        const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
        expect(f16Bits(value)).toBe(nearest(value) | sign);
      }),
      { numRuns: cases(1500, 5000) },
    );
  });

  it('overflows to infinity from 65520 and keeps NaN', () => {
    expect(f16Bits(65519.996)).toBe(0x7bff);
    expect(f16Bits(65520)).toBe(0x7c00);
    expect(f16Bits(-1e30)).toBe(0xfc00);
    expect(f16Value(f16Bits(Number.NaN))).toBeNaN();
  });

  it('rounds the smallest numbers', () => {
    expect(f16Bits(2 ** -24)).toBe(1);
    expect(f16Bits(2 ** -25)).toBe(0);
    expect(f16Bits(Math.fround(2 ** -25 * (1 + 2 ** -20)))).toBe(1);
    expect(f16Bits(-(2 ** -26))).toBe(0x8000);
  });
});
