import { expect, it } from 'vitest';
import { formats } from '../formats/registry.ts';
import type { Matrix } from '../core/matrix/index.ts';
import type { BenchReport } from '../core/report.ts';
import type { BenchRequest } from './bench/bench-types.ts';
import { ignore, testEngine } from '../../test/engine.ts';

const REQUEST: BenchRequest = {
  operation: 'gemm',
  sizes: { tokens: 2 },
  workload: { kind: 'generated', spec: { pattern: 'uniform', rows: 8, cols: 8, density: 0.5, seed: 1 } },
  entries: [{ format: 'csr', params: {}, kernels: 'auto' }],
  memory: 'warm',
  rounds: 1,
  seed: 1,
  where: 'gpu',
};

it('rejects a format that has no kernel of the operation, and names the formats that have one', async () => {
  const onlySpmv = formats.map((f) => ({ ...f, kernels: f.kernels.filter((k) => k.operation === 'spmv') }));
  const onlyDenseHasGemm = onlySpmv.map((f) =>
    f.id === 'dense' ? { ...f, kernels: [{ ...f.kernels[0], operation: 'gemm' }] } : f,
  );
  await expect(testEngine({ formats: onlyDenseHasGemm }).bench.run({}, REQUEST, ignore)).rejects.toThrow(
    "run: found 'csr', which has no kernel for 'gemm', expected one of dense",
  );
});

it('times the product on the CPU for formats without kernels', async () => {
  const request: BenchRequest = { ...REQUEST, operation: 'spmv', sizes: {}, where: 'cpu' };
  const withoutKernels = formats.map((f) => ({ ...f, kernels: [] }));
  const { rows } = await testEngine({ formats: withoutKernels }).bench.run({}, request, ignore);
  expect(rows.map((row) => row.format)).toEqual(['dense', 'csr']);
});

it("reports the width of column indices that 'auto' chose for each matrix", async () => {
  for (const [cols, indexBits] of [
    [65_536, 16],
    [65_537, 32],
  ]) {
    const spec = { pattern: 'uniform', rows: 2, cols, density: 0.01, seed: 1 };
    const request: BenchRequest = {
      ...REQUEST,
      operation: 'spmv',
      sizes: {},
      where: 'cpu',
      workload: { kind: 'generated', spec },
      entries: ['csr', 'ell'].map((format) => ({ format, params: { indexBits: 'auto' }, kernels: 'auto' })),
    };
    const { rows } = await testEngine().bench.run({}, request, ignore);
    expect(rows.slice(1).map(({ format, params }) => [format, params])).toEqual([
      ['csr', { valueType: 'f16', indexBits }],
      ['ell', { valueType: 'f16', indexBits }],
    ]);
  }
});

it('runs a generated matrix without rows', async () => {
  const spec = { pattern: 'uniform', rows: 0, cols: 8, density: 0.5, seed: 1 };
  const request: BenchRequest = { ...REQUEST, operation: 'spmv', sizes: {}, where: 'cpu' };
  const { rows } = await testEngine().bench.run({}, { ...request, workload: { kind: 'generated', spec } }, ignore);
  expect(rows.map(({ format, verified }) => [format, verified.ok])).toEqual([
    ['dense', true],
    ['csr', true],
  ]);
});

const CSR_PART = { operation: 'spmv', entries: [{ format: 'csr', params: {}, kernels: 'auto' }] } as const;

it('a sweep delivers the results before a failure', async () => {
  const request: BenchRequest = { ...REQUEST, sizes: {}, where: 'cpu' };
  const partWithoutFormat = { ...CSR_PART, entries: [] };
  const axis = { of: 'non-zeros', values: [2, 4], parts: [CSR_PART, partWithoutFormat] } as const;
  const delivered: BenchReport[] = [];
  const keep = (report: BenchReport, position: number): void => void (delivered[position] = report);
  await expect(testEngine().bench.sweep({}, request, axis, keep)).rejects.toThrow(
    'spmv, 2 non-zeros per row (2 of 4): run: found no format',
  );
  expect(delivered.map(({ rows }) => rows.at(-1)?.format)).toEqual(['csr']);
});

it('a sweep over non-zeros per row runs every part at every value', async () => {
  const request: BenchRequest = { ...REQUEST, sizes: {}, where: 'cpu' };
  const ellPart = { ...CSR_PART, entries: [{ format: 'ell', params: {}, kernels: 'auto' }] } as const;
  const axis = { of: 'non-zeros', values: [2, 4], parts: [CSR_PART, ellPart] } as const;
  const reports: BenchReport[] = [];
  const encoded: string[] = [];
  const recordingFormats = formats.map((format) => ({
    ...format,
    encodeSteps: (m: Matrix, params: object) => {
      encoded.push(format.id);
      return format.encodeSteps(m, params);
    },
  }));
  await testEngine({ formats: recordingFormats }).bench.sweep({}, request, axis, (report, position) => {
    reports[position] = report;
  });
  expect(reports.map(({ rows }) => rows.at(-1)?.format)).toEqual(['csr', 'ell', 'csr', 'ell']);
  // The dense matrix of each value is encoded once for both parts.
  expect(encoded.toSorted()).toEqual(['csr', 'csr', 'dense', 'dense', 'ell', 'ell']);
  expect(reports.map(({ workload }) => workload.source)).toEqual(
    [0.25, 0.25, 0.5, 0.5].map((density) => `uniform, density ${density}, seed 1`),
  );
});

it('a sweep over shapes runs the entries of each shape, and repeats rows if `distinctRows` generates fewer', async () => {
  const request: BenchRequest = { ...REQUEST, operation: 'spmv', sizes: {}, where: 'cpu' };
  const csr = { format: 'csr', params: {}, kernels: 'auto' } as const;
  const dense = { format: 'dense', params: {}, kernels: 'auto' } as const;
  const values = [
    { rows: 8, cols: 6, entries: [csr] },
    { rows: 50, cols: 4, entries: [dense], distinctRows: 16 },
  ];
  const reports: BenchReport[] = [];
  await testEngine().bench.sweep({}, request, { of: 'shape', values }, (report, position) => {
    reports[position] = report;
  });
  expect(reports.map(({ workload: { rows, cols } }) => [rows, cols])).toEqual([
    [8, 6],
    [50, 4],
  ]);
  expect(reports.map(({ rows }) => rows.map(({ format }) => format))).toEqual([['dense', 'csr'], ['dense']]);
  expect(reports.map(({ workload }) => workload.source)).toEqual([
    'uniform, density 0.5, seed 1',
    'uniform, density 0.5, seed 1, 16 rows repeated',
  ]);
  expect(reports.every(({ rows }) => rows.every(({ verified }) => verified.ok))).toBe(true);
});
