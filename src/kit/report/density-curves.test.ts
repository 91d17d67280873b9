import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatById, formats } from '../../formats/registry.ts';
import { breakEvenDensity, compareOptions, sampleCurve, sizeCurve } from './density-curves.ts';

const SHAPE = { rows: 4096, cols: 4096 };
const macko = formatById('macko');
const curveOf = (deltaBits: number) => {
  const curve = sizeCurve(macko, { deltaBits, valueType: 'f16' }, SHAPE);
  if (!curve) throw new Error('MACKO has a closed form');
  return curve;
};

describe('breakEvenDensity(curve)', () => {
  it('is 0.80 for 4-bit deltas of f16 values, and moves with the width as the closed form says', () => {
    expect(breakEvenDensity(curveOf(4))).toBeCloseTo(0.8, 2);
    expect(breakEvenDensity(curveOf(2))).toBeCloseTo(0.889, 2);
    expect(breakEvenDensity(curveOf(8))).toBeCloseTo(0.667, 2);
  });
  it('finds where any rising line reaches 1', () => {
    fc.assert(
      fc.property(fc.double({ min: 1.01, max: 100, noNaN: true }), (slope) => {
        const line = (d: number) => ({ best: d * slope, expected: d * slope, worst: d * slope });
        expect(breakEvenDensity(line)).toBeCloseTo(1 / slope, 3);
      }),
    );
  });
  it('is null for a curve that stays below or starts above', () => {
    expect(breakEvenDensity((d) => ({ best: d, expected: d / 2, worst: d }))).toBeNull();
    expect(breakEvenDensity(() => ({ best: 2, expected: 2, worst: 2 }))).toBeNull();
  });
});

describe('compareOptions(format, params, shape, density)', () => {
  const best = (density: number): unknown =>
    compareOptions(macko, { deltaBits: 4, valueType: 'f16' }, SHAPE, density)
      .find((c) => c.name === 'deltaBits')
      ?.options.find((o) => o.best)?.value;

  it('finds the best delta width of MACKO at every density', () => {
    expect([0.05, 0.3, 0.5, 0.9].map(best)).toEqual([8, 4, 2, 1]);
  });
  it('marks the option that is set and leaves the value type out', () => {
    const comparisons = compareOptions(macko, { deltaBits: 2, valueType: 'f16' }, SHAPE, 0.3);
    expect(comparisons.map((c) => c.name)).toEqual(['deltaBits']);
    expect(comparisons[0]?.options.filter((o) => o.current).map((o) => o.value)).toEqual([2]);
  });
  it('has nothing to compare where the options do not change the size', () => {
    for (const format of formats.filter((f) => !f.expectedEffectiveDensity)) {
      expect(compareOptions(format, {}, SHAPE, 0.3)).toEqual([]);
    }
  });
});

describe('sampleCurve(of)', () => {
  it('begins next to 0, ends at 1 and rises in density', () => {
    const points = sampleCurve((d) => d, 10);
    expect(points[0]?.density).toBeCloseTo(0, 5);
    expect(points[10]?.density).toBe(1);
    for (let i = 1; i < points.length; i++) expect(points[i].density).toBeGreaterThan(points[i - 1].density);
  });
});
