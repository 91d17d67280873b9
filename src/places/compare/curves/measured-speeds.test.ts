import { describe, expect, it } from 'vitest';
import { formats } from '../../../formats/registry.ts';
import { defaultDocument } from '../../../state/index.ts';
import { CATALOG } from '../../../../test/fake-engine.ts';
import { modelReport } from '../../../../test/model-reports.ts';
import { comingDots, fastestAlong, measuredSpeeds, speedAt, speedsOf } from './measured-speeds.ts';
import { quantisedLines } from './references.ts';
import type { SizeQuestion } from './variants.ts';

const { params } = defaultDocument({ ...CATALOG, formats });
const QUESTION: SizeQuestion = { rows: 256, cols: 1024, valueType: 'f16', placement: 'independent' };
const dense = formats.find((f) => f.id === 'dense') ?? formats[0];

describe('measured speeds', () => {
  const reports = (
    [
      [0.1, 30],
      [0.5, 60],
      [0.9, 120],
    ] as const
  ).map(([density, us]) => {
    const report = modelReport(256, 1024, density, [60, us]);
    const rows = report.rows.map((row) => {
      const ratio = 60_000 / (row.medianNs ?? 1);
      return { ...row, vsDense: { reference: 'dense', ratio, p10: 0.9 * ratio, p90: 1.1 * ratio } };
    });
    return { ...report, rows, workload: { ...report.workload, density } };
  });
  const speeds = measuredSpeeds(reports, QUESTION, 'dense');
  const points = speedsOf(speeds, 'macko', { deltaBits: 4, valueType: 'f16' });
  it('come from reports of this shape, the newest first', () => {
    expect(points.map((p) => [p.density, Number(p.ratio.toFixed(3))])).toEqual([
      [0.1, 2],
      [0.5, 1],
      [0.9, 0.5],
    ]);
    expect(measuredSpeeds(reports, { ...QUESTION, cols: 1000 }, 'dense')).toEqual([]);
    const newer = reports.slice(0, 1).map((r) => ({
      ...r,
      rows: r.rows.map((row) => ({ ...row, vsDense: { reference: 'dense', ratio: 5, p10: 5, p90: 5 } })),
    }));
    expect(speedsOf(measuredSpeeds([...newer, ...reports], QUESTION, 'dense'), 'macko', {})[0].ratio).toBe(5);
  });
  it('know dense in 4 bits, which is compared with dense in the asked type', () => {
    const [report] = reports;
    const vsDense = { reference: 'dense', valueType: 'f16', ratio: 2.4, p10: 2.3, p90: 2.5 };
    const row = { ...report.rows[0], format: 'dense', params: { valueType: 'i4' }, vsDense };
    const found = measuredSpeeds([{ ...report, rows: [...report.rows, row] }], QUESTION, 'dense');
    expect(speedsOf(found, 'dense', { valueType: 'i4' }).map((s) => s.ratio)).toEqual([2.4]);
    const [i8, i4] = quantisedLines(dense, params.dense, QUESTION);
    const entries = [{ valueType: 'f16' }, i4.variant.params].map((set) => ({ format: 'dense', params: set }));
    expect(comingDots(entries, [0.1, 0.5], found, [i8, i4])).toEqual([
      { id: 'dense in i4', format: 'dense', densities: [0.5] },
    ]);
  });
  it('lie on a line between two densities, by their logarithms, and nowhere else', () => {
    expect(speedAt(points, 0.3)).toBeCloseTo(Math.SQRT2, 9);
    expect(speedAt(points, 0.05)).toBeNull();
    // A generated matrix has almost the density that was asked for.
    const [alone] = points;
    expect(speedAt([alone], alone.density * 1.0005)).toBe(alone.ratio);
    expect(speedAt([alone], alone.density * 0.9995)).toBe(alone.ratio);
    expect(speedAt([alone], alone.density * 1.01)).toBeNull();
    expect(speedAt([], 0.1)).toBeNull();
    expect(speedAt(points, 0.95)).toBeNull();
  });
  it('tell who is fastest, with the place at which dense is even', () => {
    const along = fastestAlong([{ name: 'MACKO', points }], 'dense');
    expect(along.map((s) => s.winner)).toEqual(['MACKO', 'dense']);
    expect(along[0].to).toBeCloseTo(0.5, 3);
    expect(fastestAlong([{ name: 'MACKO', points: points.slice(0, 1) }], 'dense')).toEqual([]);
  });
});
