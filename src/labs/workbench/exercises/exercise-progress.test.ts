import { describe, expect, it } from 'vitest';
import { createExerciseProgress } from './exercise-progress.ts';

function storageOf(start: string | null) {
  let text = start;
  return { getItem: () => text, setItem: (_key: string, value: string) => void (text = value) };
}

describe('createExerciseProgress', () => {
  it('keeps the best that was reached, over visits', () => {
    const storage = storageOf(null);
    const first = createExerciseProgress(() => storage);
    first.record('1', { done: false, share: 0.2 });
    first.record('1', { done: true, share: 0.5 });
    first.record('1', { done: false, share: 0.3 });
    first.record('2', { done: true, share: null });
    const second = createExerciseProgress(() => storage);
    expect(second.store.getState()).toEqual({ 1: { done: true, share: 0.5 }, 2: { done: true, share: null } });
  });

  it.each(['nonsense', '[1]', 'null', '{"1": 3, "2": {"done": 1}}'])('takes %j for nothing', (text) => {
    expect(createExerciseProgress(() => storageOf(text)).store.getState()).toEqual({});
  });

  it('takes a share that is no number for none', () => {
    const read = createExerciseProgress(() => storageOf('{"1": {"done": true, "share": 1e999}}')).store.getState();
    expect(read).toEqual({ 1: { done: true, share: null } });
  });

  it('holds on the page where nothing can be kept', () => {
    const progress = createExerciseProgress(() => {
      throw new Error('blocked');
    });
    progress.record('1', { done: true, share: null });
    expect(progress.store.getState()).toEqual({ 1: { done: true, share: null } });
  });
});
