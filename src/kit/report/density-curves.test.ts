import { describe, expect, it } from 'vitest';
import { sampleCurve } from './density-curves.ts';

describe('sampleCurve(of)', () => {
  it('begins next to 0, ends at 1 and rises in density', () => {
    const points = sampleCurve((d) => d, 10);
    expect(points[0]?.density).toBeCloseTo(0, 5);
    expect(points[10]?.density).toBe(1);
    for (let i = 1; i < points.length; i++) expect(points[i].density).toBeGreaterThan(points[i - 1].density);
  });
});
