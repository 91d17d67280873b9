import type { Steps } from '../../core/job.ts';
import { rowsPerYield } from '../../core/job.ts';
import { CsrMatrix, type Matrix, rowBuffer } from '../../core/matrix/index.ts';

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
    for (let i = 0; i < n; i++) {
      if (stays[i] === 0) continue;
      indices[at] = buffer.columns[i];
      data[at++] = buffer.values[i];
    }
    indptr[r + 1] = at;
    if (r % pause === 0) yield { what: `pruning to ${kept}:${group}`, done: r, total: m.rows };
  }
  return new CsrMatrix({ rows: m.rows, cols: m.cols, indptr, indices: indices.slice(0, at), data: data.slice(0, at) });
}

/** stays[i] = 1 for the entries of a row that are among the `kept` largest of their group. */
export function markLargest(
  columns: Uint32Array,
  values: Float32Array,
  n: number,
  kept: number,
  group: number,
  stays: Uint8Array,
): void {
  for (let start = 0; start < n;) {
    const limit = Math.floor(columns[start] / group + 1) * group;
    let end = start + 1;
    while (end < n && columns[end] < limit) end++;
    for (let i = start; i < end; i++) stays[i] = 1;
    // Takes the smallest away, one at a time: there are few to take from at most 2N.
    // step: prune
    for (let surplus = end - start - kept; surplus > 0; surplus--) stays[smallest(values, stays, start, end)] = 0;
    start = end;
  }
}

function smallest(values: Float32Array, stays: Uint8Array, start: number, end: number): number {
  let found = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let i = start; i < end; i++) {
    if (stays[i] === 0) continue;
    const magnitude = Math.abs(values[i]);
    if (found < 0 || magnitude < least) {
      found = i;
      least = Number.isNaN(magnitude) ? Number.POSITIVE_INFINITY : magnitude;
    }
  }
  return found;
}
