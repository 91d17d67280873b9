import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lessons } from './index.ts';
import { createProgress, nextLesson, type ProgressState } from './progress.ts';

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
  it('progress in the lessons is there again on the next visit, until it is forgotten', () => {
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

  it('progress in the lessons is read back unchanged, after any answers and paragraphs, under the key of earlier versions', () => {
    const lesson = fc.constantFrom('gaps', 'bytes');
    const step = fc.oneof(
      fc.record({ lesson, paragraph: fc.nat({ max: 40 }) }),
      fc.record({
        lesson,
        question: fc.constantFrom('a', 'b'),
        answer: fc.oneof(fc.integer(), fc.string()),
        right: fc.boolean(),
        idea: fc.option(fc.string()),
      }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const stored = new Map<string, string>();
        const visit = () =>
          createProgress(() => ({
            getItem: (key) => stored.get(key) ?? null,
            setItem: (key, text) => void stored.set(key, text),
          }));
        for (const step of steps) {
          const progress = visit();
          if ('paragraph' in step) progress.read(step.lesson, step.paragraph);
          else progress.answer(step.lesson, step.question, step.answer, step.right, step.idea);
          expect(visit().store.getState()).toEqual(progress.store.getState());
        }
        const state = visit().store.getState();
        for (const name of ['gaps', 'bytes']) {
          for (const question of ['a', 'b']) {
            const input = steps.flatMap((step) =>
              'question' in step && step.lesson === name && step.question === question ? [step] : [],
            );
            const last = input.at(-1);
            expect(state[name]?.answers[question]).toEqual(
              last && {
                answer: last.answer,
                right: last.right,
                solved: input.some(({ right }) => right),
                tries: input.length,
                ...(last.idea !== null && { idea: last.idea }),
              },
            );
          }
          const paragraphs = steps.flatMap((step) =>
            'paragraph' in step && step.lesson === name ? step.paragraph : [],
          );
          expect(state[name]?.paragraph ?? 0).toBe(paragraphs.at(-1) ?? 0);
        }
        expect([...stored.keys()].filter((key) => key !== 'sparsescope.lessons')).toEqual([]);
      }),
    );
  });

  it.each(['no JSON', '7', 'null', '[1]', '{"gaps":7}', '{"gaps":{"paragraph":-1,"answers":{"q":{"answer":null}}}}'])(
    'ignores invalid parts of %s',
    (text) => {
      for (const { paragraph, answers } of Object.values(createProgress(() => storageOf(text)).store.getState()))
        expect({ paragraph, answers }).toEqual({ paragraph: 0, answers: {} });
    },
  );

  it('reads no more lessons and answers than can exist', () => {
    const lesson = { paragraph: 1, answers: {} };
    const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`lesson ${i}`, lesson]));
    const read = createProgress(() => storageOf(JSON.stringify(many))).store.getState();
    expect(Object.keys(read)).toHaveLength(1000);
  });

  it('lasts on this page if the storage is blocked', () => {
    const progress = createProgress(() => {
      throw new Error('blocked');
    });
    progress.answer('gaps', 'q', 'CSR', true);
    expect(progress.store.getState().gaps.answers.q.solved).toBe(true);
  });
});

describe('the lesson to go on with', () => {
  /** All answers to a lesson, by its number. */
  const done = (order: number): ProgressState => {
    const lesson = lessons[order - 1];
    const answer = { answer: 1, right: true, solved: true, tries: 1 };
    const keys = lesson.blocks.flatMap((block) => (block.kind === 'prediction' ? [block.key] : []));
    return { [lesson.id]: { paragraph: 1, answers: Object.fromEntries(keys.map((key) => [key, answer])) } };
  };
  const begun = (order: number): ProgressState => ({ [lessons[order - 1].id]: { paragraph: 2, answers: {} } });
  const every = Object.assign({}, ...lessons.map(({ order }) => done(order))) as ProgressState;

  it.each<[string, ProgressState, number]>([
    ['is the first one at a first visit', {}, 1],
    ['is one that was begun, also after a gap', { ...done(1), ...begun(3) }, 3],
    ['follows one that is done', done(3), 4],
    ['is the first that was left out, once the last one is done', done(12), 1],
    ['ignores a set of questions', { ...done(1), 'set:0': { paragraph: 1, answers: {} } }, 2],
    ['is the first again once all are answered', every, 1],
  ])('%s', (_what, progress, order) => expect(nextLesson(lessons, progress).order).toBe(order));
});
