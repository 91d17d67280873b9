// Which exercises the reader has solved.

import { createStore } from 'zustand/vanilla';
import { PROGRESS_BOUNDS } from '../../../src/core/bounds/bounds.ts';
import { isRecord } from '../../../src/core/bounds/shapes.ts';
import { storedText, storeText, type TextStorage } from '../../../src/state/index.ts';

/** A reader's progress in one exercise. */
interface ExerciseState {
  /** correct on every matrix, and as fast as required if the speed could be measured */
  readonly done: boolean;
  /** the largest share of the GPU's read speed that a correct kernel reached, from 0; null if none was timed */
  readonly share: number | null;
}

/** By the `id` of a kernel exercise, or the `progressKey` of an exercise about formats. */
type ExercisesState = Readonly<Record<string, ExerciseState>>;

const KEY = 'sparsescope.exercises';

/** A reader's progress in all exercises, stored in `storage()`; if that fails, it lasts until the page is closed. */
export function createExerciseProgress(storage: () => TextStorage) {
  const store = createStore<ExercisesState>(() => readState(storedText(storage, KEY)));
  const save = (): void => storeText(storage, KEY, JSON.stringify(store.getState()));
  return {
    store,
    /** Records a correct answer. `done` stays true, and the largest share is kept. */
    record(exercise: string, { done, share }: ExerciseState) {
      const before = store.getState()[exercise] ?? { done: false, share: null };
      const best = share === null || (before.share !== null && before.share > share) ? before.share : share;
      if (before.done === (before.done || done) && best === before.share) return;
      store.setState({ [exercise]: { done: before.done || done, share: best } });
      save();
    },
  };
}

/** The progress in a stored text, without entries that are not valid. */
function readState(text: string | null): ExercisesState {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (!isRecord(value)) return {};
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, PROGRESS_BOUNDS.entries)
        .flatMap(([exercise, entry]) => {
          const { done, share } = Object.fromEntries(
            typeof entry === 'object' && entry !== null ? Object.entries(entry) : [],
          ) as Partial<Record<keyof ExerciseState, unknown>>;
          const validShare = typeof share === 'number' && share >= 0 && Number.isFinite(share) ? share : null;
          return typeof done === 'boolean' ? [[exercise, { done, share: validShare }] as const] : [];
        }),
    );
  } catch {
    return {};
  }
}

/** The progress stored in this browser. */
export const exerciseProgress = createExerciseProgress(() => window.localStorage);
