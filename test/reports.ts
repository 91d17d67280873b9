// Benchmark reports with made-up times, for tests.

import { quantile } from '../src/core/number/statistics.ts';
import type { BenchReport, BenchRow } from '../src/core/report.ts';

/** Time and bytes of the dense kernel for one product with 12 288 × 12 288 weights in f16: at 4218 GB/s, as on an H200. */
const DENSE_NS = 71_600;
const DENSE_BYTES = 12_288 * 12_288 * 2;

/** How much each of the eight rounds deviates from the median, relative to it. */
const NOISE = [0.001, -0.01, 0.007, -0.004, 0.004, -0.007, 0.01, -0.001];

/**
 * A timed row that moves `movedBytes` and is `ratio` times as fast as dense, which takes `denseNs`. Its samples are the
 * median with the noise of NOISE.
 */
export function timedRow(
  kernel: string,
  format: string,
  ratio: number,
  movedBytes: number,
  denseNs = DENSE_NS,
): BenchRow {
  const bytes = Math.round(movedBytes);
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

/** The `vsDense` of a row with another reference kernel and the same ratios. */
function withReference(reference: string, { vsDense }: BenchRow): BenchRow['vsDense'] {
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

/** The workload of REPORT with another density and shape. */
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

/** A run on the software adapter SwiftShader that was timed on the user's request. */
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

/**
 * A report at one density of a sweep, in which MACKO is `ratio` times as fast as dense. MACKO stores more bytes than dense
 * above a density of 0.8.
 */
export function sweepReport(density: number, ratio: number): BenchReport {
  return {
    ...REPORT,
    workload: workloadOf(density, 12_288, 12_288),
    rows: [DENSE_ROW, timedRow('macko/spmv_subgroup', 'macko', ratio, DENSE_BYTES * density * 1.25)],
    refused: [],
  };
}

/** A report of dense and of `rows`: one format with several values of a parameter. */
function paramReport(workload: BenchReport['workload'], rows: readonly BenchRow[]): BenchReport {
  return { ...REPORT, workload, rows: [DENSE_ROW, ...rows], refused: [], notes: [] };
}

/** MACKO with several delta widths: `ratios` contains the speed relative to dense by the bits of a delta. */
export function deltaReport(ratios: Readonly<Record<number, number>>): BenchReport {
  return paramReport(
    REPORT.workload,
    Object.entries(ratios).map(([bits, ratio]) => ({
      ...timedRow('macko/spmv_subgroup', 'macko', ratio, DENSE_BYTES * 0.3 * (1 + Number(bits) / 16)),
      params: { deltaBits: Number(bits), valueType: 'f16' },
    })),
  );
}

/** SlideSparse in f16 with several patterns (2N−2):2N: `ratios` contains the speed relative to dense by N. */
export function patternReport(ratios: Readonly<Record<number, number>>): BenchReport {
  return paramReport(
    { ...workloadOf(0.5, 12_288, 12_288), source: '2:4' },
    Object.entries(ratios).map(([halfGroup, ratio]) => ({
      ...timedRow('slidesparse/spmv_subgroup', 'slidesparse', ratio, DENSE_BYTES * (1 - 1 / Number(halfGroup)) * 1.125),
      title: 'metadata ordered by lane',
      params: { halfGroup: Number(halfGroup), valueType: 'f16' },
    })),
  );
}

/** The measured peak of the device, in 10⁹ multiply-adds per second. */
const PEAK_GFMAPS = 29_800;
/** The share of that peak that the dense kernels reach. */
const DENSE_PEAK_SHARE = 0.58;
/** The read bandwidth that dense gemm reaches, in GB/s. */
const DENSE_GEMM_GBPS = 3900;
/** Rows and columns of the weights. */
const EXTENT = 4096;
/** Above this many tokens a run checks only a sample of the outputs. */
const MAX_TOKENS_FULLY_CHECKED = 256;

/** Y = X A^T of dense and of SlideSparse 6:8, which is `ratio` times as fast. */
export function gemmReport(tokens: number, ratio: number): BenchReport {
  const multiplyAdds = tokens * EXTENT * EXTENT;
  // X and Y have the same size, in f32; the weights are f16.
  const inputBytes = 4 * tokens * EXTENT;
  const weightBytes = 2 * EXTENT * EXTENT;
  // The longer of the times to move the bytes and to multiply; bytes / (GB/s) are ns.
  const denseNs = Math.max(
    (weightBytes + 2 * inputBytes) / DENSE_GEMM_GBPS,
    multiplyAdds / (PEAK_GFMAPS * DENSE_PEAK_SHARE),
  );
  const verified = {
    ...DENSE_ROW.verified,
    outputs: tokens * EXTENT,
    ...(tokens > MAX_TOKENS_FULLY_CHECKED ? { compared: 65_536 } : {}),
  };
  const row = (kernel: string, format: string, speedup: number, weightShare: number): BenchRow => {
    const timed = timedRow(kernel, format, speedup, weightBytes * weightShare + 2 * inputBytes, denseNs);
    return {
      ...timed,
      title: 'tiles of 64 × 64',
      multiplyAdds: Math.round(format === 'dense' ? multiplyAdds : multiplyAdds * 0.75),
      verified,
      vsDense: withReference('dense/gemm_f16', timed),
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

/**
 * Q(X) (quantisation of the inputs) of dense and of SlideSparse, which takes `overhead` times as long and moves 1.1 times the
 * bytes.
 */
export function liftingReport(tokens: number, overhead: number): BenchReport {
  // An f32 (4 bytes) is read and an i8 (1 byte) is written per input; SlideSparse writes 1.5 bytes, since 6:8 repeats columns.
  const inputs = tokens * EXTENT;
  const row = (kernel: string, format: string, ratio: number, movedBytes: number): BenchRow => ({
    ...timedRow(kernel, format, ratio, movedBytes),
    vsDense: withReference('dense/quantise', timedRow(kernel, format, ratio, movedBytes)),
    title: 'a workgroup per token',
    params: format === 'dense' ? { valueType: 'i8' } : { halfGroup: 4, valueType: 'i8' },
    verified: { ...DENSE_ROW.verified, outputs: tokens * (EXTENT + 1), worstShare: 0 },
  });
  return {
    ...REPORT,
    workload: { ...workloadOf(0.5, EXTENT, EXTENT), operation: 'quantise', sizes: { tokens } },
    rows: [
      row('dense/quantise', 'dense', 1, 5 * inputs),
      row('slidesparse/lift', 'slidesparse', 1 / overhead, 5.5 * inputs),
    ],
    refused: [],
    notes: [],
  };
}

/** Sizes of the gated block (gate, up and down projection). */
const BLOCK = { tokens: 2048, width: 2048, neurons: 5632 };
/** TwELL's compressions, the smallest tiles first, each with the most non-zeros per token that its tiles can store. */
const COMPRESSIONS = [
  { maxNonZeros: 120, compression: 8 },
  { maxNonZeros: 400, compression: 4 },
  { maxNonZeros: 900, compression: 2 },
];

/**
 * A report of a gated block (one product, the whole block, or its backward pass) on activations with this many non-zeros
 * per token. The format is TwELL, or the hybrid format in the backward pass. It has a row for each compression that can
 * store the activations, with `ratio` as the speed of the first relative to dense; the others are rejected.
 */
export function blockReport(
  operation: 'gate' | 'up-down' | 'forward' | 'backward',
  nonZeros: number,
  ratio: number,
): BenchReport {
  const isTraining = operation === 'backward';
  const format = isTraining ? 'hybrid' : 'twell';
  const { tokens, width, neurons } = BLOCK;
  const productMultiplyAdds = tokens * width * neurons;
  // Products of the size of one projection that the dense kernel computes.
  const products = { gate: 1, 'up-down': 2, forward: 3, backward: 7 }[operation];
  // The work of a kernel that skips zeros, as a number of dense products.
  const sparseProducts = isTraining
    ? (7 * nonZeros) / neurons
    : (operation === 'up-down' ? 0 : 1) + (operation === 'gate' ? 0 : (2 * nonZeros) / neurons);
  const denseNs = (products * productMultiplyAdds) / (PEAK_GFMAPS * DENSE_PEAK_SHARE);
  const bytes = 2 * (products * neurons * width + 3 * tokens * width);
  const row = (formatId: string, speedup: number, productCount: number, params: BenchRow['params']): BenchRow => ({
    ...timedRow(`${formatId}/${operation.replace('-', '_')}`, formatId, speedup, bytes, denseNs),
    title: formatId === 'dense' ? 'all neurons' : 'only neurons that fired',
    multiplyAdds: Math.round(productMultiplyAdds * productCount),
    params,
    vsDense: withReference(
      `dense/${operation.replace('-', '_')}`,
      timedRow(formatId, formatId, speedup, bytes, denseNs),
    ),
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
      ...COMPRESSIONS.filter(({ maxNonZeros }) => nonZeros <= maxNonZeros).map(({ compression }, i) =>
        row(format, ratio / (1 + 0.01 * i), sparseProducts, paramsAt(compression)),
      ),
    ],
    refused: COMPRESSIONS.filter(({ maxNonZeros }) => nonZeros > maxNonZeros).map(({ compression }) => ({
      kernel: '',
      format,
      params: paramsAt(compression),
      reason: `row 4, tile 0 (columns 0 to 255) has 141 non-zeros, more than the ${256 / compression - 1} that fit beside the count in ${256 / compression} words; 2 of 45056 tile rows overflow, the fullest with 141`,
    })),
    notes: [],
  };
}

/** Dense and `count` variants, whose speeds relative to dense fall evenly from 2 to 0.2, each timed in `rounds` rounds. */
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
