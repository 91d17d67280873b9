import { useStore } from 'zustand';
import { exercisePath, exercises } from '../../../lessons/exercises/index.ts';
import type { Reading } from '../address.ts';
import { Icon } from '../../../kit/controls/Icon.tsx';
import { percent } from '../../../kit/words/quantity.ts';
import { exerciseProgress } from '../../../lessons/exercises/exercise-progress.ts';

/** The exercises in order, with the reader's progress. */
export function ExerciseList({ onRead }: { readonly onRead: (reading: Partial<Reading>) => void }) {
  const states = useStore(exerciseProgress.store);
  const done = exercises.filter(({ id }) => states[id]?.done).length;
  return (
    <details className="exercise-list">
      <summary>
        Write a kernel
        <span className="aside">
          {exercises.length} exercises, {done} done
        </span>
      </summary>
      <ol>
        {exercises.map(({ id, title, about, goal }) => {
          const state = states[id];
          return (
            <li key={id}>
              <button type="button" onClick={() => onRead({ kernel: exercisePath(id) })}>
                <span className="kernel-name">
                  {title}
                  {state?.done && (
                    <span className="good" title="done">
                      <Icon name="tick" />
                      <span className="unseen">, done</span>
                    </span>
                  )}
                </span>
                <span className="quiet">
                  {about}; goal {percent(goal, 0)}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </details>
  );
}
