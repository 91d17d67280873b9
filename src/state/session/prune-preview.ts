import { CsrMatrix, type Region } from '../../core/matrix/index.ts';
import type { Pruning } from '../../engine/matrix/pruning-way.ts';
import type { PruningRanks } from '../../engine/matrix/types.ts';
import type { Ranking } from '../../engine/matrix/pruning-ranks.ts';

/** The order in which a pruning keeps entries: the same for every share, or for every N of one M. */
export function rankingOf(pruning: Pruning): Ranking {
  switch (pruning.way) {
    case 'random':
      return { way: pruning.way, seed: pruning.seed };
    case 'n-of-m':
      return { way: pruning.way, group: pruning.group };
    default:
      return { way: pruning.way };
  }
}

/**
 * What a pruning of the whole matrix leaves of its ranked cells: exactly what the worker's pruning leaves of them.
 * `whole` is the shape of the matrix.
 */
export function prunedWindow(ranked: PruningRanks, pruning: Pruning, whole: Pick<Region, 'rows' | 'cols'>): CsrMatrix {
  const { rows, cols, indptr, indices, data, ranks } = ranked;
  const kept = lastRank(pruning, whole);
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

/** The largest rank that stays. */
function lastRank(pruning: Pruning, { rows, cols }: Pick<Region, 'rows' | 'cols'>): number {
  if (pruning.way === 'n-of-m') return pruning.kept;
  return Math.round(pruning.density * (pruning.way === 'rows' || pruning.way === 'wanda' ? 1 : rows) * cols);
}
