import type { Roofs } from '../../theory/roofline/roofs.ts';
import { time } from '../words/quantity.ts';
import type { TimedMatrix, TimedRow } from './matrix-times.ts';

/** The time below which no dispatch is. */
export interface TimeBound {
  readonly ns: number;
  /** what takes that long: reading the bytes, or an empty dispatch */
  readonly by: 'bytes' | 'dispatch';
}

/** What bounds times on a device: one read speed and one empty dispatch, however many reports it has. A CPU has none. */
export type Bounding = Pick<Roofs, 'readGBps' | 'dispatchNs'>;

/** max(bytes / read speed, empty dispatch); null where bytes or speed are not known. Of some devices no dispatch is: 0. */
export function timeBound(bytes: number | null, bounding: Bounding | null): TimeBound | null {
  if (bytes === null || bounding === null) return null;
  const ns = bytes / bounding.readGBps;
  return ns < bounding.dispatchNs ? { ns: bounding.dispatchNs, by: 'dispatch' } : { ns, by: 'bytes' };
}

/** What the matrices of a model take at least for a token, one after another: each its bytes, or an empty dispatch. */
export function tokenBoundNs(
  matrices: readonly { readonly bytes: number; readonly count: number }[],
  bounding: Bounding,
): number {
  return matrices.reduce((sum, { bytes, count }) => sum + count * (timeBound(bytes, bounding)?.ns ?? 0), 0);
}

/** Below, bytes alone say nothing: no dispatch is over in less, whatever a data sheet leaves out. */
const MIN_SAID_NS = 1000;

/** Whether a bound says something: that of a device whose empty dispatch nobody knows may not. */
export function isSaid({ ns }: Pick<TimeBound, 'ns'>): boolean {
  return ns >= MIN_SAID_NS;
}

/** '16.0 µs', and '< 1 µs' where a bound says nothing. */
export function boundText(bound: Pick<TimeBound, 'ns'> | null): string {
  return bound === null ? '–' : isSaid(bound) ? time(bound.ns) : `< ${time(MIN_SAID_NS).replace('.00', '')}`;
}

/**
 * Bytes that a product moves: those of the kernel that was timed, else at least the arrays, the outputs in f32 and as many
 * inputs in f16 as there must be columns with a non-zero. Null for a block, whose time is not that of its bytes.
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
