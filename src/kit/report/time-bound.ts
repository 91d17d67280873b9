import type { Roofs } from '../../theory/roofline/roofs.ts';
import { time } from '../words/quantity.ts';
import type { TimedMatrix, TimedRow } from './matrix-times.ts';

/** A lower bound on the time of any kernel. A dispatch is one start of a kernel on the GPU. */
export interface TimeBound {
  readonly ns: number;
  /** what needs this time: reading the bytes, or starting an empty kernel */
  readonly cause: 'bytes' | 'dispatch';
}

/** Numbers of a device that bound times: its read speed, and the time of an empty dispatch. */
export type DeviceBounds = Pick<Roofs, 'readGBps' | 'dispatchNs'>;

/** The longer of reading the bytes and an empty dispatch (0 if unknown); null if bytes or device are unknown. */
export function timeBound(bytes: number | null, device: DeviceBounds | null): TimeBound | null {
  if (bytes === null || device === null) return null;
  const ns = bytes / device.readGBps;
  return ns < device.dispatchNs ? { ns: device.dispatchNs, cause: 'dispatch' } : { ns, cause: 'bytes' };
}

/**
 * A lower bound on a model's time for a token, in ns: reading its bytes once; null if the read speed is unknown. Starts
 * of kernels are no part of it, unlike in `timeBound`: a kernel can multiply by several matrices, such as all experts of
 * a layer, and the next can start while it runs. `kernelStarts` counts them.
 */
export function tokenBoundNs(readBytes: number, device: Pick<DeviceBounds, 'readGBps'> | null): number | null {
  return device && readBytes / device.readGBps;
}

/** No dispatch is shorter than this, ns. A bound from a data sheet, which gives no dispatch time, can be shorter. */
const MIN_MEANINGFUL_NS = 1000;

/** Whether a bound is at least as long as the shortest dispatch; a shorter bound means nothing. */
export function isMeaningful({ ns }: Pick<TimeBound, 'ns'>): boolean {
  return ns >= MIN_MEANINGFUL_NS;
}

/** '16.0 µs', or '< 1 µs' for a meaningless bound. */
export function boundText(bound: Pick<TimeBound, 'ns'> | null): string {
  if (bound === null) return '–';
  return isMeaningful(bound) ? time(bound.ns) : `< ${time(MIN_MEANINGFUL_NS).replace('.00', '')}`;
}

/** The bytes of a product with B divided by those with A, by their formats alone; null if either is unknown. */
export function bytesRatio(
  a: number | null,
  b: number | null,
  matrix: Parameters<typeof productBytes>[2],
): number | null {
  // Not by timed kernels: which ones ran changes during a run, and some read arrays in addition to those of their format.
  const [bytesA, bytesB] = [a, b].map((matrixBytes) => productBytes(null, matrixBytes, matrix));
  return bytesA === null || bytesB === null ? null : bytesB / bytesA;
}

/** The bytes that a timed kernel reads in addition to the arrays of its format, x and y; 0 if below 1 % of the format's. */
export function extraBytes(
  timedRow: TimedRow | null,
  matrixBytes: number | null,
  { rows, cols, tokens, isBlock }: Pick<TimedMatrix, 'rows' | 'cols' | 'tokens' | 'isBlock'>,
): number {
  if (timedRow === null || matrixBytes === null || isBlock) return 0;
  // x and y have 4 bytes an element in a run.
  const extra = timedRow.row.bytes - 4 * tokens * (rows + cols) - matrixBytes;
  return extra < 0.01 * matrixBytes ? 0 : extra;
}

/**
 * Bytes that a product moves: those of the timed kernel, if there is one; else a lower bound, the matrix, y in f32 and the
 * fewest elements of x, in f16, that its rows can need. Null for a feed-forward block.
 */
export function productBytes(
  timedRow: TimedRow | null,
  matrixBytes: number | null,
  { rows, cols, nnz, tokens, isBlock }: Pick<TimedMatrix, 'rows' | 'cols' | 'nnz' | 'tokens' | 'isBlock'>,
): number | null {
  if (isBlock) return null;
  if (timedRow) return timedRow.row.bytes;
  // Rows with the same columns need the fewest elements of x: as many as a row has non-zeros on average.
  const columns = Math.min(cols, Math.ceil(nnz / Math.max(1, rows)));
  return matrixBytes === null ? null : matrixBytes + tokens * (2 * columns + 4 * rows);
}
