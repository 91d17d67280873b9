import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ServiceOf } from '../../../engine/bridge/service.ts';
import { type Recipe, recipeKey } from '../../../language/stored/recipe.ts';
import { NewestWork, type Working } from '../newest-work.ts';
import type { MeasuredQuality } from '../service/quality-types.ts';
import type { language } from '../service/service.ts';
import type { ModelAddress } from '../../../engine/models/loaded-models.ts';

/** Tales of each point, growing: a first picture soon, then one that tells more. */
export const GROWING = [
  { tales: 6, judged: 0 },
  { tales: 12, judged: 16 },
  { tales: 48, judged: 48 },
] as const;

/** What was measured here of one model. */
export interface MeasuringState extends Working {
  readonly model: string | null;
  /** by the key of the recipe */
  readonly points: ReadonlyMap<string, { readonly recipe: Recipe; readonly measured: MeasuredQuality }>;
}

export interface Measuring {
  readonly store: StoreApi<MeasuringState>;
  /** Forgets what belongs to another model. */
  show(model: string): void;
  /** Measures each recipe on a few tales, then all on more. */
  measure(model: ModelAddress, recipes: readonly Recipe[]): Promise<void>;
  stop(): void;
}

const NOTHING: MeasuringState = {
  model: null,
  points: new Map(),
  running: null,
  error: null,
};

/** Measurements in the worker, of which the newest runs; what was measured stays. */
export function createMeasuring(service: Pick<ServiceOf<typeof language>, 'quality'>): Measuring {
  const store = createStore<MeasuringState>(() => NOTHING);
  const newest = new NewestWork(store, null);

  const show = (model: string): void => {
    if (store.getState().model === model) return;
    newest.stop();
    store.setState({ ...NOTHING, model });
  };

  return {
    store,
    show,
    async measure(model, recipes) {
      show(model.id);
      await newest.run('Measuring', async (watch) => {
        const isNewest = (): boolean => watch.isNewest && !watch.signal.aborted;
        for (const [round, more] of GROWING.entries()) {
          for (const [at, recipe] of recipes.entries()) {
            const keep = (measured: MeasuredQuality): void => {
              if (!isNewest()) return;
              store.setState(({ points }) => ({
                points: new Map(points).set(recipeKey(recipe), { recipe, measured }),
              }));
            };
            // Its own steps would fill the bar anew for each point.
            watch.onProgress({
              what: `${more.tales} tales each`,
              done: round * recipes.length + at,
              total: GROWING.length * recipes.length,
            });
            keep(await service.quality({ signal: watch.signal }, { model, recipe, ...more }, keep));
            if (!isNewest()) return;
          }
        }
      });
    },
    stop() {
      newest.stop();
      store.setState({ running: null });
    },
  };
}
