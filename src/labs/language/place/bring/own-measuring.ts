import { createStore, type StoreApi } from 'zustand/vanilla';
import { countText } from '../../../../core/story/words.ts';
import type { ServiceOf } from '../../../../engine/bridge/service.ts';
import type { ModelAddress } from '../../models/loaded-models.ts';
import { type Recipe, recipeKey } from '../../decoders/stored/recipe.ts';
import { OWN_TEXT } from '../../theory/brought.ts';
import { NewestWork, type Watch, type Working } from '../newest-work.ts';
import type { OwnTextQuality } from '../service/own-text-types.ts';
import type { LanguageService } from '../service/service.ts';

/** A model pruned and rounded in one way, as it predicts the text. */
export interface OwnMeasured {
  readonly recipe: Recipe;
  readonly quality: OwnTextQuality;
}

interface OwnMeasuringState extends Working {
  /** id of the model that was measured; null: none was */
  readonly model: string | null;
  /** that it was measured on */
  readonly text: string;
  /** by recipe, in the order in which they were asked for */
  readonly measured: ReadonlyMap<string, OwnMeasured>;
}

/** Bits of a text of one's own under a model, dense and pruned. */
export interface OwnMeasuring {
  readonly store: StoreApi<OwnMeasuringState>;
  /** Measures recipes one after the other; what was measured of the same model on the same text stays. */
  measure(model: ModelAddress, text: string, recipes: readonly Recipe[]): Promise<void>;
  stop(): void;
}

export function createOwnMeasuring(service: Pick<ServiceOf<LanguageService>, 'ownText'>): OwnMeasuring {
  const store = createStore<OwnMeasuringState>()(() => ({
    model: null,
    text: '',
    measured: new Map(),
    running: null,
    error: null,
  }));
  const newest = new NewestWork(store);
  return {
    store,
    async measure(model, text, recipes) {
      const problem = ownTextProblem(text);
      if (problem !== null) return store.setState({ error: problem });
      const { model: before, text: textBefore, measured } = store.getState();
      const isSame = before === model.id && textBefore === text;
      store.setState({ model: model.id, text, measured: isSame ? measured : new Map() });
      const missing = recipes.filter((recipe) => !store.getState().measured.has(recipeKey(recipe)));
      await newest.run('Measuring your text', async (watch) => {
        for (const [at, recipe] of missing.entries()) {
          const onProgress: Watch['onProgress'] = ({ what, done, total }) =>
            watch.onProgress({ what, done: at + (total > 0 ? done / total : 0), total: missing.length });
          const quality = await service.ownText({ signal: watch.signal, onProgress }, { model, recipe, text });
          if (!watch.isNewest) return;
          store.setState((state) => ({
            measured: new Map(state.measured).set(recipeKey(recipe), { recipe, quality }),
          }));
        }
      });
    },
    stop() {
      newest.stop();
    },
  };
}

/** What is wrong with a text to measure on, as a sentence; null where nothing is. */
export function ownTextProblem(text: string): string | null {
  const { min, max } = OWN_TEXT;
  const found = text.trim().length;
  if (found < min) {
    return `Your text: found ${countText(found)} characters, expected at least ${min}, or its bits say too little.`;
  }
  if (text.length > max) {
    return `Your text: found ${countText(text.length)} characters, expected at most ${countText(max)}.`;
  }
  return null;
}
