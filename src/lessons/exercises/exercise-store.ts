import { useStore } from 'zustand';
import { createExerciseProgress, type ExercisesState } from './exercise-progress.ts';

/** One for the life of the page: lessons and kernels show the same. */
export const exerciseProgress = createExerciseProgress(() => window.localStorage);

/** How far somebody is in every exercise. */
export function useExercises(): ExercisesState {
  return useStore(exerciseProgress.store);
}
