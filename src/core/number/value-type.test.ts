import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { i8Of, i8Scale } from './index.ts';

const LARGEST_F32 = (2 - 2 ** -23) * 2 ** 127;

describe('i8', () => {
  it('keeps finite values finite, up to the largest f32', () => {
    for (const largest of [LARGEST_F32, -LARGEST_F32, 3.4028233e38, 3.4e38]) {
      const row = Float32Array.of(largest, 1, 0, -3.4e38);
      const scale = i8Scale(row, row.length);
      const stored = Array.from(row, (value) => i8Of(value, scale));
      expect(stored).toEqual([largest > 0 ? 127 : -127, 0, 0, -127]);
      expect(Number.isFinite(Math.fround(127 * scale))).toBe(true);
      expect(Math.abs(127 * scale - Math.abs(largest))).toBeLessThanOrEqual(scale / 2);
    }
  });

  it('recovers every normal value to within half a step, and its rounding', () => {
    const value = fc.float({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 9 }), (values) => {
        const row = Float32Array.from(values, (v) => (Math.abs(v) < 2 ** -100 ? 0 : v));
        const scale = i8Scale(row, row.length);
        for (const v of row) {
          const back = Math.fround(i8Of(v, scale) * scale);
          expect(Number.isFinite(back)).toBe(true);
          expect(Math.abs(back - v)).toBeLessThanOrEqual(scale * (0.5 + 2 ** -15));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('i8 has the scale 1 for a row of zeros, and for one whose step would round to 0', () => {
    expect(i8Scale(Float32Array.of(0, 0), 2)).toBe(1);
    expect(i8Scale(Float32Array.of(2 ** -149), 1)).toBe(1);
  });
});
