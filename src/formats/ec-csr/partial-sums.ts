import type { EcCsrEncoded } from './layout.ts';

/**
 * The order of the blocks' sums. The sum of block row i (a row of a block, counted through `rowIndices`) is at
 * `places[i]` of the partial sums; those of matrix row r are partialPtr[r] .. partialPtr[r + 1], in the order of
 * blocks.
 */
export interface PartialSums {
  readonly places: Uint32Array;
  /** rows + 1 */
  readonly partialPtr: Uint32Array;
}

const known = new WeakMap<Uint32Array, PartialSums>();

/**
 * The partial sums of an encoded matrix, cached per matrix, so that kernels share their upload. O(rows + block rows).
 */
export function partialSums({ rows, rowIndices }: Pick<EcCsrEncoded, 'rows' | 'rowIndices'>): PartialSums {
  let found = known.get(rowIndices);
  if (!found) {
    const partialPtr = new Uint32Array(rows + 1);
    for (const row of rowIndices) partialPtr[row + 1]++;
    for (let r = 0; r < rows; r++) partialPtr[r + 1] += partialPtr[r];
    const next = partialPtr.slice(0, rows);
    found = { places: rowIndices.map((row) => next[row]++), partialPtr };
    known.set(rowIndices, found);
  }
  return found;
}
