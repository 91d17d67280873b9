/* Pruning of a matrix: by magnitude (whole matrix or row by row), at random, and by Wanda's scores. */

import { type Job, type Steps, finish, rowsPerYield } from '../core/job.ts';
import { CsrMatrix, type Matrix, rowBuffer, type RowBuffer } from '../core/matrix/index.ts';
import { checkShare } from './spec.ts';
import { MatrixError } from '../core/errors.ts';
import { mix, rowSeed } from './seeds.ts';

/** Scores of 31 bits for the first `n` entries of the row that was read last; valid until the next call. */
type RowScores = (row: number, n: number) => Uint32Array;

/**
 * Makes the scores of a pruning from the buffer that rows are read into. A pruning keeps the entries with the largest
 * scores, of equal ones the first in row-major order: cells that stay at one density also stay at any larger one.
 */
export type Scoring = (buffer: RowBuffer) => RowScores;

/** Scores by magnitude; NaN counts as larger than infinity. */
export const byMagnitude: Scoring = ({ values }) => {
  // The bits of an f32 without its sign are in the order of the magnitudes.
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const scores = new Uint32Array(values.length);
  return (_row, n) => {
    for (let i = 0; i < n; i++) scores[i] = bits[i] & 0x7fffffff;
    return scores;
  };
};

/**
 * Pseudo-random scores: a hash of seed, row and column, independent of values. The buffer has space for every column.
 */
export function atRandom(seed: number): Scoring {
  return ({ columns }) => {
    const scores = new Uint32Array(columns.length);
    // Hashed before they are combined with the row's key: otherwise rows with similar keys would have shifted scores.
    const columnKeys = Int32Array.from(scores, (_, column) => mix(column) | 0);
    return (row, n) => {
      const rowKey = rowSeed(seed, row) | 0;
      for (let i = 0; i < n; i++) {
        // The same as `mix`, written out because this loop is hot.
        let z = (rowKey + columnKeys[columns[i]]) | 0;
        z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
        z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
        scores[i] = (z ^ (z >>> 16)) >>> 1;
      }
      return scores;
    };
  };
}

/** How many entries are read between two reports of progress: about 10 ms. A row counts ROW_COST entries more. */
const ENTRIES_PER_STEP = 2 ** 20;
const ROW_COST = 64;

/**
 * Magnitude pruning of a whole matrix: keeps its round(density * rows * cols) largest entries; of equal ones the first
 * in row-major order. A matrix with no more entries is returned unchanged. NaN counts as larger than infinity. Throws
 * MatrixError unless density is from 0 to 1. Three passes, O(rows * cols) at worst; memory of the result and 384 KiB.
 */
export function pruneByMagnitude(m: Matrix, density: number, job?: Job): Matrix {
  return finish(pruneSteps(m, density), job);
}

/** `pruneByMagnitude` as a generator of steps; `scoring` decides which entries are largest. */
export function* pruneSteps(m: Matrix, density: number, scoring: Scoring = byMagnitude): Steps<Matrix> {
  checkShare(density);
  const count = Math.round(density * m.rows * m.cols);
  return count >= m.nnz ? m : yield* keepLargestSteps(m, count, scoring);
}

/**
 * Random pruning: keeps round(density * rows * cols) entries, chosen by a hash of seed, row and column. Entries that
 * stay at one density also stay at any larger one. Otherwise like `pruneByMagnitude`.
 */
export function pruneAtRandomSteps(m: Matrix, density: number, seed: number): Steps<Matrix> {
  return pruneSteps(m, density, atRandom(seed));
}

/** The `count` entries with the largest scores, of equal ones the first. Memory: the result and 384 KiB. */
export function* keepLargestSteps(m: Matrix, count: number, scoring: Scoring = byMagnitude): Steps<CsrMatrix> {
  const { rows, cols } = m;
  const indptr = new Uint32Array(rows + 1);
  const indices = new Uint32Array(count);
  const data = new Float32Array(count);
  if (count === 0) return new CsrMatrix({ rows, cols, indptr, indices, data });

  const buffer = rowBuffer(cols);
  const { columns, values } = buffer;
  // Copied as bits: reading and writing a NaN may change it.
  const bits = new Uint32Array(values.buffer);
  const scoresOf = scoring(buffer);

  // The count-th largest score is the threshold. Two histograms find it: first its upper 15 bits, then its lower 16.
  const upperCounts = new Uint32Array(2 ** 15);
  yield* visitRows(m, buffer, 0, (row, n) => {
    const scores = scoresOf(row, n);
    for (let i = 0; i < n; i++) upperCounts[scores[i] >>> 16]++;
  });
  const bucket = bucketOfNthLargest(upperCounts, count);
  const lowerCounts = new Uint32Array(2 ** 16);
  yield* visitRows(m, buffer, 1, (row, n) => {
    const scores = scoresOf(row, n);
    for (let i = 0; i < n; i++) if (scores[i] >>> 16 === bucket.index) lowerCounts[scores[i] & 0xffff]++;
  });
  const lowerBucket = bucketOfNthLargest(lowerCounts, bucket.rank);
  const threshold = bucket.index * 2 ** 16 + lowerBucket.index;

  let tiesToKeep = lowerBucket.rank;
  let written = 0;
  yield* visitRows(m, buffer, 2, (row, n) => {
    // Every entry is copied to index `keptCount`, which advances only if the entry is kept: a branch could not be predicted.
    const scores = scoresOf(row, n);
    let keptCount = 0;
    for (let i = 0; i < n; i++) {
      const score = scores[i];
      columns[keptCount] = columns[i];
      bits[keptCount] = bits[i];
      keptCount += (threshold - score) >>> 31; // 1 if the score is above the threshold
      if (score === threshold && tiesToKeep-- > 0) keptCount++;
    }
    indices.set(columns.subarray(0, keptCount), written);
    data.set(values.subarray(0, keptCount), written);
    written += keptCount;
    indptr[row + 1] = written;
  });
  return new CsrMatrix({ rows, cols, indptr, indices, data });
}

/** One of three passes: reads every row into `buffer` and calls `visit` with the row and its number of entries. */
function* visitRows(
  m: Matrix,
  buffer: RowBuffer,
  pass: number,
  visit: (row: number, entries: number) => void,
): Steps<void> {
  let work = 0;
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    visit(r, n);
    work += n + ROW_COST;
    if (work > ENTRIES_PER_STEP) {
      yield { what: 'Pruning', done: pass * m.rows + r, total: 3 * m.rows };
      work = 0;
    }
  }
}

/** The bucket of a histogram with the `n`-th largest element, and the rank of that element in it, from 1. */
function bucketOfNthLargest(histogram: Uint32Array, n: number): { index: number; rank: number } {
  let index = histogram.length - 1;
  let rank = n;
  while (histogram[index] < rank) rank -= histogram[index--];
  return { index, rank };
}

/**
 * Pruning row by row: keeps the round(density * cols) entries of every row with the largest scores, by default their
 * magnitudes; of equal ones the first. NaN counts as larger than infinity. Throws MatrixError unless density is from 0
 * to 1. O(rows * cols) on average; memory: the result and three rows.
 */
export function* pruneRowsSteps(m: Matrix, density: number, scoring: Scoring = byMagnitude): Steps<CsrMatrix> {
  checkShare(density);
  const { rows, cols } = m;
  const keptPerRow = Math.round(density * cols);
  const maxEntries = Math.min(m.nnz, keptPerRow * rows);
  const indptr = new Uint32Array(rows + 1);
  const indices = new Uint32Array(maxEntries);
  const data = new Float32Array(maxEntries);
  const { columns, values } = rowBuffer(cols);
  const scoresOf = scoring({ columns, values });
  const reorderedScores = new Uint32Array(cols);
  const rowsPerStep = rowsPerYield(cols);
  let written = 0;
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, { columns, values });
    if (n <= keptPerRow) {
      indices.set(columns.subarray(0, n), written);
      data.set(values.subarray(0, n), written);
      written += n;
    } else if (keptPerRow > 0) {
      const scores = scoresOf(r, n);
      reorderedScores.set(scores.subarray(0, n));
      const threshold = nthLargest(reorderedScores, n, keptPerRow);
      let tiesToKeep = keptPerRow;
      for (let i = 0; i < n; i++) tiesToKeep -= scores[i] > threshold ? 1 : 0;
      for (let i = 0; i < n; i++) {
        if (scores[i] < threshold || (scores[i] === threshold && tiesToKeep-- <= 0)) continue;
        indices[written] = columns[i];
        data[written++] = values[i];
      }
    }
    indptr[r + 1] = written;
    if (r % rowsPerStep === rowsPerStep - 1) yield { what: 'Pruning', done: r + 1, total: rows };
  }
  return new CsrMatrix({ rows, cols, indptr, indices: indices.slice(0, written), data: data.slice(0, written) });
}

/** The `k`-th largest (`k` from 1) of the first `n` numbers, which are reordered. O(n) on average (Hoare). */
function nthLargest(numbers: Uint32Array, n: number, k: number): number {
  const index = k - 1;
  let low = 0;
  let high = n - 1;
  while (low < high) {
    const pivot = numbers[(low + high) >>> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (numbers[i] > pivot) i++;
      while (numbers[j] < pivot) j--;
      if (i > j) break;
      [numbers[i], numbers[j]] = [numbers[j], numbers[i]];
      i++;
      j--;
    }
    if (index <= j) high = j;
    else if (index >= i) low = i;
    else break;
  }
  return numbers[index];
}

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
