import { MatrixError } from './errors.ts';
import { finish, rowsPerYield, type SharedData, type Steps } from './job.ts';
import { type Matrix, rowBuffer, type Rows } from './matrix/index.ts';
import { runTasks } from './tasks.ts';

/**
 * The oracle: y = A x with every product and sum in f64, in column order.
 * Throws MatrixError when x does not have one value per column. O(rows * cols) at worst.
 */
export function spmv(m: Matrix, x: Float32Array): Float64Array {
  return spmvWithBound(m, x).y;
}

/** y = A x in f64, with the numbers that `sumBound` needs for the error bound of each row. */
export interface SpmvWithBound {
  readonly y: Float64Array;
  /** sum of |a_ij x_j| per row */
  readonly magnitude: Float64Array;
  /** number of entries per row */
  readonly entries: Uint32Array;
}

/** `spmv` with its error bounds. Throws MatrixError when x does not have one value per column. */
export function spmvWithBound(m: Matrix, x: Float32Array): SpmvWithBound {
  return finish(spmvWithBoundSteps(m, [x]))[0];
}

/** A task: the rows [from, to) of A x for several x. */
export interface SpmvPart {
  readonly xs: readonly Float32Array[];
  readonly from: number;
  readonly to: number;
}

/** How parts of the matrix are sent to other threads. */
export interface PartSharing {
  readonly shared: SharedData;
  readonly send: (part: SpmvPart) => { readonly input: unknown; readonly transfer: readonly ArrayBuffer[] };
}

/** The rows [from, to) of y = A x, for each x: every row is read once. */
export function spmvPart(m: Rows, { xs, from, to }: SpmvPart): readonly SpmvWithBound[] {
  const count = to - from;
  const parts = xs.map(() => ({
    y: new Float64Array(count),
    magnitude: new Float64Array(count),
    entries: new Uint32Array(count),
  }));
  const { columns, values } = rowBuffer(m.cols);
  const buffer = { columns, values };
  for (let r = 0; r < count; r++) {
    const n = m.readRow(from + r, buffer);
    for (let k = 0; k < xs.length; k++) {
      const x = xs[k];
      let sum = 0;
      let sumOfMagnitudes = 0;
      for (let i = 0; i < n; i++) {
        const product = values[i] * x[columns[i]];
        sum += product;
        sumOfMagnitudes += Math.abs(product);
      }
      parts[k].y[r] = sum;
      parts[k].magnitude[r] = sumOfMagnitudes;
      parts[k].entries[r] = n;
    }
  }
  return parts;
}

/** The name of the tasks that compute parts: `oracleTasks` in bench/oracle-tasks.ts. */
export const SPMV_PARTS = 'oracle/spmv';

/**
 * `spmvWithBound` for each x, as a generator that yields between ranges of rows; with `sharing`, other threads compute
 * some of them. Throws MatrixError when an x does not have one value per column.
 */
export function* spmvWithBoundSteps(
  m: Matrix,
  xs: readonly Float32Array[],
  sharing?: PartSharing,
): Steps<readonly SpmvWithBound[]> {
  for (const x of xs) {
    if (x.length !== m.cols) throw new MatrixError(`x: found ${x.length} values, expected one per column, ${m.cols}`);
  }
  const rowsPerPart = rowsPerYield(m.cols);
  const inputs: SpmvPart[] = [];
  for (let from = 0; from < m.rows; from += rowsPerPart)
    inputs.push({ xs, from, to: Math.min(m.rows, from + rowsPerPart) });
  const progress = (done: number) => ({ what: 'computing the reference', done, total: inputs.length });
  const inline = (part: SpmvPart): readonly SpmvWithBound[] => spmvPart(m, part);
  const parts: (readonly SpmvWithBound[])[] = [];
  if (sharing) {
    for (const part of yield* runTasks({ kind: SPMV_PARTS, ...sharing, inputs, inline, progress })) parts.push(part);
  } else {
    for (const part of inputs) {
      parts.push(inline(part));
      yield progress(parts.length);
    }
  }
  const partsOf = (k: number): readonly SpmvWithBound[] => parts.map((part) => part[k]);
  return xs.map((_, k) => joined(partsOf(k), m.rows));
}

/** Puts the results of consecutive ranges of rows together. */
function joined(parts: readonly SpmvWithBound[], rows: number): SpmvWithBound {
  const all = { y: new Float64Array(rows), magnitude: new Float64Array(rows), entries: new Uint32Array(rows) };
  let firstRow = 0;
  for (const { y, magnitude, entries } of parts) {
    all.y.set(y, firstRow);
    all.magnitude.set(magnitude, firstRow);
    all.entries.set(entries, firstRow);
    firstRow += y.length;
  }
  return all;
}

/** Unit roundoff of f32. */
const UNIT_ROUNDOFF_F32 = 2 ** -24;

/** Unit roundoff of bf16. */
export const UNIT_ROUNDOFF_BF16 = 2 ** -8;

/** Smallest positive normal f32. */
export const SMALLEST_NORMAL_F32 = 2 ** -126;

/** Largest finite f32. */
export const F32_MAX = (2 - 2 ** -23) * 2 ** 127;

/**
 * gamma_n = n u / (1 - n u): a sum of n products in f32, in any order, is off by at most gamma_n * sum |a_ij x_j|.
 * Source: Higham, Accuracy and Stability of Numerical Algorithms, section 3.1.
 */
function gamma(n: number): number {
  const nu = n * UNIT_ROUNDOFF_F32;
  return nu / (1 - nu);
}

/**
 * Bound on the error of a sum of `entries` products in f32, in any order, with `roundings` in addition to the
 * additions: gamma_n * magnitude + n * 2^-126 with n = entries + roundings, where `magnitude` is the sum of the
 * products' magnitudes; the second term because WGSL allows every subnormal to be flushed to zero. A sum without
 * entries is exactly 0. Infinite if the magnitudes add up to more than the largest f32, since a correct kernel can then
 * overflow.
 */
export function sumBound(magnitude: number, entries: number, roundings: number): number {
  if (entries === 0) return 0;
  if (magnitude > F32_MAX) return Number.POSITIVE_INFINITY;
  const n = entries + roundings;
  return gamma(n) * magnitude + n * SMALLEST_NORMAL_F32;
}
