import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { RecordedQuality } from '../../decoders/quality/recorded.ts';
import { blockWeights, type Recipe, recipeKey } from '../../decoders/stored/recipe.ts';
import type { LanguageSubject } from '../subject.ts';
import { useQuality } from '../../overrides/use-quality.ts';
import { measuredPoint, type QualityPoint, recordedPoints } from './points.ts';
import { type App, useApp } from '../../../../kit/app-context.ts';
import type { LanguageService } from '../service/service.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ServiceOf } from '../../../../engine/bridge/service.ts';
import { NewestWork, type Working } from '../newest-work.ts';
import type { MeasuredQuality } from '../service/quality-types.ts';
import type { ModelAddress } from '../../models/loaded-models.ts';

/** Tales of each point, growing: a first picture soon, then one that tells more. */
export const GROWING = [
  { tales: 6, judged: 0 },
  { tales: 12, judged: 16 },
  { tales: 48, judged: 48 },
] as const;

/** What was measured here of one model. */
interface MeasuringState extends Working {
  readonly model: string | null;
  /** by the key of the recipe */
  readonly points: ReadonlyMap<string, { readonly recipe: Recipe; readonly measured: MeasuredQuality }>;
}

interface Measuring {
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
export function createMeasuring(service: Pick<ServiceOf<LanguageService>, 'quality'>): Measuring {
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

const measuringOfApp = new WeakMap<App['session'], Measuring>();

/** The page's measurements of a model: they stay when the place is left. */
function useMeasuring(model: string): Measuring {
  const { session, engine } = useApp();
  const known = measuringOfApp.get(session);
  const measuring = known ?? createMeasuring(engine.service<LanguageService>('language'));
  if (!known) measuringOfApp.set(session, measuring);
  useEffect(() => measuring.show(model), [measuring, model]);
  return measuring;
}

/** All that is known of a model's quality. */
export interface KnownQuality {
  /** null while it is not there, and where nothing was recorded */
  readonly recorded: RecordedQuality | null;
  readonly measuring: Measuring;
  /** of this model; null: nothing was measured here */
  readonly mine: MeasuringState | null;
  /** what is drawn: the recording, or what was measured here */
  readonly points: readonly QualityPoint[];
  /** measured here, over a recording */
  readonly live: readonly QualityPoint[];
  readonly bytesPerTale: number;
  /** of the blocks' matrices in f16 */
  readonly denseBytes: number;
  /** fewest bits per byte; null before anything is known */
  readonly floor: number | null;
}

/** Bytes of a tale before any was measured (docs/language.md). */
const USUAL_BYTES = 950;

export function useKnownQuality({ model }: LanguageSubject): KnownQuality {
  const recorded = useQuality(model.id);
  const measuring = useMeasuring(model.id);
  const state = useStore(measuring.store);
  const mine = state.model === model.id ? state : null;
  const denseBytes = 2 * blockWeights(model.shape);
  const first = mine ? [...mine.points.values()][0]?.measured : undefined;
  const known = recorded ?? (first && first.tales > 0 ? first : null);
  const bytesPerTale = known ? known.bytes / known.tales : USUAL_BYTES;
  const measured = useMemo(
    () =>
      [...(mine?.points.values() ?? [])]
        .filter((one) => isOneDensity(one.recipe) && one.measured.tales > 1)
        .map((one) => measuredPoint(one.recipe, one.measured, bytesPerTale)),
    [mine?.points, bytesPerTale],
  );
  const points = useMemo(
    () => (recorded ? recordedPoints(recorded, denseBytes) : measured),
    [recorded, measured, denseBytes],
  );
  return {
    recorded,
    measuring,
    mine,
    points,
    live: recorded ? measured : NONE,
    bytesPerTale,
    denseBytes,
    floor: recorded?.floor.exact ?? first?.floor ?? null,
  };
}

const NONE: readonly QualityPoint[] = [];

/** Whether all matrices have one density, so that the point has a place along the axis. */
function isOneDensity({ pruning }: Recipe): boolean {
  return !('density' in pruning) || typeof pruning.density === 'number';
}
