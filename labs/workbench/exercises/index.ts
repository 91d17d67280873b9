// The exercises about kernels, read from their Markdown and WGSL texts.

import type { Exercise } from './exercise.ts';
import { parseExercise } from './parse-exercise.ts';

export { type Exercise, exerciseIdOf, exercisePath } from './exercise.ts';

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

/** The exercises, in which a reader completes a kernel, by number. A malformed text fails the tests and throws here. */
export const exercises: readonly Exercise[] = Object.entries(texts)
  .map(([path, text]) =>
    parseExercise(path.replace('./texts/', ''), text, kernels[path.replace(/\.md$/, '.wgsl')] ?? ''),
  )
  .sort((a, b) => Number(a.id) - Number(b.id));
