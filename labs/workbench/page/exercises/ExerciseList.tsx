import { useStore } from 'zustand';
import { exerciseProgress } from '../../exercises/exercise-progress.ts';
import { DoneMark } from './ExerciseFrame.tsx';

interface ListedExercise {
  /** the key of its progress */
  readonly progress: string;
  readonly title: string;
  /** in a few words */
  readonly summary: string;
  readonly onOpen: () => void;
}

interface ExerciseListProps {
  readonly title: string;
  readonly exercises: readonly ListedExercise[];
  readonly isOpen?: boolean;
}

/** Exercises in order, with the reader's progress. */
export function ExerciseList({ title, exercises, isOpen = false }: ExerciseListProps) {
  const states = useStore(exerciseProgress.store);
  const done = exercises.filter(({ progress }) => states[progress]?.done).length;
  return (
    <details className="mt-4" open={isOpen}>
      <summary className="flex flex-wrap items-center gap-2 font-semibold cursor-pointer min-h-8">
        {title}
        <span className="aside ms-auto font-normal">
          {exercises.length} exercises, {done} done
        </span>
      </summary>
      <ol>
        {exercises.map(({ progress, title: exerciseTitle, summary, onOpen }) => (
          <li key={progress}>
            <button type="button" className="list-row block" onClick={onOpen}>
              <span className="flex gap-2 items-baseline leading-[1.3]">
                {exerciseTitle}
                {states[progress]?.done && <DoneMark />}
              </span>
              <span className="text-muted block">{summary}</span>
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}
