import { CsrMatrix, type Region } from '../../core/matrix/index.ts';
import type { Pruning } from '../../engine/matrix/source-types.ts';
import type { PruningRanks } from '../../engine/matrix/matrix-types.ts';
import type { Ranking } from '../../engine/matrix/pruning-ranks.ts';
import { LatestOnly } from '../../engine/bridge/latest-only.ts';
import { sameEntries, sameRegion } from '../document.ts';
import type { SessionContext } from './session-context.ts';
import type { StoryBuilder } from './story-builder.ts';

// Live pruning: while the user moves a slider, the window (the visible part of the matrix) shows at once what stays.

/** A request for the ranks of the entries in a window: the order in which a pruning keeps them. */
interface RankQuery {
  /** of the unpruned matrix, whose prunings share the ranks */
  readonly baseNumber: number;
  readonly region: Region;
  readonly ranking: Ranking;
  /** null until the worker has answered */
  ranked: PruningRanks | null;
}

export type LivePruning = ReturnType<typeof createLivePruning>;

/** Shows a pruning in the window while it is being chosen, without asking the worker each time. */
export function createLivePruning(context: SessionContext, storyBuilder: StoryBuilder) {
  const { matrix, store, document } = context;
  const requests = new LatestOnly();
  let query: RankQuery | null = null;
  let previewed: Pruning | null = null;

  const apply = (): void => {
    const { summary } = store.getState();
    const ranked = query?.ranked;
    if (previewed && summary && ranked) storyBuilder.preview(prunedWindow(ranked, previewed, summary));
  };

  const isQueryFor = (baseNumber: number, region: Region, ranking: Ranking): boolean =>
    query?.baseNumber === baseNumber && sameEntries(query.ranking, ranking) && sameRegion(query.region, region);

  const requestRanks = async (baseNumber: number, region: Region, ranking: Ranking): Promise<void> => {
    const newQuery: RankQuery = { baseNumber, region, ranking, ranked: null };
    query = newQuery;
    try {
      const ranked = await requests.ask((signal) => matrix.pruningRanks({ signal }, region, ranking));
      const isOpen = ranked.baseNumber === baseNumber && store.getState().summary?.baseNumber === baseNumber;
      if (!isOpen || !sameRegion(document.getState().window, region)) {
        query = null;
        return;
      }
      newQuery.ranked = ranked;
      apply();
    } catch (error) {
      if (query !== newQuery) return;
      query = null;
      const { summary } = store.getState();
      if (summary?.baseNumber === baseNumber)
        await context.failOf(summary.generation, error, 'The preview of the pruning');
    }
  };

  return {
    /** Shows the window with this pruning; null: the actual cells again. */
    show(pruning: Pruning | null): void {
      if (!pruning) {
        previewed = null;
        storyBuilder.preview(null);
        return;
      }
      const { summary, bench } = store.getState();
      const region = document.getState().window;
      if (!summary || !region || bench.running) return;
      previewed = pruning;
      const ranking = rankingOf(pruning);
      if (isQueryFor(summary.baseNumber, region, ranking)) apply();
      else void requestRanks(summary.baseNumber, region, ranking);
    },
  };
}

/** The order in which a pruning keeps entries: the same for every density, or for every N of N:M. */
export function rankingOf(pruning: Pruning): Ranking {
  const { way } = pruning;
  if (way === 'random') return { way, seed: pruning.seed };
  return way === 'n-of-m' ? { way, group: pruning.group } : { way };
}

/** The cells of the window that stay when the whole matrix, of this shape, is pruned, as in the worker. */
export function prunedWindow(ranked: PruningRanks, pruning: Pruning, shape: Pick<Region, 'rows' | 'cols'>): CsrMatrix {
  const { rows, cols, indptr, indices, data, ranks } = ranked;
  const last = lastRank(pruning, shape);
  const ends = new Uint32Array(rows + 1);
  const entries: number[] = [];
  for (let r = 0; r < rows; r++) {
    for (let i = indptr[r]; i < indptr[r + 1]; i++) if (ranks[i] <= last) entries.push(i);
    ends[r + 1] = entries.length;
  }
  return new CsrMatrix({
    rows,
    cols,
    indptr: ends,
    indices: Uint32Array.from(entries, (i) => indices[i]),
    data: Float32Array.from(entries, (i) => data[i]),
  });
}

/** The largest rank of an entry that stays. Ranks count within a group (N:M), a row (by row, Wanda) or the matrix. */
function lastRank(pruning: Pruning, { rows, cols }: Pick<Region, 'rows' | 'cols'>): number {
  if (pruning.way === 'n-of-m') return pruning.kept;
  return Math.round(pruning.density * (pruning.way === 'rows' || pruning.way === 'wanda' ? 1 : rows) * cols);
}
