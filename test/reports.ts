// Benchmark reports with made-up times, for tests.

import { quantile } from '../src/core/number/statistics.ts';
import type { BenchReport, BenchRow } from '../src/core/report.ts';

const DENSE_NS = 71_600;
const DENSE_BYTES = 301_989_888;

/** Relative noise of eight rounds. */
const NOISE = [0.001, -0.01, 0.007, -0.004, 0.004, -0.007, 0.01, -0.001];

/** A timed row that is `ratio` times as fast as dense, which needs `denseNs`, with a little reproducible noise. */
export function timedRow(kernel: string, format: string, ratio: number, moved: number, denseNs = DENSE_NS): BenchRow {
  const bytes = Math.round(moved);
  const medianNs = denseNs / ratio;
  // Dense is slow in the rounds in which the other kernels are fast.
  const sign = format === 'dense' ? 1 : -1;
  const samplesNs = NOISE.map((noise) => medianNs * (1 + sign * noise));
  const ratios = NOISE.map((noise, round) => (denseNs * (1 + noise)) / samplesNs[round]);
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
    p10Ns: quantile(samplesNs, 0.1),
    p90Ns: quantile(samplesNs, 0.9),
    GBps: bytes / medianNs,
    vsDense: { reference: 'dense/spmv_subgroup', ratio, p10: quantile(ratios, 0.1), p90: quantile(ratios, 0.9) },
    cached: false,
    runsPerSample: 200,
    copies: 5,
    encodeMs: 1500,
    uploadMs: 20,
    compileMs: 5,
    firstDispatchMs: 0.2,
  };
}

/** The ratios of a row, relative to another reference kernel. */
function against(reference: string, { vsDense }: BenchRow): BenchRow['vsDense'] {
  return vsDense && { ...vsDense, reference };
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

/** A run on a real GPU with a fast, a slow, a wrong and a rejected kernel. */
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

/** The workload of a matrix with this share of non-zeros. */
function workloadOf(density: number, rows: number, cols: number): BenchReport['workload'] {
  return { ...REPORT.workload, rows, cols, density, nnz: Math.round(density * rows * cols) };
}

/** The same run on a software adapter. */
export const SOFTWARE_REPORT: BenchReport = {
  ...REPORT,
  environment: { ...REPORT.environment, isFallback: true },
  readBandwidthGBps: null,
  nullDispatchNs: null,
  rows: [untimedRow('dense/spmv_subgroup', 'dense'), untimedRow('macko/spmv_subgroup', 'macko')],
  refused: [],
  notes: [],
};

/** The same, timed on the user's request. */
export const TIMED_SOFTWARE_REPORT: BenchReport = {
  ...SOFTWARE_REPORT,
  environment: {
    ...SOFTWARE_REPORT.environment,
    adapter: { vendor: 'google', architecture: 'swiftshader', device: '', description: '' },
  },
  readBandwidthGBps: 9,
  nullDispatchNs: 1200,
  rows: [DENSE_ROW, MACKO_ROW],
};

/** A report at one density of a sweep in which MACKO passes dense between 0.5 and 0.7. */
export function sweepReport(density: number, ratio: number): BenchReport {
  return {
    ...REPORT,
    workload: workloadOf(density, 12_288, 12_288),
    rows: [DENSE_ROW, timedRow('macko/spmv_subgroup', 'macko', ratio, DENSE_BYTES * density * 1.25)],
    refused: [],
  };
}

/** A report of one format with a parameter at several values, all in the same rounds. */
function paramReport(report: BenchReport, rows: readonly BenchRow[]): BenchReport {
  return { ...report, rows: [...report.rows.slice(0, 1), ...rows], refused: [], notes: [] };
}

/** MACKO at every delta width: `ratios` over dense by bits. */
export function deltaReport(ratios: Readonly<Record<number, number>>): BenchReport {
  return paramReport(
    { ...REPORT, rows: [DENSE_ROW] },
    Object.entries(ratios).map(([bits, ratio]) => ({
      ...timedRow('macko/spmv_subgroup', 'macko', ratio, DENSE_BYTES * 0.3 * (1 + Number(bits) / 16)),
      params: { deltaBits: Number(bits), valueType: 'f16' },
    })),
  );
}

/** SlideSparse in f16 at several patterns: `ratios` over dense by N. */
export function patternReport(ratios: Readonly<Record<number, number>>): BenchReport {
  return paramReport(
    { ...REPORT, rows: [DENSE_ROW], workload: { ...workloadOf(0.5, 12_288, 12_288), source: '2:4' } },
    Object.entries(ratios).map(([halfGroup, ratio]) => ({
      ...timedRow('slidesparse/spmv_subgroup', 'slidesparse', ratio, DENSE_BYTES * (1 - 1 / Number(halfGroup)) * 1.125),
      title: 'metadata ordered by lane',
      params: { halfGroup: Number(halfGroup), valueType: 'f16' },
    })),
  );
}

const PEAK_GFMAPS = 29_800;
const EXTENT = 4096;

/** Y = X A^T of dense and of SlideSparse 6:8, which is `ratio` times as fast; a thousand outputs and more are sampled. */
export function gemmReport(tokens: number, ratio: number): BenchReport {
  const multiplyAdds = tokens * EXTENT * EXTENT;
  const inputs = 4 * tokens * EXTENT;
  const weights = 2 * EXTENT * EXTENT;
  const denseNs = Math.max((weights + 2 * inputs) / 3900, multiplyAdds / (PEAK_GFMAPS * 0.58));
  const verified = {
    ...DENSE_ROW.verified,
    outputs: tokens * EXTENT,
    ...(tokens > 256 ? { compared: 65_536 } : {}),
  };
  const row = (kernel: string, format: string, r: number, share: number): BenchRow => {
    const timed = timedRow(kernel, format, r, weights * share + 2 * inputs, denseNs);
    return {
      ...timed,
      title: 'tiles of 64 × 64',
      multiplyAdds: Math.round(format === 'dense' ? multiplyAdds : multiplyAdds * 0.75),
      verified,
      vsDense: against('dense/gemm_f16', timed),
      params: format === 'dense' ? { valueType: 'f16' } : { halfGroup: 4, valueType: 'f16' },
    };
  };
  return {
    ...REPORT,
    peakGFMAps: PEAK_GFMAPS,
    workload: { ...workloadOf(0.5, EXTENT, EXTENT), operation: 'gemm', sizes: { tokens } },
    rows: [row('dense/gemm_f16', 'dense', 1, 1), row('slidesparse/gemm_slid_f16', 'slidesparse', ratio, 0.84)],
    refused: [],
    notes: [],
  };
}

/** Q(X) of dense and of SlideSparse, which is `overhead` times as slow; by bytes 1.1 times. */
export function liftingReport(tokens: number, overhead: number): BenchReport {
  const bytes = tokens * EXTENT;
  const row = (kernel: string, format: string, ratio: number, moved: number): BenchRow => ({
    ...timedRow(kernel, format, ratio, moved),
    vsDense: against('dense/quantise', timedRow(kernel, format, ratio, moved)),
    title: 'a workgroup per token',
    params: format === 'dense' ? { valueType: 'i8' } : { halfGroup: 4, valueType: 'i8' },
    verified: { ...DENSE_ROW.verified, outputs: tokens * (EXTENT + 1), worstShare: 0 },
  });
  return {
    ...REPORT,
    workload: { ...workloadOf(0.5, EXTENT, EXTENT), operation: 'quantise', sizes: { tokens } },
    rows: [
      row('dense/quantise', 'dense', 1, 5 * bytes),
      row('slidesparse/lift', 'slidesparse', 1 / overhead, 5.5 * bytes),
    ],
    refused: [],
    notes: [],
  };
}

const BLOCK = { tokens: 2048, width: 2048, neurons: 5632 };
/** TwELL's compression, from the densest tokens that it can store on down. */
const SPACE = [
  { upTo: 120, compression: 8 },
  { upTo: 400, compression: 4 },
  { upTo: 900, compression: 2 },
];

/**
 * A part of a gated block, the whole or its backward pass, on activations with this many non-zeros per token: TwELL, and
 * the hybrid in the backward pass, is `ratio` times as fast as dense, with the smallest tiles that store them, and is
 * rejected if none does.
 */
export function blockReport(
  operation: 'gate' | 'up-down' | 'forward' | 'backward',
  nonZeros: number,
  ratio: number,
): BenchReport {
  const isTraining = operation === 'backward';
  const format = isTraining ? 'hybrid' : 'twell';
  const { tokens, width, neurons } = BLOCK;
  const product = tokens * width * neurons;
  const products = { gate: 1, 'up-down': 2, forward: 3, backward: 7 }[operation];
  // Products of a kernel that skips zeros, as a multiple of `product`.
  const sparseProducts = isTraining
    ? (7 * nonZeros) / neurons
    : (operation === 'up-down' ? 0 : 1) + (operation === 'gate' ? 0 : (2 * nonZeros) / neurons);
  const denseNs = (products * product) / (PEAK_GFMAPS * 0.58);
  const bytes = 2 * (products * neurons * width + 3 * tokens * width);
  const row = (formatId: string, speedup: number, share: number, params: BenchRow['params']): BenchRow => ({
    ...timedRow(`${formatId}/${operation.replace('-', '_')}`, formatId, speedup, bytes, denseNs),
    title: formatId === 'dense' ? 'all neurons' : 'only neurons that fired',
    multiplyAdds: Math.round(product * share),
    params,
    vsDense: against(`dense/${operation.replace('-', '_')}`, timedRow(formatId, formatId, speedup, bytes, denseNs)),
  });
  const paramsAt = (compression: number): BenchRow['params'] =>
    isTraining
      ? { rowSlots: 1024 / compression, tailShare: 8, valueType: 'bf16' }
      : { layout: 'packed', tileWidth: 256, compression, valueType: 'bf16' };
  return {
    ...REPORT,
    peakGFMAps: PEAK_GFMAPS,
    workload: {
      ...workloadOf(nonZeros / neurons, tokens, neurons),
      operation,
      sizes: { width },
      source: `activations, density ${nonZeros / neurons}, seed 1`,
    },
    rows: [
      row('dense', 1, products, { valueType: 'f16' }),
      ...SPACE.filter(({ upTo }) => nonZeros <= upTo).map(({ compression }, i) =>
        row(format, ratio / (1 + 0.01 * i), sparseProducts, paramsAt(compression)),
      ),
    ],
    refused: SPACE.filter(({ upTo }) => nonZeros > upTo).map(({ compression }) => ({
      kernel: '',
      format,
      params: paramsAt(compression),
      reason: `row 4, tile 0 (columns 0 to 255) has 141 non-zeros, more than the ${256 / compression - 1} that fit beside the count in ${256 / compression} words; 2 of 45056 tile rows overflow, the fullest with 141`,
    })),
    notes: [],
  };
}

/** Dense and `count` variants of every speed from 2 down to 0.2, each timed in `rounds` rounds. */
export function longReport(count: number, rounds: number): BenchReport {
  const formats = ['macko', 'csr', 'ell', 'bitmask', 'slidesparse'];
  const withRounds = (row: BenchRow): BenchRow => {
    const samplesNs = Array.from({ length: rounds }, (_, round) => (row.medianNs ?? 0) * (1 + 0.01 * Math.sin(round)));
    const medianNs = quantile(samplesNs, 0.5);
    const [p10Ns, p90Ns] = [quantile(samplesNs, 0.1), quantile(samplesNs, 0.9)];
    // Each round is equally slow for all kernels, so that the ratio is the same in every round.
    const vsDense = row.vsDense && { ...row.vsDense, p10: row.vsDense.ratio, p90: row.vsDense.ratio };
    return { ...row, samplesNs, medianNs, p10Ns, p90Ns, vsDense, GBps: row.bytes / medianNs };
  };
  const variants = Array.from({ length: count }, (_, i): BenchRow => {
    const format = formats[i % formats.length];
    const ratio = 2 - (1.8 * i) / Math.max(1, count - 1);
    return { ...timedRow(`${format}/spmv_${i}`, format, ratio, DENSE_BYTES / ratio), title: `variant ${i}` };
  });
  return { ...REPORT, rows: [DENSE_ROW, ...variants].map(withRounds), refused: [] };
}
