import type { BenchReport, BenchRow } from '../../core/report.ts';

const DENSE_NS = 71_600;
const DENSE_BYTES = 301_989_888;

/** A timed row that is `ratio` times as fast as dense in every round, with a little noise that is the same every time. */
export function timedRow(kernel: string, format: string, ratio: number, bytes: number): BenchRow {
  const samplesNs = Array.from({ length: 8 }, (_, round) => (DENSE_NS / ratio) * (1 + 0.01 * Math.sin(round)));
  const medianNs = DENSE_NS / ratio;
  return {
    kernel,
    format,
    title: 'subgroup per row',
    where: 'gpu',
    params: { valueType: 'f16' },
    bytes,
    verified: { ok: true, outputs: 12_288, worstShare: 0.031, failures: [], failureCount: 0, checkedAfterTiming: true },
    samplesNs,
    medianNs,
    p10Ns: medianNs * 0.99,
    p90Ns: medianNs * 1.01,
    GBps: bytes / medianNs,
    vsDense: { reference: 'dense/spmv_subgroup', ratio, p10: ratio * 0.98, p90: ratio * 1.02 },
    cached: false,
    runsPerSample: 200,
    copies: 5,
    encodeMs: 1500,
    uploadMs: 20,
    compileMs: 5,
    firstDispatchMs: 0.2,
  };
}

/** A row that was verified and not timed, as on a software adapter. */
export function untimedRow(kernel: string, format: string): BenchRow {
  return {
    ...timedRow(kernel, format, 1, DENSE_BYTES),
    samplesNs: [],
    medianNs: null,
    p10Ns: null,
    p90Ns: null,
    GBps: null,
    vsDense: null,
  };
}

/** A kernel whose outputs are wrong. */
export function wrongRow(kernel: string, format: string): BenchRow {
  return {
    ...untimedRow(kernel, format),
    verified: {
      ok: false,
      outputs: 12_288,
      worstShare: 3,
      failures: [{ row: 3, found: 1.5, expected: 1.25, bound: 0.001 }],
      failureCount: 12,
      checkedAfterTiming: false,
    },
  };
}

export const DENSE_ROW: BenchRow = timedRow('dense/spmv_subgroup', 'dense', 1, DENSE_BYTES);
export const MACKO_ROW: BenchRow = timedRow('macko/spmv_subgroup', 'macko', 1.78, DENSE_BYTES * 0.38);
export const CSR_ROW: BenchRow = timedRow('csr/spmv_subgroup', 'csr', 0.56, DENSE_BYTES * 0.9);

/** A run on a real GPU with a fast, a slow, a wrong and a refused kernel. */
export const REPORT: BenchReport = {
  schema: 1,
  createdAt: '2026-01-02T03:04:05.000Z',
  app: 'SparseScope 0.1.0',
  environment: {
    adapter: { vendor: 'nvidia', architecture: 'hopper', device: '', description: 'NVIDIA H200' },
    isFallback: false,
    runtime: 'Chromium 156',
    features: ['subgroups', 'timestamp-query'],
    limits: {},
    subgroupSize: { min: 32, max: 32 },
  },
  clock: { source: 'timestamp-query', quantumNs: 65_536 },
  readBandwidthGBps: 4220,
  nullDispatchNs: 1200,
  workload: {
    operation: 'spmv',
    rows: 12_288,
    cols: 12_288,
    nnz: 45_298_483,
    density: 0.3,
    source: 'uniform',
    seed: 1,
    memory: 'cold',
    rounds: 8,
  },
  rows: [CSR_ROW, DENSE_ROW, MACKO_ROW, wrongRow('ell/spmv_thread', 'ell')],
  refused: [{ kernel: 'bitmask/spmv', format: 'bitmask', reason: 'needs 10 storage buffers, the device has 8' }],
  notes: ['A trial chose macko/spmv_subgroup.'],
};

/** The same on a software adapter. */
export const SOFTWARE_REPORT: BenchReport = {
  ...REPORT,
  environment: { ...REPORT.environment, isFallback: true },
  readBandwidthGBps: null,
  nullDispatchNs: null,
  rows: [untimedRow('dense/spmv_subgroup', 'dense'), untimedRow('macko/spmv_subgroup', 'macko')],
  refused: [],
  notes: [],
};

/** A report at one density of a sweep in which MACKO passes dense between 0.5 and 0.7. */
export function sweepReport(density: number, ratio: number): BenchReport {
  return {
    ...REPORT,
    workload: { ...REPORT.workload, density },
    rows: [DENSE_ROW, timedRow('macko/spmv_subgroup', 'macko', ratio, DENSE_BYTES * density * 1.25)],
    refused: [],
  };
}
