// Lessons and exercises about kernels name each other.

import { expect, it } from 'vitest';
import { lessons } from '../../../src/lessons/index.ts';
import { exercises } from '../exercises/index.ts';

it('lessons name existing exercises, and every exercise is in a lesson', () => {
  const named = lessons.flatMap(({ blocks }) => blocks.flatMap((b) => (b.kind === 'exercise' ? [b.exercise] : [])));
  expect(named.toSorted()).toEqual(exercises.map(({ id }) => id).toSorted());
});
