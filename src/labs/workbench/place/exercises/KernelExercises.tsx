import { exercisePath, exercises } from '../../exercises/index.ts';
import { percent } from '../../../../kit/words/quantity.ts';
import type { Working } from '../address.ts';
import { ExerciseList } from './ExerciseList.tsx';

/** The kernels to be written, below those that are there. */
export function KernelExercises({ onRead }: { readonly onRead: (reading: Partial<Working>) => void }) {
  return (
    <ExerciseList
      title="Write a kernel"
      exercises={exercises.map(({ id, title, about, goal }) => ({
        progress: id,
        title,
        about: `${about}; goal ${percent(goal, 0)}`,
        onOpen: () => onRead({ kernel: exercisePath(id) }),
      }))}
    />
  );
}
