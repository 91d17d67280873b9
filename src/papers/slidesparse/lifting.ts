import { QUANTISE } from '../../core/operations/index.ts';
import { SLIDING_FORMAT } from './group-details.ts';
import type { Sweep } from '../../kit/report/sweep-series.ts';

/**
 * The published cost of lifting (repeating activations for overlapping 2:4 windows): the time of the fused kernel,
 * which quantises and lifts, divided by the time of quantising alone. Source: SlideSparse, appendix D.2, table 1, 6:8 on an
 * A100, with more digits from the results in the authors’ repository. They do not state the columns; by default their
 * benchmark has 2560.
 */
export const PUBLISHED_LIFTING: readonly { readonly tokens: number; readonly overhead: number }[] = [
  { tokens: 2048, overhead: 27.648 / 18.432 },
  { tokens: 4096, overhead: 44.032 / 30.72 },
  { tokens: 8192, overhead: 77.824 / 60.416 },
  { tokens: 16_384, overhead: 141.312 / 109.568 },
];

/** The cost of lifting by bytes alone, per f16 activation in 6:8: 2 bytes read; 1.5 written with lifting, else 1. */
export const LIFTING_BY_BYTES_F16 = (2 + 1.5) / (2 + 1);

/** The cost of lifting for one number of tokens. */
export interface LiftingPoint {
  readonly tokens: number;
  /** time of quantising and lifting over quantising alone, with its quantiles over rounds */
  readonly overhead: number;
  readonly p10: number;
  readonly p90: number;
  /** bytes that quantising with lifting moves, divided by the bytes of quantising alone */
  readonly byBytes: number;
}

/** The cost of lifting for each number of tokens of a sweep that quantises for SlideSparse; null for other sweeps. */
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
