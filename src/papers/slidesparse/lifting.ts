import { QUANTISE } from '../../core/operations/index.ts';
import { SLIDING_FORMAT } from './pattern-rows.ts';
import type { Sweep } from '../../kit/report/sweep-series.ts';

/**
 * Lifting repeats activations, so that each weight that was slid to 2:4 meets its own. What it costs as published: time of
 * quantising and lifting over that of quantising alone. SlideSparse, appendix D.2, table 1, the fused kernel with 6:8 on an
 * A100, in the digits of the results that lie with the authors’ code. The paper does not give the columns: 2560 are the default
 * of their benchmark.
 */
export const PUBLISHED_LIFTING: readonly { readonly tokens: number; readonly overhead: number }[] = [
  { tokens: 2048, overhead: 27.648 / 18.432 },
  { tokens: 4096, overhead: 44.032 / 30.72 },
  { tokens: 8192, overhead: 77.824 / 60.416 },
  { tokens: 16_384, overhead: 141.312 / 109.568 },
];

/** What bytes alone predict for 6:8 with activations in f16: 2 read, and 1.5 written instead of 1. */
export const LIFTING_BY_BYTES_F16 = (2 + 1.5) / (2 + 1);

/** What lifting costs for one number of tokens. */
export interface LiftingPoint {
  readonly tokens: number;
  /** time of quantising and lifting over quantising alone, with its quantiles over rounds */
  readonly overhead: number;
  readonly p10: number;
  readonly p90: number;
  /** the same by the bytes that both kernels move */
  readonly byBytes: number;
}

/** What lifting costs along a sweep of tokens, by rising tokens; null if the sweep is of something else. */
export function liftingOf(sweep: Sweep): readonly LiftingPoint[] | null {
  const isQuantise = sweep.reports.every((report) => report.workload.operation === QUANTISE.id);
  const series = sweep.series.find((s) => s.format === SLIDING_FORMAT);
  if (!isQuantise || sweep.axis.of !== 'size' || !series) return null;
  return series.points.map(({ x, ratio, p10, p90, limit }) => ({
    tokens: x,
    overhead: 1 / ratio,
    p10: 1 / p90,
    p90: 1 / p10,
    byBytes: 1 / limit,
  }));
}
