// Benchmark reports of a model's matrix shapes on an H200, for tests.

import type { BenchReport, BenchRow } from '../src/core/report.ts';

const MACKO_PARAMS = { deltaBits: 4, valueType: 'f16' };

/** A timed kernel of `us` microseconds; a wrong one has no time. */
export function modelRow(format: string, params: Readonly<Record<string, unknown>>, us: number, ok = true): BenchRow {
  const ns = 1000 * us;
  return {
    kernel: `${format}/spmv`,
    format,
    title: '',
    where: 'gpu',
    params,
    bytes: 1,
    verified: { ok, outputs: 1, worstShare: 0, failures: [], failureCount: ok ? 0 : 1, checkedAfterTiming: true },
    samplesNs: [ns],
    medianNs: ok ? ns : null,
    p10Ns: ok ? ns : null,
    p90Ns: ok ? ns : null,
    GBps: null,
    vsDense: null,
    cached: false,
    runsPerSample: 1,
    copies: 1,
    encodeMs: 0,
    uploadMs: 0,
    compileMs: 0,
    firstDispatchMs: 0,
  };
}

/** A run over one shape of a model on an H200: microseconds of dense and of MACKO. */
export function modelReport(
  rows: number,
  cols: number,
  density: number,
  us: readonly [number, number],
  rest: Partial<BenchReport> = {},
): BenchReport {
  return {
    schema: 1,
    createdAt: '2026-11-20T20:13:00.000Z',
    app: 'test',
    environment: {
      adapter: { vendor: 'nvidia', architecture: '', device: '', description: 'NVIDIA H200' },
      isFallback: false,
      runtime: 'test',
      features: [],
      limits: {},
      subgroupSize: { min: 32, max: 32 },
    },
    clock: { source: 'timestamp-query', quantumNs: 32 },
    readBandwidthGBps: 4593,
    nullDispatchNs: 1260,
    workload: {
      operation: 'spmv',
      rows,
      cols,
      nnz: Math.round(rows * cols * density),
      density: density + 0.0001,
      source: `uniform, density ${density}, seed 1, 1024 rows repeated`,
      seed: 1,
      memory: 'cold',
      rounds: 1,
    },
    rows: [modelRow('dense', { valueType: 'f16' }, us[0]), modelRow('macko', MACKO_PARAMS, us[1])],
    refused: [],
    notes: [],
    ...rest,
  };
}

/** A run on an H200: microseconds of one matrix of Llama 2 7B, dense and in MACKO. */
export const H200_LLAMA_2_7B: readonly (readonly [
  rows: number,
  cols: number,
  density: number,
  us: readonly [dense: number, macko: number],
])[] = [
  [4096, 4096, 0.5, [10.92, 10.59]],
  [11008, 4096, 0.5, [23.3, 23.1]],
  [4096, 11008, 0.5, [24.6, 20]],
  [32000, 4096, 0.5, [61, 52]],
  [4096, 4096, 0.8, [10.92, 15]],
  [11008, 4096, 0.8, [23.3, 33]],
  [4096, 11008, 0.8, [24.6, 30]],
  [32000, 4096, 0.8, [61, 80]],
];
