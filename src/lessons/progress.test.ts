import { describe, expect, it } from 'vitest';
import { createProgress } from './progress.ts';

function storageOf(text: string | null): {
  kept: string | null;
  getItem(): string | null;
  setItem(k: string, v: string): void;
} {
  return {
    kept: text,
    getItem() {
      return this.kept;
    },
    setItem(_key, value) {
      this.kept = value;
    },
  };
}

describe('progress in the lessons', () => {
  it('is there again on the next visit, until it is forgotten', () => {
    const storage = storageOf(null);
    const first = createProgress(() => storage);
    first.read('gaps', 3);
    first.read('gaps', 2);
    first.answer('gaps', 'q', 4, false);
    first.answer('gaps', 'q', 5, true);
    first.answer('gaps', 'q', 6, false);
    const again = createProgress(() => storage);
    expect(again.store.getState()).toEqual({
      gaps: { paragraph: 2, answers: { q: { answer: 6, right: false, solved: true, tries: 3 } } },
    });
    again.forget();
    expect(createProgress(() => storage).store.getState()).toEqual({});
  });

  it.each(['no JSON', '7', 'null', '[1]', '{"gaps":7}', '{"gaps":{"paragraph":-1,"answers":{"q":{"answer":null}}}}'])(
    'takes from %s only what makes sense',
    (text) => {
      for (const { paragraph, answers } of Object.values(createProgress(() => storageOf(text)).store.getState()))
        expect({ paragraph, answers }).toEqual({ paragraph: 0, answers: {} });
    },
  );

  it('takes no more lessons and answers than there can be', () => {
    const lesson = { paragraph: 1, answers: {} };
    const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`lesson ${i}`, lesson]));
    const read = createProgress(() => storageOf(JSON.stringify(many))).store.getState();
    expect(Object.keys(read)).toHaveLength(1000);
  });

  it('holds on this page where the storage is blocked', () => {
    const progress = createProgress(() => {
      throw new Error('blocked');
    });
    progress.answer('gaps', 'q', 'CSR', true);
    expect(progress.store.getState().gaps.answers.q.solved).toBe(true);
  });
});
