import type { Steps } from '../../core/job.ts';
import { rowsPerYield } from '../../core/job.ts';
import { CsrMatrix, type Matrix, type RowBuffer, rowBuffer } from '../../core/matrix/index.ts';

/**
 * Prunes to Z:L: per group of L columns of a row the Z largest magnitudes stay; of equal ones the higher column stays
 * (the lowest index goes). Columns that a short last group lacks count as zeros. NaN counts as larger than everything.
 * O(rows * cols) at worst, memory: the result and one row.
 */
export function* pruneToPatternSteps(m: Matrix, kept: number, group: number): Steps<CsrMatrix> {
  if (!Number.isInteger(kept) || !Number.isInteger(group) || group < 1 || kept < 0 || kept > group) {
    throw new RangeError(`pattern: found ${kept}:${group}, expected whole numbers with 0 <= kept <= group, group >= 1`);
  }
  const buffer = rowBuffer(m.cols);
  const indptr = new Uint32Array(m.rows + 1);
  const indices = new Uint32Array(m.nnz);
  const data = new Float32Array(m.nnz);
  const stays = new Uint8Array(m.cols);
  const pause = rowsPerYield(m.cols);
  let at = 0;
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    markLargest(buffer.columns, buffer.values, n, kept, group, stays);
    at = copyMarked(buffer, n, stays, indices, data, at);
    indptr[r + 1] = at;
    if (r % pause === 0) yield { what: `pruning to ${kept}:${group}`, done: r, total: m.rows };
  }
  // Copying a few GB to save a quarter of them is not worth the time; to save half, it is.
  const isFull = at > m.nnz / 2;
  return new CsrMatrix({
    rows: m.rows,
    cols: m.cols,
    indptr,
    indices: isFull ? indices.subarray(0, at) : indices.slice(0, at),
    data: isFull ? data.subarray(0, at) : data.slice(0, at),
  });
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
export function markLargest(
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
        const isNext = (larger - next) >> 31;
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
