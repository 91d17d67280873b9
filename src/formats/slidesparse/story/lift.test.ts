import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../core/errors.ts';
import { quantise, TINY } from '../../../core/number/quantise.ts';
import { lift } from './lift.ts';
import { usedWindows, windowStart } from '../layout.ts';
import { HALF_GROUPS } from '../params.ts';

describe('quantising a row of activations', () => {
  it('rounds half to even under one scale', () => {
    const q = quantise(Float32Array.of(127, 0.5, 1.5, -2.5, -127, 0));
    expect(q.scale).toBe(1);
    expect(Array.from(q.values)).toEqual([127, 0, 2, -2, -127, 0]);
  });

  it.each([2 ** -9, 2 ** -12, 1e-6, 1e-30, 1, 65505, 1e30])(
    'gives a row of absmax %s back within half a step: scale and inverse belong together',
    (absmax) => {
      const x = Float32Array.of(absmax, -absmax, absmax / 3, 0);
      const q = quantise(x);
      expect(q.values[0]).toBe(127);
      x.forEach((value, i) => expect(Math.abs(q.values[i] * q.scale - value)).toBeLessThanOrEqual(0.5001 * q.scale));
    },
  );

  it('gives zeros for a row of zeros, for one below every scale, and for none', () => {
    expect(Array.from(quantise(new Float32Array(3)).values)).toEqual([0, 0, 0]);
    expect(Array.from(quantise(Float32Array.of(TINY / 1000, 0)).values)).toEqual([0, 0]);
    expect(quantise(new Float32Array(0)).values).toHaveLength(0);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('refuses %s, with its column', (value) => {
    expect(() => quantise(Float32Array.of(1, 2, value, Number.NaN))).toThrow(
      new FormatError(`activations: found ${value} at column 2, expected finite values for i8`),
    );
  });

  it('gives 127 for equal magnitudes', () => {
    expect(Array.from(quantise(Float32Array.of(-3, 3, 3)).values)).toEqual([-127, 127, 127]);
  });
});

describe('lifting', () => {
  it('repeats a 6:8 group as 0 1 2 3, 2 3 4 5, 4 5 6 7, four bytes to a word', () => {
    const words = lift(Int8Array.of(0, 1, 2, 3, 4, 5, 6, -1), 4, 3);
    expect(Array.from(words, (w) => w.toString(16))).toEqual(['3020100', '5040302', 'ff060504']);
  });

  it('puts the columns of window w into word w, and 0 past the row', () => {
    fc.assert(
      fc.property(fc.int8Array({ maxLength: 70 }), fc.constantFrom(...HALF_GROUPS), (values, halfGroup) => {
        const p = { halfGroup, valueType: 'i8' } as const;
        const words = lift(values, halfGroup, usedWindows(values.length, p));
        const bytes = new Int8Array(words.buffer);
        for (let w = 0; w < words.length; w++) {
          for (let i = 0; i < 4; i++) expect(bytes[4 * w + i]).toBe(values[windowStart(p, w) + i] ?? 0);
        }
      }),
    );
  });
});
