import { type Job, type Steps, finish } from '../core/job.ts';
import { CsrMatrix, type Matrix, rowBuffer, type RowBuffer } from '../core/matrix/index.ts';
import { atRandom, byMagnitude, type Scoring } from './scores.ts';
import { checkShare } from './spec.ts';

/** How many entries are read between two reports of progress: about 10 ms. */
const SLICE = 2 ** 20;

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

  // the count-th largest score: its upper 15 bits, then its lower 16
  const upper = new Uint32Array(2 ** 15);
  yield* overRows(m, buffer, 0, (row, n) => {
    const scores = scoresOf(row, n);
    for (let i = 0; i < n; i++) upper[scores[i] >>> 16]++;
  });
  const bucket = bucketOfNthLargest(upper, count);
  const lower = new Uint32Array(2 ** 16);
  yield* overRows(m, buffer, 1, (row, n) => {
    const scores = scoresOf(row, n);
    for (let i = 0; i < n; i++) if (scores[i] >>> 16 === bucket.index) lower[scores[i] & 0xffff]++;
  });
  const lowerBucket = bucketOfNthLargest(lower, bucket.rank);
  const threshold = bucket.index * 2 ** 16 + lowerBucket.index;

  let tiesToKeep = lowerBucket.rank;
  let written = 0;
  yield* overRows(m, buffer, 2, (row, n) => {
    // Every entry is copied to `stay`, which advances only if the entry is kept: a branch could not be predicted.
    const scores = scoresOf(row, n);
    let stay = 0;
    for (let i = 0; i < n; i++) {
      const score = scores[i];
      columns[stay] = columns[i];
      bits[stay] = bits[i];
      stay += (threshold - score) >>> 31;
      if (score === threshold && tiesToKeep-- > 0) stay++;
    }
    indices.set(columns.subarray(0, stay), written);
    data.set(values.subarray(0, stay), written);
    written += stay;
    indptr[row + 1] = written;
  });
  return new CsrMatrix({ rows, cols, indptr, indices, data });
}

/** One of three passes: reads every row into `buffer` and calls `visit` with the row and its number of entries. */
function* overRows(
  m: Matrix,
  buffer: RowBuffer,
  pass: number,
  visit: (row: number, entries: number) => void,
): Steps<void> {
  let work = 0;
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    visit(r, n);
    work += n + 64;
    if (work > SLICE) {
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
