import { describe, expect, it } from 'vitest';
import { LIFTING_BY_BYTES_F16, liftingOf, PUBLISHED_LIFTING } from './lifting.ts';
import { gemmReport, liftingReport } from '../../../test/reports.ts';
import { sweepOf } from '../../kit/report/sweep-series.ts';

describe('liftingOf(sweep)', () => {
  it('liftingOf is the time of lifting divided by the time of quantising alone, by tokens', () => {
    const reports = [liftingReport(1024, 1.3), liftingReport(1, 1.02), liftingReport(64, 1.1)];
    const sweep = sweepOf(reports, reports[0]);
    const points = (sweep && liftingOf(sweep)) ?? [];
    expect(points.map((p) => p.tokens)).toEqual([1, 64, 1024]);
    expect(points.map((p) => Number(p.overhead.toFixed(2)))).toEqual([1.02, 1.1, 1.3]);
    for (const p of points) {
      expect(p.byBytes).toBeCloseTo(1.1, 10);
      expect(p.p10).toBeLessThan(p.overhead);
      expect(p.p90).toBeGreaterThan(p.overhead);
    }
  });
  it('liftingOf is of no other operation', () => {
    const reports = [gemmReport(1, 1.1), gemmReport(64, 1.2)];
    const sweep = sweepOf(reports, reports[0]);
    expect(sweep && liftingOf(sweep)).toBeNull();
  });
});

it('published figures equal appendix D.2, table 1: 1.29 to 1.50, by bytes 1.17', () => {
  expect(PUBLISHED_LIFTING.map((p) => p.tokens)).toEqual([2048, 4096, 8192, 16_384]);
  const overheads = PUBLISHED_LIFTING.map((p) => Number(p.overhead.toFixed(2)));
  expect(overheads).toEqual([1.5, 1.43, 1.29, 1.29]);
  expect(LIFTING_BY_BYTES_F16).toBeCloseTo(1.17, 2);
});
