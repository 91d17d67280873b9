import { MatrixError } from './errors.ts';
import { finish, rowsPerYield, type Steps } from './job.ts';
import { type Matrix, rowBuffer } from './matrix/index.ts';

/**
 * The oracle: y = A x with every product and sum in f64, in column order.
 * Throws MatrixError when x does not have one value per column. O(rows * cols) at worst.
 */
export function spmv(m: Matrix, x: Float32Array): Float64Array {
  return spmvWithBound(m, x).y;
}

/** y = A x in f64, with the inputs of an error bound. */
export interface SpmvWithBound {
  readonly y: Float64Array;
  /** sum of |a_ij x_j| per row */
  readonly magnitude: Float64Array;
  /** number of entries per row */
  readonly entries: Uint32Array;
}

/** Throws MatrixError when x does not have one value per column. O(rows * cols) at worst. */
export function spmvWithBound(m: Matrix, x: Float32Array): SpmvWithBound {
  return finish(spmvWithBoundSteps(m, x));
}

/** Like `spmvWithBound`, as a generator, for a caller that has to listen in between. */
export function* spmvWithBoundSteps(m: Matrix, x: Float32Array): Steps<SpmvWithBound> {
  if (x.length !== m.cols) throw new MatrixError(`x: found ${x.length} values, expected one per column, ${m.cols}`);
  const y = new Float64Array(m.rows);
  const magnitude = new Float64Array(m.rows);
  const entries = new Uint32Array(m.rows);
  const { columns, values } = rowBuffer(m.cols);
  const buffer = { columns, values };
  const slice = rowsPerYield(m.cols);
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    let sum = 0;
    let sumOfMagnitudes = 0;
    for (let i = 0; i < n; i++) {
      const product = values[i] * x[columns[i]];
      sum += product;
      sumOfMagnitudes += Math.abs(product);
    }
    y[r] = sum;
    magnitude[r] = sumOfMagnitudes;
    entries[r] = n;
    if (r % slice === slice - 1) yield { what: 'computing the reference', done: r + 1, total: m.rows };
  }
  return { y, magnitude, entries };
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
 * Bound on the error of a sum of `entries` products in f32, in any order, with `roundings` on the way besides those of
 * the sum: gamma_n * magnitude + n * 2^-126 with n = entries + roundings, where `magnitude` is the sum of the products'
 * magnitudes; the second term because WGSL allows every subnormal to be flushed to zero. A sum without entries is
 * exactly 0. Infinite if the magnitudes add up to more than f32 holds: a correct kernel can overflow on the way.
 */
export function sumBound(magnitude: number, entries: number, roundings: number): number {
  if (entries === 0) return 0;
  if (magnitude > F32_MAX) return Number.POSITIVE_INFINITY;
  const n = entries + roundings;
  return gamma(n) * magnitude + n * SMALLEST_NORMAL_F32;
}
