import { CsrMatrix, type Region } from '../core/matrix/index.ts';
import type { Pruning, PruningRanks, RankedWay } from '../worker/protocol.ts';

/** The way of a pruning whose cells can be ranked once for every density; null for the others. */
export function rankedWay(pruning: Pruning): RankedWay | null {
  return pruning.way === 'magnitude' || pruning.way === 'rows' ? pruning.way : null;
}

/**
 * What a pruning of the whole matrix leaves of its ranked cells: exactly what the worker's pruning leaves of them.
 * `whole` is the shape of the matrix.
 */
export function prunedWindow(
  ranked: PruningRanks,
  pruning: Pruning & { readonly density: number },
  whole: Pick<Region, 'rows' | 'cols'>,
): CsrMatrix {
  const { rows, cols, indptr, indices, data, ranks } = ranked;
  const kept = Math.round(pruning.density * (pruning.way === 'rows' ? 1 : whole.rows) * whole.cols);
  const ends = new Uint32Array(rows + 1);
  const stay: number[] = [];
  for (let r = 0; r < rows; r++) {
    for (let i = indptr[r]; i < indptr[r + 1]; i++) if (ranks[i] <= kept) stay.push(i);
    ends[r + 1] = stay.length;
  }
  return new CsrMatrix({
    rows,
    cols,
    indptr: ends,
    indices: Uint32Array.from(stay, (i) => indices[i]),
    data: Float32Array.from(stay, (i) => data[i]),
  });
}
