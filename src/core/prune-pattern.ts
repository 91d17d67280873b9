import { MatrixError } from './errors.ts';
import { rowsPerYield, type Steps } from './job.ts';
import { CsrMatrix, type Matrix, type RowBuffer, rowBuffer } from './matrix/index.ts';

/** Largest group of a pattern. */
const MAX_GROUP = 64;

/**
 * The matrix with the `kept` largest entries by magnitude of every `group` neighbours in a row; of equal ones those in
 * higher columns. Columns that a short last group lacks count as zeros, NaN as larger than infinity. Throws MatrixError
 * unless 1 <= kept <= group <= 64. O(rows * cols) at worst; memory: the result and one row.
 */
export function* pruneToPatternSteps(m: Matrix, kept: number, group: number): Steps<CsrMatrix> {
  checkPattern(kept, group);
  const buffer = rowBuffer(m.cols);
  const indptr = new Uint32Array(m.rows + 1);
  // One more than can stay: an entry is written before it is known whether it does.
  const room = Math.min(m.nnz, m.rows * Math.ceil(m.cols / group) * kept) + 1;
  const indices = new Uint32Array(room);
  const data = new Float32Array(room);
  const stays = new Uint8Array(m.cols);
  const pause = rowsPerYield(m.cols);
  let at = 0;
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    markLargest(buffer.columns, buffer.values, n, kept, group, stays);
    at = copyMarked(buffer, n, stays, indices, data, at);
    indptr[r + 1] = at;
    if (r % pause === pause - 1) yield { what: 'Pruning', done: r + 1, total: m.rows };
  }
  // Copying a few GB to save a quarter of them is not worth the time; to save half, it is.
  const isFull = at > room / 2;
  return new CsrMatrix({
    rows: m.rows,
    cols: m.cols,
    indptr,
    indices: isFull ? indices.subarray(0, at) : indices.slice(0, at),
    data: isFull ? data.subarray(0, at) : data.slice(0, at),
  });
}

/** Throws MatrixError unless 1 <= kept <= group <= 64, whole numbers. */
export function checkPattern(kept: number, group: number): void {
  if (Number.isInteger(kept) && Number.isInteger(group) && kept >= 1 && group <= MAX_GROUP && kept <= group) return;
  throw new MatrixError(`pattern: found ${kept}:${group}, expected whole numbers N:M with 1 <= N <= M <= ${MAX_GROUP}`);
}

/** Copies the entries with stays[i] = 1 to `at` and following; returns where the next one goes. */
function copyMarked(
  { columns, values }: RowBuffer,
  n: number,
  stays: Uint8Array,
  indices: Uint32Array,
  data: Float32Array,
  at: number,
): number {
  // Always written, and kept by moving on: which entries stay cannot be predicted.
  for (let i = 0; i < n; i++) {
    indices[at] = columns[i];
    data[at] = values[i];
    at += stays[i];
  }
  return at;
}

/** Every NaN counts as this, larger than infinity. */
const NAN_MAGNITUDE = 0x7f800001;
/** An entry that has been taken away. */
const GONE = 0x7fffffff;

/** stays[i] = 1 for the entries of a row that are among the `kept` largest of their group. */
function markLargest(
  columns: Uint32Array,
  values: Float32Array,
  n: number,
  kept: number,
  group: number,
  stays: Uint8Array,
): void {
  // The bits of an f32 without its sign are in the order of the magnitudes.
  const bits = new Uint32Array(values.buffer, values.byteOffset, n);
  stays.fill(1, 0, n);
  let limit = group;
  for (let start = 0; start < n;) {
    // Steps where the groups are filled, a division where many are empty.
    if (columns[start] >= limit + group) limit = Math.floor(columns[start] / group) * group;
    while (columns[start] >= limit) limit += group;
    let end = start + 1;
    while (end < n && columns[end] < limit) end++;
    // Takes the two smallest away at a time: a full group of (2N-2):2N gives up just these.
    for (let surplus = end - start - kept; surplus > 0; surplus -= 2) {
      let first = start;
      let second = start;
      let least = GONE;
      let next = GONE;
      for (let i = start; i < end; i++) {
        const magnitude = stays[i] === 0 ? GONE : Math.min(bits[i] & 0x7fffffff, NAN_MAGNITUDE);
        // Without branches, since magnitudes cannot be predicted: a mask is -1 where the difference is negative, else 0.
        const isLeast = (magnitude - least) >> 31;
        const larger = magnitude ^ ((magnitude ^ least) & isLeast);
        const largerAt = i ^ ((i ^ first) & isLeast);
        least ^= (least ^ magnitude) & isLeast;
        first ^= (first ^ i) & isLeast;
        // What was least until now comes before an equal one in a higher column.
        const isNext = isLeast | ((larger - next) >> 31);
        next ^= (next ^ larger) & isNext;
        second ^= (second ^ largerAt) & isNext;
      }
      // step: prune
      stays[first] = 0;
      if (surplus > 1) stays[second] = 0;
    }
    start = end;
  }
}
