import { createStore, type StoreApi } from 'zustand/vanilla';
import { countText } from '../../../core/story/words.ts';
import { Newest } from '../../../engine/bridge/newest.ts';
import type { ServiceOf } from '../../../engine/bridge/service.ts';
import type { ModelAddress } from '../../../engine/models/loaded-models.ts';
import { type Recipe, recipeKey } from '../../../language/stored/recipe.ts';
import { asSentence, newJob, type RunningJob } from '../../../state/index.ts';
import { OWN_TEXT } from '../../../theory/models/brought.ts';
import type { OwnTextQuality } from '../service/own-text-types.ts';
import type { language } from '../service/service.ts';

/** A model pruned and rounded in one way, as it predicts the text. */
export interface OwnMeasured {
  readonly recipe: Recipe;
  readonly quality: OwnTextQuality;
}

interface OwnMeasuringState {
  /** id of the model that was measured; null: none was */
  readonly model: string | null;
  /** that it was measured on */
  readonly text: string;
  /** by recipe, in the order in which they were asked for */
  readonly measured: ReadonlyMap<string, OwnMeasured>;
  readonly running: RunningJob | null;
  readonly error: string | null;
}

/** Bits of a text of one's own under a model, dense and pruned. */
export interface OwnMeasuring {
  readonly store: StoreApi<OwnMeasuringState>;
  /** Measures recipes one after the other; what was measured of the same model on the same text stays. */
  measure(model: ModelAddress, text: string, recipes: readonly Recipe[]): Promise<void>;
  stop(): void;
}

export function createOwnMeasuring(service: Pick<ServiceOf<typeof language>, 'ownText'>): OwnMeasuring {
  const store = createStore<OwnMeasuringState>()(() => ({
    model: null,
    text: '',
    measured: new Map(),
    running: null,
    error: null,
  }));
  const newest = new Newest();
  return {
    store,
    async measure(model, text, recipes) {
      const problem = ownTextProblem(text);
      if (problem !== null) return store.setState({ error: problem });
      const turn = newest.begin();
      const { model: before, text: textBefore, measured } = store.getState();
      const isSame = before === model.id && textBefore === text;
      store.setState({
        model: model.id,
        text,
        measured: isSame ? measured : new Map(),
        running: newJob('Measuring your text'),
        error: null,
      });
      const missing = recipes.filter((recipe) => !store.getState().measured.has(recipeKey(recipe)));
      try {
        for (const [at, recipe] of missing.entries()) {
          const quality = await service.ownText(
            {
              signal: turn.signal,
              onProgress: ({ what, done, total }) => {
                if (!turn.isNewest) return;
                const share = total > 0 ? done / total : 0;
                const progress = { what, done: at + share, total: missing.length };
                store.setState(({ running }) => ({ running: running && { ...running, progress } }));
              },
            },
            { model, recipe, text },
          );
          if (!turn.isNewest) return;
          store.setState(({ measured: all }) => ({
            measured: new Map(all).set(recipeKey(recipe), { recipe, quality }),
          }));
        }
        if (turn.isNewest) store.setState({ running: null });
      } catch (failure) {
        if (!turn.isNewest) return;
        const isCancelled = failure instanceof Error && failure.name === 'CancelledError';
        const message = failure instanceof Error ? failure.message : String(failure);
        store.setState({ running: null, error: isCancelled ? 'Stopped.' : asSentence(message) });
      }
    },
    stop() {
      newest.cancel();
    },
  };
}

/** What is wrong with a text to measure on, as a sentence; null where nothing is. */
export function ownTextProblem(text: string): string | null {
  const { least, most } = OWN_TEXT;
  const found = text.trim().length;
  if (found < least) {
    return `Your text: found ${countText(found)} characters, expected at least ${least}, or its bits say too little.`;
  }
  if (text.length > most) {
    return `Your text: found ${countText(text.length)} characters, expected at most ${countText(most)}.`;
  }
  return null;
}
