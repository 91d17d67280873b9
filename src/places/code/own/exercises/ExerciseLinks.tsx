import { useStore } from 'zustand';
import { exerciseProgress } from '../../../../lessons/exercises/exercise-progress.ts';
import { Icon } from '../../../../kit/controls/Icon.tsx';
import { ownPath, type Reading } from '../../address.ts';
import { OWN_EXERCISES, ownExerciseName } from './own-exercises.ts';

/** What progress is kept under: kernels have exercises of the same numbers. */
export function progressKey(id: string): string {
  return `own ${id}`;
}

/** The exercises with the reader's progress. */
export function ExerciseLinks({ onRead }: { readonly onRead: (reading: Partial<Reading>) => void }) {
  const states = useStore(exerciseProgress.store);
  const isDone = (id: string): boolean => states[progressKey(id)]?.done ?? false;
  const done = OWN_EXERCISES.filter(({ id }) => isDone(id)).length;
  return (
    <section className="own-exercises" aria-labelledby="own-exercises-title">
      <header>
        <h2 id="own-exercises-title">Exercises</h2>
        <span className="quiet">
          {done} of {OWN_EXERCISES.length} done
        </span>
      </header>
      <ol>
        {OWN_EXERCISES.map(({ id, title, about }) => (
          <li key={id}>
            <button type="button" onClick={() => onRead({ kernel: ownPath(ownExerciseName(id)) })}>
              <span className="own-exercise-number">{isDone(id) ? <Icon name="tick" /> : id}</span>
              <b>
                {title}
                {isDone(id) && <span className="unseen">, done</span>}
              </b>
              <span className="quiet">{about}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
