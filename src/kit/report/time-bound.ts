import type { Roofs } from '../../theory/roofline/roofs.ts';
import { time } from '../words/quantity.ts';
import type { TimedMatrix, TimedRow } from './matrix-times.ts';

/** A lower bound on a dispatch's time. */
export interface TimeBound {
  readonly ns: number;
  /** what determines it: reading the bytes, or an empty dispatch */
  readonly by: 'bytes' | 'dispatch';
}

/** The lower bounds of a device: one read speed and one empty dispatch, however many reports it has. A CPU has none. */
export type DeviceBounds = Pick<Roofs, 'readGBps' | 'dispatchNs'>;

/** max(bytes / read speed, empty dispatch); null if bytes or speed are unknown. An unknown empty dispatch counts as 0. */
export function timeBound(bytes: number | null, bounding: DeviceBounds | null): TimeBound | null {
  if (bytes === null || bounding === null) return null;
  const ns = bytes / bounding.readGBps;
  return ns < bounding.dispatchNs ? { ns: bounding.dispatchNs, by: 'dispatch' } : { ns, by: 'bytes' };
}

/** A lower bound on the time of a model's matrices for a token, one after another: for each its bytes, or an empty dispatch. */
export function tokenBoundNs(
  matrices: readonly { readonly bytes: number; readonly count: number }[],
  bounding: DeviceBounds,
): number {
  return matrices.reduce((sum, { bytes, count }) => sum + count * (timeBound(bytes, bounding)?.ns ?? 0), 0);
}

/** Below this, a bound by bytes alone is meaningless: no dispatch is shorter, even if a data sheet does not mention it, ns. */
const MIN_MEANINGFUL_NS = 1000;

/** Whether a bound is meaningful, which it may not be for a device whose empty dispatch is unknown. */
export function isMeaningful({ ns }: Pick<TimeBound, 'ns'>): boolean {
  return ns >= MIN_MEANINGFUL_NS;
}

/** '16.0 µs', or '< 1 µs' for a meaningless bound. */
export function boundText(bound: Pick<TimeBound, 'ns'> | null): string {
  return bound === null
    ? '–'
    : isMeaningful(bound)
      ? time(bound.ns)
      : `< ${time(MIN_MEANINGFUL_NS).replace('.00', '')}`;
}

/**
 * Bytes that a product moves: those of the timed kernel, else at least the arrays, the outputs in f32, and an f16 input for
 * every column that must have a non-zero. Null for a block, whose time does not depend on them.
 */
export function productBytes(
  timed: TimedRow | null,
  matrixBytes: number | null,
  { rows, cols, nnz, tokens, isBlock }: Pick<TimedMatrix, 'rows' | 'cols' | 'nnz' | 'tokens' | 'isBlock'>,
): number | null {
  if (isBlock) return null;
  if (timed) return timed.row.bytes;
  const columns = Math.min(cols, Math.ceil(nnz / Math.max(1, rows)));
  return matrixBytes === null ? null : matrixBytes + tokens * (2 * columns + 4 * rows);
}
