import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { median } from '../core/number/statistics.ts';
import type { BenchReport } from '../core/report.ts';
import { published } from '../formats/macko/published.ts';
import { modelReport } from '../../test/model-reports.ts';
import { mackoSeries, slideSparseSeries, MACKO_SHAPES, RAW_RESULTS } from './RawResults.tsx';
import slideSparse from './slidesparse/tables.json';

it('MACKO’s raw results have the shapes of the sweep, and the medians that the paper prints', () => {
  const swept = JSON.parse(readFileSync('src/pages/measure/form/published-shapes.json', 'utf8')) as unknown;
  expect(MACKO_SHAPES.map(({ rows, cols }) => [rows, cols])).toEqual(swept);
  const { cards, densities } = RAW_RESULTS.macko;
  for (const [c, card] of cards.entries()) {
    for (const [d, density] of densities.entries()) {
      // The authors' medians for this card omit the two shapes that did not fit into its memory in dense.
      const shapes = MACKO_SHAPES.filter(({ rows, cols }) => c > 0 || rows * cols < 12_288 * 49_152);
      const speeds = shapes.flatMap((shape) => shape.speeds[c][d] ?? []);
      const figures = published.find(({ device, title }) => device === card && title === 'MACKO');
      const value = figures?.points.find((point) => point.density === density)?.value ?? Number.NaN;
      expect(Math.abs(median(speeds) - value), `${card} ${density}`).toBeLessThan(0.0101);
    }
  }
});

it('MACKO’s raw results are the ratios of the times that the benchmark printed: 59 µs dense and 37 µs at half of 4096 × 4096 on an RTX 4090', () => {
  expect(MACKO_SHAPES[0]).toEqual({
    rows: 4096,
    cols: 4096,
    speeds: [expect.anything(), expect.anything(), expect.anything()],
  });
  expect(MACKO_SHAPES[0].speeds[2]).toEqual([1.59, 2.36, 4]);
});

it('our own speeds of these shapes equal those of the reports in the named file', () => {
  const { file, speeds } = RAW_RESULTS.macko.own;
  const reports = JSON.parse(readFileSync(file, 'utf8')) as readonly BenchReport[];
  const best = ({ rows }: BenchReport): number =>
    Math.max(...rows.map((row) => (row.format === 'macko' && row.verified.ok ? (row.vsDense?.ratio ?? 0) : 0))); // bounded: the kernels of a report
  for (const [i, { rows, cols }] of MACKO_SHAPES.entries()) {
    for (const [d, density] of RAW_RESULTS.macko.densities.entries()) {
      const found = reports.filter(
        ({ workload: w }) => w.rows === rows && w.cols === cols && Math.abs(w.density - density) < 0.01,
      );
      expect(found).toHaveLength(speeds[i][d] === null ? 0 : 1);
      for (const report of found) expect(speeds[i][d]).toBe(Number(best(report).toFixed(2)));
    }
  }
});

it('SlideSparse’s raw results have the figures of its section 5.2 for 2,048 tokens on an A100', () => {
  const { A100 } = RAW_RESULTS.slideSparse.gpus;
  const output = slideSparse.tables.kernels.rows.find(({ name }) => name.startsWith('A100, INT8, 6:8, Qwen2.5-7B'));
  expect(A100['6:8'][A100.tokens.indexOf(2048)]).toBe(output?.min);
  expect(A100['2:4'][A100.tokens.indexOf(2048)]).toBe(2.08);
  for (const { tokens, ...speeds } of Object.values(RAW_RESULTS.slideSparse.gpus)) {
    for (const speedsOfCard of Object.values(speeds)) expect(speedsOfCard).toHaveLength(tokens.length);
  }
});

it('all raw results have a source, a commit, and a licence that allows copies', () => {
  for (const { source, commit, licence } of Object.values(RAW_RESULTS)) {
    expect(source).toMatch(/^https:\/\/github\.com\//);
    expect(commit).toMatch(/^[0-9a-f]{7}$/);
    expect(['MIT', 'Apache-2.0']).toContain(licence);
  }
});

it('charts draw raw results next to the times of a device, if it has any', () => {
  expect(mackoSeries(0.5, [], 'NVIDIA H200').map(({ id }) => id)).toEqual([
    ...RAW_RESULTS.macko.cards,
    'NVIDIA H200, 2026-11-21',
  ]);
  const report = modelReport(4096, 4096, 0.5, [10.92, 10.59]);
  const dense = report.rows.find(({ format }) => format === 'dense');
  const vsDense = { reference: dense?.kernel ?? '', ratio: 1.03, p10: 1, p90: 1.1 };
  const timed = report.rows.map((row) => ({ ...row, vsDense }));
  expect(mackoSeries(0.5, [{ ...report, rows: timed }], 'NVIDIA H200').at(-1)).toMatchObject({
    title: 'NVIDIA H200',
    points: [{ x: 4096 * 4096, y: 10.9 / 10.6 }],
  });
  // No shape was published at 30 % density; at 50 % 29 were, one of which was also timed on the device.
  expect(mackoSeries(0.3, [{ ...report, rows: timed }], 'NVIDIA H200')).toHaveLength(3);
  const pointCount = (device: string) =>
    mackoSeries(0.5, [{ ...report, rows: timed }], device).find(({ id }) => id === 'NVIDIA H200, 2026-11-21')?.points
      .length;
  expect([pointCount('NVIDIA H200'), pointCount('NVIDIA H100')]).toEqual([28, 29]);
  expect(slideSparseSeries('6:8', [], 'NVIDIA H200').map(({ id }) => id)).toEqual(
    Object.keys(RAW_RESULTS.slideSparse.gpus),
  );
});
