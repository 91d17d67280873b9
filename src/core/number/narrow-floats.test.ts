import { describe, expect, it } from 'vitest';
import { bf16Bits, bf16FromF32Bits, bf16Table, bf16Value, f8E4m3Value, f8E5m2Value, roundToBf16 } from './index.ts';

/** The value of a binary float by its definition: sign, exponent and fraction of the given widths. */
function byDefinition(bits: number, exponentBits: number, fractionBits: number): number {
  const bias = 2 ** (exponentBits - 1) - 1;
  const fraction = bits % 2 ** fractionBits;
  const exponent = Math.floor(bits / 2 ** fractionBits) % 2 ** exponentBits;
  const sign = bits >= 2 ** (exponentBits + fractionBits) ? -1 : 1;
  const scaled = fraction / 2 ** fractionBits;
  return exponent === 0 ? sign * scaled * 2 ** (1 - bias) : sign * (1 + scaled) * 2 ** (exponent - bias);
}

const bitPatterns = (n: number): readonly number[] => Array.from({ length: n }, (_, bits) => bits);

describe('bf16', () => {
  it('bf16 has the value of its definition for all 65536 bit patterns', () => {
    const wrong = bitPatterns(65536).filter((bits) => {
      const isSpecial = (bits & 0x7f80) === 0x7f80;
      const infinity = bits & 0x8000 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      const special = (bits & 0x7f) === 0 ? infinity : Number.NaN;
      return !Object.is(bf16Value(bits), isSpecial ? special : byDefinition(bits, 8, 7));
    });
    expect(wrong).toEqual([]);
  });

  it('bf16 has the same values in its table', () => {
    expect(bf16Table()).toHaveLength(65536);
    expect(bf16Table()[0x3f80]).toBe(1);
    expect(Object.is(bf16Table()[0x8000], -0)).toBe(true);
  });

  it('bf16 is its own nearest bf16, for all 65536 bit patterns', () => {
    const wrong = bitPatterns(65536).filter((bits) => {
      const value = bf16Value(bits);
      return !Object.is(roundToBf16(value), value) || (!Number.isNaN(value) && bf16Bits(value) !== bits);
    });
    expect(wrong).toEqual([]);
  });

  it('rounds to the nearest, halves to even, and keeps a NaN a NaN', () => {
    expect(roundToBf16(1 + 2 ** -8)).toBe(1);
    expect(roundToBf16(1 + 3 * 2 ** -8)).toBe(1 + 2 ** -6);
    expect(roundToBf16(1 + 2 ** -8 + 2 ** -20)).toBe(1 + 2 ** -7);
    expect(roundToBf16(-3.4e38)).toBe(Number.NEGATIVE_INFINITY);
    expect(roundToBf16(3.38e38)).toBeLessThan(3.4e38);
    expect(Object.is(roundToBf16(-(2 ** -134)), -0)).toBe(true);
    expect(roundToBf16(2 ** -133)).toBe(2 ** -133);
    for (const bits of [0x7f800001, 0xff800001, 0x7fffffff]) expect(bf16Value(bf16FromF32Bits(bits))).toBeNaN();
  });
});

it('f8 E4M3 has the value of its definition for all 256 bit patterns: no infinity, one NaN of each sign', () => {
  const wrong = bitPatterns(256).filter((bits) => {
    const isNaN = (bits & 0x7f) === 0x7f;
    return !Object.is(f8E4m3Value(bits), isNaN ? Number.NaN : byDefinition(bits, 4, 3));
  });
  expect(wrong).toEqual([]);
  expect(f8E4m3Value(0x7e)).toBe(448);
});

it('f8 E5M2 has the value of its definition for all 256 bit patterns, with infinities and NaN', () => {
  const wrong = bitPatterns(256).filter((bits) => {
    const isSpecial = (bits & 0x7c) === 0x7c;
    const infinity = bits & 0x80 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    const special = (bits & 3) === 0 ? infinity : Number.NaN;
    return !Object.is(f8E5m2Value(bits), isSpecial ? special : byDefinition(bits, 5, 2));
  });
  expect(wrong).toEqual([]);
  expect(f8E5m2Value(0x7b)).toBe(57344);
});
