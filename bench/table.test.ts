import { expect, test } from 'vitest';
import type { BenchReport, BenchRow } from '../src/core/report.ts';
import { reportTable } from './table.ts';

const row: BenchRow = {
  kernel: 'dense/spmv_subgroup',
  format: 'dense',
  title: '',
  where: 'gpu',
  params: { valueType: 'f16' },
  bytes: 300_000,
  verified: { ok: true, outputs: 4, worstShare: 0.25, failures: [], failureCount: 0, checkedAfterTiming: true },
  samplesNs: [99_000, 100_000, 101_000],
  medianNs: 100_000,
  p10Ns: 99_200,
  p90Ns: 100_800,
  GBps: 3120,
  vsDense: { reference: 'dense/spmv_subgroup', ratio: 1, p10: 1, p90: 1 },
  cached: false,
  runsPerSample: 150,
  copies: 2,
  encodeMs: 1,
  uploadMs: 1,
  compileMs: 1,
  firstDispatchMs: 1,
};

const wrong: BenchRow = {
  ...row,
  kernel: 'macko/spmv_x',
  format: 'macko',
  params: { deltaBits: 4, valueType: 'f16' },
  samplesNs: [],
  medianNs: null,
  p10Ns: null,
  p90Ns: null,
  GBps: null,
  vsDense: null,
  verified: {
    ...row.verified,
    ok: false,
    worstShare: 3,
    failures: [{ row: 2, found: 'unwritten', expected: 1, bound: 0.5 }],
    failureCount: 1,
  },
};

const report: BenchReport = {
  schema: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  app: 'test',
  environment: {
    adapter: { vendor: 'maker', architecture: '', device: '', description: 'a GPU' },
    isFallback: false,
    runtime: 'a runtime',
    features: [],
    limits: {},
    subgroupSize: { min: 32, max: 32 },
  },
  clock: { source: 'timestamp-query', quantumNs: 32 },
  readBandwidthGBps: 4160.4,
  nullDispatchNs: 1500,
  workload: {
    operation: 'spmv',
    rows: 4,
    cols: 8,
    nnz: 16,
    density: 0.5,
    source: 'uniform, density 0.5, seed 1',
    seed: 1,
    memory: 'cold',
    rounds: 3,
  },
  rows: [row, wrong],
  refused: [
    { kernel: 'csr/spmv_y', format: 'csr', params: { valueType: 'f32' }, reason: 'does not fit' },
    { kernel: 'csr/spmv_z', format: 'csr', reason: 'csr/z.wgsl:3: no', failed: true },
  ],
  notes: ['a note'],
};

test('reportTable shows the environment, aligned rows, failures, refusals and notes', () => {
  expect(reportTable(report).split('\n')).toEqual([
    'spmv y = A x; 4 × 8, uniform, density 0.5, seed 1, 16 non-zeros, cold, 3 rounds',
    'a GPU; a runtime; timestamp-query, step 32 ns; read bandwidth 4160 GB/s; empty dispatch 1.50 µs',
    'kernel               params  verified      us    p10     p90  GB/s  of read  vs dense    p10    p90  runs  copies',
    'dense/spmv_subgroup  f16     ok 0.25   100.00  99.20  100.80  3120     75 %     1.000  1.000  1.000   150       2',
    'macko/spmv_x         4 f16   WRONG',
    'WRONG macko/spmv_x: 1 of 4 outputs are wrong; the first is output 2: found unwritten, expected 1 within 0.5',
    'not run csr/spmv_y f32: does not fit',
    'FAILED csr/spmv_z: csr/z.wgsl:3: no',
    'note: a note',
  ]);
});

test('reportTable ends every line of times of a software adapter with the word software', () => {
  const software = { ...report, environment: { ...report.environment, isFallback: true } };
  const lines = reportTable(software).split('\n');
  expect(lines[3]).toMatch(/^dense\/spmv_subgroup .* 100\.00 .* 2  software$/);
  expect(lines[4]).toBe('macko/spmv_x         4 f16   WRONG');
});

test('reportTable shows sizes, multiply-adds and how many outputs were compared, if applicable', () => {
  const gemm: BenchRow = {
    ...row,
    kernel: 'dense/gemm',
    multiplyAdds: 3_000_000,
    verified: { ...row.verified, outputs: 1024, compared: 256 },
  };
  const lines = reportTable({
    ...report,
    peakGFMAps: 40,
    workload: { ...report.workload, operation: 'gemm', sizes: { tokens: 256 } },
    rows: [gemm, row],
    refused: [],
    notes: [],
  }).split('\n');
  expect(lines).toEqual([
    'gemm Y = X Aᵀ, tokens 256; 4 × 8, uniform, density 0.5, seed 1, 16 non-zeros, cold, 3 rounds',
    'a GPU; a runtime; timestamp-query, step 32 ns; read bandwidth 4160 GB/s; peak 40.0 GFMA/s; empty dispatch 1.50 µs',
    'kernel               params  verified            us    p10     p90  GB/s  of read  GFMA/s  of peak  vs dense    p10    p90  runs  copies',
    'dense/gemm           f16     ok 0.25 of 256  100.00  99.20  100.80  3120     75 %    30.0     75 %     1.000  1.000  1.000   150       2',
    'dense/spmv_subgroup  f16     ok 0.25         100.00  99.20  100.80  3120     75 %                      1.000  1.000  1.000   150       2',
  ]);
});
