import { createStore, type StoreApi } from 'zustand/vanilla';
import { PROGRESS_BOUNDS } from '../../../core/bounds/bounds.ts';
import { isRecord } from '../../../core/bounds/shapes.ts';
import type { PreferenceStorage } from '../../../state/preferences.ts';

/** How far a person got with an exercise. */
interface ExerciseState {
  /** right on every matrix, and as fast as was asked where that could be told */
  readonly done: boolean;
  /** the largest share of the read speed of a kernel that was right, from 0; null where none was timed */
  readonly share: number | null;
}

/** By the number of the exercise. */
type ExercisesState = Readonly<Record<string, ExerciseState>>;

/** How far a person got in the exercises, on this device alone. */
export interface ExerciseProgress {
  readonly store: StoreApi<ExercisesState>;
  /** A kernel was right. What was reached before stays. */
  reached(exercise: string, state: ExerciseState): void;
  forget(): void;
}

const KEY = 'sparsescope.exercises';

/** Progress kept in `storage()`; where that fails it holds until the page is closed. */
export function createExerciseProgress(storage: () => PreferenceStorage): ExerciseProgress {
  const store = createStore<ExercisesState>(() => readState(textOf(storage)));
  const write = (): void => {
    try {
      storage().setItem(KEY, JSON.stringify(store.getState()));
    } catch {
      // Blocked or full storage: it still holds on this page.
    }
  };
  return {
    store,
    reached(exercise, { done, share }) {
      const before = store.getState()[exercise] ?? { done: false, share: null };
      const best = share === null || (before.share !== null && before.share > share) ? before.share : share;
      if (before.done === (before.done || done) && best === before.share) return;
      store.setState({ [exercise]: { done: before.done || done, share: best } });
      write();
    },
    forget() {
      store.setState({}, true);
      write();
    },
  };
}

function textOf(storage: () => PreferenceStorage): string | null {
  try {
    return storage().getItem(KEY);
  } catch {
    return null;
  }
}

/** What a text says; whatever in it is anything else is left out. */
function readState(text: string | null): ExercisesState {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (!isRecord(value)) return {};
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, PROGRESS_BOUNDS.entries)
        .flatMap(([exercise, found]) => {
          const { done, share } = Object.fromEntries(
            typeof found === 'object' && found !== null ? Object.entries(found) : [],
          ) as Partial<Record<keyof ExerciseState, unknown>>;
          const known = typeof share === 'number' && share >= 0 && Number.isFinite(share) ? share : null;
          return typeof done === 'boolean' ? [[exercise, { done, share: known }] as const] : [];
        }),
    );
  } catch {
    return {};
  }
}

/** One for the life of the page: lessons and kernels show the same. */
export const exerciseProgress = createExerciseProgress(() => window.localStorage);
