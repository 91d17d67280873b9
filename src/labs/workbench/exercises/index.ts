import type { Exercise } from './exercise.ts';
import { parseExercise } from './parse-exercise.ts';

export { type Exercise, exerciseAt, exercisePath } from './exercise.ts';

const texts: Readonly<Record<string, string>> = import.meta.glob('./texts/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const kernels: Readonly<Record<string, string>> = import.meta.glob('./texts/*.wgsl', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The exercises in order. A malformed text fails the tests, and would throw here. */
export const exercises: readonly Exercise[] = Object.entries(texts)
  .map(([path, text]) =>
    parseExercise(path.replace('./texts/', ''), text, kernels[path.replace(/\.md$/, '.wgsl')] ?? ''),
  )
  .sort((a, b) => Number(a.id) - Number(b.id));
