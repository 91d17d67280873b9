// Progress in exercises, as the browser stores it.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROGRESS_BOUNDS } from '../../../src/core/bounds/bounds.ts';
import { createExerciseProgress } from './exercise-progress.ts';

function storageOf(start: string | null) {
  let text = start;
  return { getItem: () => text, setItem: (_key: string, value: string) => void (text = value) };
}

describe('createExerciseProgress', () => {
  it('stores the best result, over visits', () => {
    const storage = storageOf(null);
    const first = createExerciseProgress(() => storage);
    first.record('1', { done: false, share: 0.2 });
    first.record('1', { done: true, share: 0.5 });
    first.record('1', { done: false, share: 0.3 });
    first.record('2', { done: true, share: null });
    const second = createExerciseProgress(() => storage);
    expect(second.store.getState()).toEqual({ 1: { done: true, share: 0.5 }, 2: { done: true, share: null } });
  });

  it('stores and reads the best of all answers, in any order', () => {
    const answer = fc.record({
      exercise: fc.constantFrom('1', '2', 'csr/3'),
      done: fc.boolean(),
      share: fc.option(fc.constantFrom(0, 0.2, 0.5, 1)),
    });
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 12 }), (answers) => {
        const storage = storageOf(null);
        const expected: Record<string, { done: boolean; share: number | null }> = {};
        for (const [i, { exercise, done, share }] of answers.entries()) {
          // Each is recorded in a separate visit, or in the same one.
          const { record, store } = createExerciseProgress(() => storage);
          record(exercise, { done, share });
          const answersSoFar = answers.slice(0, i + 1).filter((answer) => answer.exercise === exercise);
          const shares = answersSoFar.flatMap((answer) => answer.share ?? []);
          const best = {
            done: answersSoFar.some((answer) => answer.done),
            share: shares.length > 0 ? Math.max(...shares) : null,
          };
          // An answer that is wrong and was not timed is no progress.
          if (best.done || best.share !== null) expected[exercise] = best;
          expect(store.getState()).toEqual(expected);
        }
        const again = createExerciseProgress(() => storage);
        expect(again.store.getState()).toEqual(expected);
        for (const { exercise, done, share } of answers) again.record(exercise, { done, share });
        expect(again.store.getState()).toEqual(expected);
      }),
    );
  });

  it('reads up to the maximum number of exercises, under the key of earlier versions', () => {
    for (const [count, read] of [
      [PROGRESS_BOUNDS.entries, PROGRESS_BOUNDS.entries],
      [PROGRESS_BOUNDS.entries + 1, PROGRESS_BOUNDS.entries],
    ]) {
      const entries = Array.from({ length: count }, (_, i) => [`exercise ${i}`, { done: true, share: 0 }]);
      const text = JSON.stringify(Object.fromEntries(entries));
      const getItem = (key: string): string | null => (key === 'sparsescope.exercises' ? text : null);
      const { store } = createExerciseProgress(() => ({ getItem, setItem: () => {} }));
      expect(Object.keys(store.getState())).toHaveLength(read);
    }
  });

  it.each(['nonsense', '[1]', 'null', '{"1": 3, "2": {"done": 1}}'])('ignores %j', (text) => {
    expect(createExerciseProgress(() => storageOf(text)).store.getState()).toEqual({});
  });

  it('ignores a share that is not a number', () => {
    const read = createExerciseProgress(() => storageOf('{"1": {"done": true, "share": 1e999}}')).store.getState();
    expect(read).toEqual({ 1: { done: true, share: null } });
  });

  it('stays on the page if nothing can be stored', () => {
    const progress = createExerciseProgress(() => {
      throw new Error('blocked');
    });
    progress.record('1', { done: true, share: null });
    expect(progress.store.getState()).toEqual({ 1: { done: true, share: null } });
  });
});
