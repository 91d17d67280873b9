import { MatrixError } from '../core/errors.ts';
import type { Steps } from '../core/job.ts';
import type { Matrix } from '../core/matrix/index.ts';
import { pruneRowsSteps } from './prune-rows.ts';
import type { Scoring } from './scores.ts';

/** The Euclidean norm of every column of row-major activations, in f64. Throws RangeError if a row is incomplete. */
export function columnNorms(activations: Float32Array, cols: number): Float32Array {
  if (cols === 0 || activations.length % cols !== 0) {
    throw new RangeError(`activations: found ${activations.length} values, expected a multiple of ${cols} columns`);
  }
  const squares = new Float64Array(cols);
  for (let start = 0; start < activations.length; start += cols) {
    for (let c = 0; c < cols; c++) squares[c] += activations[start + c] ** 2;
  }
  return Float32Array.from(squares, Math.sqrt);
}

/** Scores of Wanda: |w| times the norm of the column's activations, in f32. NaN counts as larger than infinity. */
export function byWanda(norms: Float32Array): Scoring {
  return ({ columns, values }) => {
    const products = new Float32Array(values.length);
    // The bits of f32 numbers without a sign are in the order of their magnitudes.
    const scores = new Uint32Array(products.buffer);
    return (_row, n) => {
      for (let i = 0; i < n; i++) products[i] = Math.abs(values[i]) * norms[columns[i]];
      return scores;
    };
  };
}

/**
 * Wanda pruning: keeps the round(density * cols) entries of every row whose |w| times the norm of their column's
 * activations is largest; of equal ones the first. A row is an output, a column an input: `norms` has one for each
 * column, from activations on calibration data, not on test data. Throws MatrixError when density is not from 0 to 1 or
 * when there is not a norm for each column. O(rows * cols) on average. Source: Sun et al., A Simple and Effective
 * Pruning Approach for Large Language Models (Wanda), 2024.
 */
export function* pruneByWandaSteps(m: Matrix, density: number, norms: Float32Array): Steps<Matrix> {
  if (norms.length !== m.cols) {
    throw new MatrixError(`norms: found ${norms.length}, expected one for each of ${m.cols} columns`);
  }
  return yield* pruneRowsSteps(m, density, byWanda(norms));
}
