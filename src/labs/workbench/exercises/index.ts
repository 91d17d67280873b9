import { LessonError } from '../../../lessons/lesson.ts';
import type { Exercise } from './exercise.ts';
import { parseExercise } from './parse.ts';

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

function kernelText(path: string, which: 'start' | 'solution'): string {
  const name = path.replace(/\.md$/, `.${which}.wgsl`);
  const text = kernels[name];
  if (text === undefined) throw new LessonError(`${path}: found no ${name}, which is the text of its ${which}`);
  return text;
}

/** The exercises in order. A malformed text fails the tests, and would throw here. */
export const exercises: readonly Exercise[] = Object.entries(texts)
  .map(([path, text]) =>
    parseExercise(path.replace('./texts/', ''), text, {
      start: kernelText(path, 'start'),
      solution: kernelText(path, 'solution'),
    }),
  )
  .sort((a, b) => Number(a.id) - Number(b.id));
