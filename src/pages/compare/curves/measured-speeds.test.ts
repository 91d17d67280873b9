import { describe, expect, it } from 'vitest';
import { formats } from '../../../formats/registry.ts';
import type { FormatParams } from '../../../state/index.ts';
import { modelReport } from '../../../../test/model-reports.ts';
import type { TimedMatrix, FormatQuery } from '../../../kit/report/matrix-times.ts';
import { fastestAlong } from './fastest-along.ts';
import { extendedTo, measuredSpeeds, speedAt } from './measured-speeds.ts';

describe('measured speeds', () => {
  const reports = [0.1, 0.5, 0.9].map((density, i) => {
    const us = [30, 60, 120][i];
    const report = modelReport(256, 1024, density, [60, us]);
    return { ...report, workload: { ...report.workload, density } };
  });
  const query = (id: string, chosen: FormatParams): FormatQuery => ({
    format: id,
    params: chosen,
    spec: formats.find((format) => format.id === id)?.params ?? {},
  });
  const DENSE = query('dense', { valueType: 'f16' });
  const MACKO = query('macko', { deltaBits: 4, valueType: 'f16' });
  const [rows, cols] = [256, 1024];
  const matrix: TimedMatrix = {
    rows,
    cols,
    nnz: 1,
    density: 0.3,
    tokens: 1,
    names: [],
    isEstimated: true,
    isEven: false,
  };
  const points = measuredSpeeds(reports, matrix, MACKO, DENSE);
  it('come from reports of this shape, the newest first', () => {
    expect(points.map((p) => [Number(p.density.toFixed(3)), Number(p.ratio.toFixed(3))])).toEqual([
      [0.1, 2],
      [0.5, 1],
      [0.9, 0.5],
    ]);
    expect(measuredSpeeds(reports, { ...matrix, cols: 1000 }, MACKO, DENSE)).toEqual([]);
    const newer = modelReport(256, 1024, 0.1, [60, 12]);
    expect(measuredSpeeds([newer, ...reports], matrix, MACKO, DENSE)[0].ratio).toBe(5);
  });
  it('include dense in 4 bits, which is compared with dense in the requested type', () => {
    const [report] = reports;
    const row = {
      ...report.rows[0],
      params: { valueType: 'i4' },
      medianNs: 25_000,
      samplesNs: [25_000],
      vsDense: null,
    };
    const all = [{ ...report, rows: [...report.rows, row] }];
    const i4 = measuredSpeeds(all, matrix, query('dense', { valueType: 'i4' }), DENSE);
    expect(i4.map((s) => s.ratio)).toEqual([2.4]);
  });
  it('lie on a line between two densities, by their logarithms, and nowhere else', () => {
    expect(speedAt(points, 0.3)).toBeCloseTo(Math.SQRT2, 9);
    expect(speedAt(points, 0.05)).toBeNull();
    // A generated matrix has almost the requested density.
    const [single] = points;
    expect(speedAt([single], single.density * 1.0005)).toBe(single.ratio);
    expect(speedAt([single], single.density * 0.9995)).toBe(single.ratio);
    expect([speedAt([single], single.density * 1.01), speedAt([], 0.1)]).toEqual([null, null]);
    expect(speedAt(points, 0.95)).toBeNull();
  });
  it('of dense in fewer bits are the same at every measured density', () => {
    const [, middle] = points;
    const flat = extendedTo([{ ...middle, ratio: 1.4 }], [0.1, 0.9]);
    expect([0.1, 0.37, 0.5, 0.9].map((density) => speedAt(flat, density))).toEqual([1.4, 1.4, 1.4, 1.4]);
    expect(extendedTo([], [0.1, 0.9])).toEqual([]);
    const lines = [
      { title: 'MACKO', points },
      { title: 'dense i4', points: flat },
    ];
    const along = fastestAlong(lines, 'dense');
    expect(along.map((s) => s.winner)).toEqual(['MACKO', 'dense i4']);
    // 2 at 0.1 and 1 at 0.5: 1.4 at 0.4 x log2(2 / 1.4) further on.
    expect(along[1].from).toBeCloseTo(0.1 + 0.4 * Math.log2(2 / 1.4), 3);
    expect(along[1].to).toBe(0.9);
  });
});
