import type { Region } from '../core/matrix/index.ts';
import type { Pruning, PruningRanks, RankedWay } from '../worker/protocol.ts';
import { sameRegion } from './document.ts';
import { prunedWindow, rankedWay } from './prune-preview.ts';
import type { SessionContext } from './session-context.ts';
import type { Stage } from './stage.ts';

/** Shows what a pruning leaves in the window while it is being chosen, without asking the worker each time. */
export interface LivePruning {
  /** Random and N:M prunings are not shown before they are there; null: what is there is shown again. */
  show(pruning: Pruning | null): void;
}

/** What the ranks are of. */
interface Asked {
  readonly generation: number;
  readonly region: Region;
  readonly way: RankedWay;
  readonly job: number;
  ranked: PruningRanks | null;
}

export function createLivePruning(context: SessionContext, stage: Stage): LivePruning {
  const { engine, store, document } = context;
  let asked: Asked | null = null;
  let wanted: Pruning | null = null;

  const apply = (): void => {
    const { summary } = store.getState();
    const ranked = asked?.ranked;
    if (!wanted || !('density' in wanted) || !summary || !ranked) return;
    stage.preview(prunedWindow(ranked, wanted, summary));
  };

  const isFor = (held: Asked | null, region: Region, way: RankedWay): boolean =>
    held !== null &&
    held.generation === store.getState().summary?.generation &&
    held.way === way &&
    sameRegion(held.region, region);

  const ask = async (region: Region, way: RankedWay, generation: number): Promise<void> => {
    if (asked && !asked.ranked) void engine.cancel(asked.job).catch(context.fail);
    const mine: Asked = { generation, region, way, job: context.newJob('Ranking').id, ranked: null };
    asked = mine;
    try {
      const ranked = await engine.pruningRanks(mine.job, region, way);
      if (asked !== mine) return;
      if (ranked.generation !== generation) {
        asked = null;
        return;
      }
      mine.ranked = ranked;
      apply();
    } catch (error) {
      if (asked !== mine) return;
      asked = null;
      context.fail(error);
    }
  };

  return {
    show(pruning) {
      if (!pruning) {
        wanted = null;
        stage.preview(null);
        return;
      }
      const { summary, bench, opening } = store.getState();
      const region = document.getState().window;
      const way = rankedWay(pruning);
      if (!summary || !region || !way || bench.running || opening) return;
      wanted = pruning;
      if (isFor(asked, region, way)) apply();
      else void ask(region, way, summary.generation);
    },
  };
}
