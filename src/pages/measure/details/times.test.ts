import { describe, expect, it } from 'vitest';
import type { BenchReport, BenchRow } from '../../../core/report.ts';
import { formats } from '../../../formats/registry.ts';
import { recordedDevices } from '../../../../test/recorded-questions.ts';
import { REPORT } from '../../../../test/reports.ts';
import { crossoverOf, crossoverText } from '../../../kit/report/crossover-text.ts';
import {
  type TimedMatrix,
  timedMatrixOf,
  type FormatQuery,
  rejectionIn,
  timedPair,
  speedBetween,
  speedsOnShape,
} from '../../../kit/report/matrix-times.ts';
import { timesByTokens } from './MoreTokens.tsx';

const MATRIX: TimedMatrix = {
  rows: 4096,
  cols: 14_336,
  nnz: 29_360_128,
  density: 0.5,
  tokens: 1,
  names: ['Llama-3.1-8B, layer 12, down_proj'],
  isEstimated: false,
  isEven: false,
};

const query = (format: string, params: Record<string, string | number>): FormatQuery => ({
  format,
  params,
  spec: formats.find(({ id }) => id === format)?.params ?? {},
});
const MACKO = query('macko', { deltaBits: 4, valueType: 'f16' });
const DENSE = query('dense', { valueType: 'f16' });

const row = (format: string, medianNs: number | null, more: Partial<BenchRow> = {}): BenchRow => ({
  ...REPORT.rows[0],
  kernel: `${format}/spmv`,
  format,
  params: format === 'macko' ? { deltaBits: 4, valueType: 'f16' } : { valueType: 'f16' },
  medianNs,
  samplesNs: [],
  vsDense: null,
  ...more,
});

const report = (rows: readonly BenchRow[], workload: Partial<BenchReport['workload']> = {}): BenchReport => ({
  ...REPORT,
  rows,
  refused: [],
  workload: {
    ...REPORT.workload,
    operation: 'spmv',
    rows: 4096,
    cols: 14_336,
    nnz: 29_364_671,
    density: 0.50007,
    source: 'uniform, density 0.5, seed 1',
    memory: 'cold',
    ...workload,
  },
});

describe('timedPair(reports, matrix, a, b)', () => {
  it('the pair comes from one report with both, though a newer one has A alone', () => {
    const both = report([row('macko', 24_000), row('dense', 30_000)]);
    const pair = timedPair([report([row('macko', 20_000)]), both], MATRIX, MACKO, DENSE);
    expect([pair.a?.row.medianNs, pair.b?.row.medianNs]).toEqual([24_000, 30_000]);
    expect(pair.a?.report).toBe(pair.b?.report);
  });

  it('the times are found in two reports if no report has both', () => {
    const pair = timedPair([report([row('dense', 30_000)]), report([row('macko', 20_000)])], MATRIX, MACKO, DENSE);
    expect([pair.a?.row.medianNs, pair.b?.row.medianNs]).toEqual([20_000, 30_000]);
  });

  it('times are found for random weights, whose non-zeros are estimated for the query and counted in the run', () => {
    const ownReport = report([row('macko', 26_000)], {
      nnz: 29_361_007,
      density: 0.500015,
      source: 'Llama-3.1-8B, layer 12, down_proj, stand-in weights, 50 % by magnitude',
    });
    expect(timedPair([ownReport], MATRIX, MACKO, null).a?.row.medianNs).toBe(26_000);
    const other = report([row('macko', 26_000)], { nnz: 29_361_007, density: 0.500015, source: 'my weights' });
    expect(timedPair([other], MATRIX, MACKO, null).a).toBeNull();
  });

  it('prefers times of the same matrix to times of one with the same shape and density', () => {
    const ownReport = report([row('macko', 26_000)], { nnz: MATRIX.nnz, density: 0.5, source: 'Llama-3.1-8B' });
    expect(timedPair([report([row('macko', 20_000)]), ownReport], MATRIX, MACKO, null).a?.row.medianNs).toBe(26_000);
  });

  it.each([
    ['another shape', { cols: 4096 }],
    ['another density', { density: 0.3 }],
    ['another pattern', { source: 'banded, density 0.5, seed 1' }],
    ['several tokens', { operation: 'gemm', sizes: { tokens: 8 } }],
    ['weights in a cache', { memory: 'warm' }],
  ] as const)('finds nothing in a run of %s', (_, workload) => {
    expect(timedPair([report([row('macko', 1)], workload)], MATRIX, MACKO, null).a).toBeNull();
  });

  it('leaves out drafts, wrong kernels, other parameters, and times below the clock’s step', () => {
    const { verified } = REPORT.rows[0];
    const rows = [
      row('macko', 1, { draft: { of: 'macko/spmv', name: 'mine', version: 1 } }),
      row('macko', 2, { verified: { ...verified, ok: false } }),
      row('macko', 3, { params: { deltaBits: 8, valueType: 'f16' } }),
      row('macko', 0),
      row('macko', 7),
      row('macko', 5),
    ];
    expect(timedPair([report(rows)], MATRIX, MACKO, null).a?.row.medianNs).toBe(5);
  });
});

describe('speedBetween(a, b)', () => {
  it('speedBetween is the ratio of the printed times, with the spread of the common rounds', () => {
    const oneRun = report([
      row('macko', 16_951, { samplesNs: [10, 20, 40], rounds: [0, 1, 2] }),
      row('dense', 33_449, { samplesNs: [20, 30, 40, 99], rounds: [0, 1, 2, 3] }),
    ]);
    const { a, b } = timedPair([oneRun], MATRIX, MACKO, DENSE);
    expect(a && b && speedBetween(a, b)).toMatchObject({ ratio: 33.4 / 17, rounds: { ratio: 1.5 } });
  });

  it('speedBetween has the recording’s spread of A against this B', () => {
    const vsDense = { reference: 'dense/spmv', ratio: 1.26, p10: 1.25, p90: 1.27 };
    const oneRun = report([row('macko', 23_900, { vsDense }), row('dense', 30_100)]);
    const { a, b } = timedPair([oneRun], MATRIX, MACKO, DENSE);
    expect(a && b && speedBetween(a, b)).toEqual({ ratio: 30_100 / 23_900, rounds: vsDense });
  });

  it('speedBetween has no spread if the report compared A with something else, or the times are from two reports', () => {
    const vsDense = { reference: 'dense/other', ratio: 9, p10: 9, p90: 9 };
    const oneRun = report([row('macko', 20, { vsDense }), row('dense', 30)]);
    const sameRun = timedPair([oneRun], MATRIX, MACKO, DENSE);
    expect(sameRun.a && sameRun.b && speedBetween(sameRun.a, sameRun.b)).toEqual({ ratio: 1.5, rounds: null });
    const twoRuns = timedPair([report([row('macko', 10)]), report([row('dense', 30)])], MATRIX, MACKO, DENSE);
    expect(twoRuns.a && twoRuns.b && speedBetween(twoRuns.a, twoRuns.b)).toEqual({ ratio: 3, rounds: null });
  });
});

it('speeds on a shape are listed once for every density timed in both, from the newest report', () => {
  const reportAt = (density: number, ns: number, more = {}): BenchReport =>
    report([row('macko', ns), row('dense', 100)], { density, nnz: Math.round(density * 1e6), ...more });
  const reports = [
    reportAt(0.5, 80),
    reportAt(0.1, 25),
    reportAt(0.5, 1),
    reportAt(0.3, 50, { rows: 8 }),
    report([row('macko', 9)], { density: 0.2 }),
  ];
  const points = speedsOnShape(reports, MATRIX, MACKO, DENSE);
  expect(points.flatMap(({ density, ratio }) => [density, ratio])).toEqual([0.1, 4, 0.5, 1.25]);
});

describe('the density at which the ranking changes', () => {
  const points = (...of: readonly (readonly [density: number, ratio: number])[]) =>
    of.map(([density, ratio]) => ({ density, ratio }));
  const texts = (...of: readonly (readonly [number, number])[]): string => crossoverText(crossoverOf(points(...of)));

  it('the density at which the ranking changes is found between two measurements, by the logarithm of their ratio', () => {
    const found = crossoverOf(points([0.1, 3.74], [0.3, 2.05], [0.5, 1.31], [0.7, 0.91]));
    expect(found?.densities).toHaveLength(1);
    expect(found?.densities[0]).toBeCloseTo(0.5 + (0.2 * Math.log(1.31)) / Math.log(1.31 / 0.91), 9);
    expect(crossoverOf(points([0.1, 0.5], [0.3, 2], [0.5, 0.5]))?.densities.map((index) => index.toFixed(3))).toEqual([
      '0.200',
      '0.400',
    ]);
  });

  it('the density at which the ranking changes is written as a range', () => {
    expect([texts(), texts([0.1, 4], [0.4, 2], [0.6, 0.5])]).toEqual(['–', 'below 50\u202f%']);
    expect(texts([0.1, 0.5], [0.3, 2])).toBe('above 20\u202f%');
    expect(texts([0.1, 0.5], [0.3, 2], [0.5, 0.5])).toBe('from 20\u202f% to 40\u202f%');
    expect(texts([0.1, 2], [0.3, 0.5], [0.5, 2])).toBe('below 20\u202f% and above 40\u202f%');
    expect(texts([0.1, 4], [0.5, 2])).toBe('ahead from 10\u202f% to 50\u202f%');
    expect(texts([0.1, 4])).toBe('ahead at 10\u202f%');
    expect(texts([0.1, 0.4], [0.5, 0.2])).toBe('behind from 10\u202f% to 50\u202f%');
  });

  it('the density at which the ranking changes is not interpolated across a gap of measurements', () => {
    expect(crossoverOf(points([0.1, 4], [0.3, 2], [0.9, 0.5]))).toMatchObject({ densities: [], between: [0.3, 0.9] });
    expect(texts([0.1, 4], [0.3, 2], [0.9, 0.5])).toBe('somewhere from 30\u202f% to 90\u202f%');
  });
});

it('times by tokens include every measured number, and the requested numbers', () => {
  const gemm = (tokens: number): BenchReport =>
    report([row('macko', tokens * 10), row('dense', tokens * 5)], { operation: 'gemm', sizes: { tokens } });
  const points = timesByTokens([gemm(32), gemm(300), report([row('macko', 7)])], MATRIX, MACKO, DENSE, [1, 2, 32]);
  expect(points.map(({ tokens, a, b }) => [tokens, a?.row.medianNs ?? null, b?.row.medianNs ?? null])).toEqual([
    [1, 7, null],
    [2, null, null],
    [32, 320, 160],
    [300, 3000, 1500],
  ]);
});

it('rejectionIn returns the reason why a format has no time: it was rejected, or its result was wrong', () => {
  const { verified } = REPORT.rows[0];
  const refused = { ...report([]), refused: [{ kernel: '', format: 'macko', reason: 'the row is too long' }] };
  expect(rejectionIn([refused], MATRIX, MACKO)).toBe('the row is too long');
  const wrong = report([row('macko', null, { verified: { ...verified, ok: false } })]);
  expect(rejectionIn([wrong], MATRIX, MACKO)).toBe('macko/spmv computed wrong results on this GPU; it is not timed');
  expect(rejectionIn([wrong], MATRIX, DENSE)).toBeNull();
});

describe('a format made for activations', () => {
  const twell = formats.find(({ id }) => id === 'twell');
  const spec = { pattern: 'activations', rows: 2048, cols: 5632, density: 0.005, seed: 1 } as const;
  const summary = {
    name: 'activations',
    source: { kind: 'generated', spec },
    rows: 2048,
    cols: 5632,
    nnz: 57_672,
    density: 0.005,
  } as const;

  it('a format made for activations is looked up for the whole block, which was recorded at this size', () => {
    const block = timedMatrixOf(summary, 1, twell);
    const found = recordedDevices.flatMap(({ id, reports }) => {
      const { a, b } = timedPair(reports, block, query('twell', {}), DENSE);
      return a && b ? [`${id}, ${a.report.workload.operation}: ${speedBetween(a, b).ratio.toFixed(2)}`] : [];
    });
    expect(found).toEqual(['h100@2026-11-26, forward: 2.84', 'h200@2026-11-26, forward: 2.84']);
    expect(speedsOnShape(recordedDevices[0].reports, block, query('twell', {}), DENSE)).toHaveLength(2);
  });

  it('a format made for activations is looked up for a product with more tokens, like every other format', () => {
    expect(timedMatrixOf(summary, 8, twell).isBlock).toBeUndefined();
    expect(timedMatrixOf(summary, 1, formats[0]).isBlock).toBeUndefined();
    expect(timedMatrixOf(summary, 1).isBlock).toBeUndefined();
  });
});
