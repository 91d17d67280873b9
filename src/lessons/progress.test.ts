import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lessons } from './index.ts';
import type { Lesson } from './lesson.ts';
import { answersCsv, createProgress, nextLesson, type ProgressState } from './progress.ts';

function storageOf(text: string | null): {
  text: string | null;
  getItem(): string | null;
  setItem(k: string, v: string): void;
} {
  return {
    text,
    getItem() {
      return this.text;
    },
    setItem(_key, value) {
      this.text = value;
    },
  };
}

describe('progress in the lessons', () => {
  it('progress in the lessons is there again on the next visit, until it is forgotten', () => {
    const storage = storageOf(null);
    const firstVisit = createProgress(() => storage);
    firstVisit.read('gaps', 3);
    firstVisit.read('gaps', 2);
    firstVisit.answer('gaps', 'q', 4, false);
    firstVisit.answer('gaps', 'q', 5, true);
    firstVisit.answer('gaps', 'q', 6, false);
    const nextVisit = createProgress(() => storage);
    expect(nextVisit.store.getState()).toEqual({
      gaps: { paragraph: 2, answers: { q: { answer: 6, right: false, solved: true, tries: 3 } } },
    });
    nextVisit.forget();
    expect([nextVisit.store.getState(), storage.text, createProgress(() => storage).store.getState()]).toEqual([
      {},
      '{}',
      {},
    ]);
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
        const storedItems = new Map<string, string>();
        const visit = () =>
          createProgress(() => ({
            getItem: (key) => storedItems.get(key) ?? null,
            setItem: (key, text) => void storedItems.set(key, text),
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
            const lastAnswer = input.at(-1);
            expect(state[name]?.answers[question]).toEqual(
              lastAnswer && {
                answer: lastAnswer.answer,
                right: lastAnswer.right,
                solved: input.some(({ right }) => right),
                tries: input.length,
                ...(lastAnswer.idea !== null && { idea: lastAnswer.idea }),
              },
            );
          }
          const paragraphs = steps.flatMap((step) =>
            'paragraph' in step && step.lesson === name ? step.paragraph : [],
          );
          expect(state[name]?.paragraph ?? 0).toBe(paragraphs.at(-1) ?? 0);
        }
        expect([...storedItems.keys()].filter((key) => key !== 'sparsescope.lessons')).toEqual([]);
      }),
    );
  });

  const readStored = (storedValue: unknown): ProgressState =>
    createProgress(() => storageOf(JSON.stringify(storedValue))).store.getState();

  it('begins anew where something else is stored', () => {
    for (const text of ['no JSON', '7', 'null', '[1]', '"text"'])
      expect([text, createProgress(() => storageOf(text)).store.getState()]).toEqual([text, {}]);
    expect(readStored({ gaps: 7 })).toEqual({ gaps: { paragraph: 0, answers: {} } });
  });

  const validAnswer = { answer: 'CSR', right: false, solved: true, tries: 1, idea: 'padding' };
  it.each<[field: string, wrong: readonly unknown[]]>([
    ['answer', [null, undefined, true, [1], {}]],
    ['right', [null, undefined, 1, 'true']],
    ['solved', [null, undefined, 0, 'false']],
    ['tries', [null, undefined, 0, -1, 1.5, '1']],
    ['idea', [null, 7, ['padding']]],
  ])('leaves out an answer with an invalid %s, and keeps the others', (field, invalidValues) => {
    const { idea: _, ...withoutIdea } = validAnswer;
    for (const value of invalidValues) {
      const answers = {
        first: validAnswer,
        bad: { ...validAnswer, [field]: value },
        last: { ...withoutIdea, answer: -0.5 },
      };
      const { bad: _bad, ...otherAnswers } = answers;
      expect([value, readStored({ gaps: { paragraph: 4, answers } })]).toEqual([
        value,
        { gaps: { paragraph: 4, answers: otherAnswers } },
      ]);
    }
  });

  it('begins a lesson again where its paragraph is no whole number from 0 on', () => {
    for (const paragraph of [-1, 1.5, '3', null, [3]])
      expect([paragraph, readStored({ gaps: { paragraph, answers: {} } }).gaps.paragraph]).toEqual([paragraph, 0]);
    expect([0, 1].map((paragraph) => readStored({ gaps: { paragraph, answers: {} } }).gaps.paragraph)).toEqual([0, 1]);
  });

  it.each([1000, 1001])('reads the last 1000 of %d lessons and answers', (count) => {
    const recordOf = <T>(value: T) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, value]));
    const names = Object.keys(recordOf(0)).slice(-1000);
    expect(Object.keys(readStored(recordOf({ paragraph: 1, answers: {} })))).toEqual(names);
    expect(Object.keys(readStored({ gaps: { paragraph: 1, answers: recordOf(validAnswer) } }).gaps.answers)).toEqual(
      names,
    );
  });

  it('stores a paragraph once, however often it is read', () => {
    const { store, read: readParagraph } = createProgress(() => storageOf(null));
    let changes = 0;
    store.subscribe(() => changes++);
    for (const paragraph of [1, 1, 2, 2, 2]) readParagraph('gaps', paragraph);
    expect(changes).toBe(2);
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
  const answeredLesson = (order: number): ProgressState => {
    const lesson = lessons[order - 1];
    const answer = { answer: 1, right: true, solved: true, tries: 1 };
    const keys = lesson.blocks.flatMap((block) => (block.kind === 'prediction' ? [block.key] : []));
    return { [lesson.id]: { paragraph: 1, answers: Object.fromEntries(keys.map((key) => [key, answer])) } };
  };
  const begunLesson = (order: number): ProgressState => ({ [lessons[order - 1].id]: { paragraph: 2, answers: {} } });
  const allDone = Object.assign({}, ...lessons.map(({ order }) => answeredLesson(order))) as ProgressState;

  it.each<[string, ProgressState, number]>([
    ['is the first one at a first visit', {}, 1],
    ['is one that was begun, also after a gap', { ...answeredLesson(1), ...begunLesson(3) }, 3],
    ['follows one that is done', answeredLesson(3), 4],
    ['is the first that was left out, once the last one is done', answeredLesson(lessons.length), 1],
    ['ignores a set of questions', { ...answeredLesson(1), 'set:0': { paragraph: 1, answers: {} } }, 2],
    ['is the first again once all are answered', allDone, 1],
  ])('%s', (_what, progress, order) => expect(nextLesson(lessons, progress).order).toBe(order));
});

it('answersCsv has a line for each question, with and without an answer', () => {
  const figure = { address: '#2/watch?src=generated:uniform&shape=4x24&density=0.25&seed=3&a=csr', step: null };
  const block = { heading: null, appendixTitle: null, figure } as const;
  const question = (n: number) =>
    ({ ...block, n, kind: 'prediction', question: `q${n}`, key: `q${n}` }) satisfies Lesson['blocks'][number];
  const lesson = (id: string, title: string): Lesson => ({
    id,
    title,
    order: 1,
    minutes: 1,
    afterwards: '',
    needs: '',
    blocks: [{ ...block, n: 1, kind: 'paragraph', inline: [] }, question(2), question(3)],
    sources: [],
  });
  const answers = {
    q2: { answer: 'a, b', right: true, solved: true, tries: 1 },
    q3: { answer: 0, right: false, solved: false, tries: 2, idea: 'padding' },
  };
  const lessonsOfBoth = [lesson('one', 'One'), lesson('two', '=Two')];
  expect(answersCsv(lessonsOfBoth, { one: { paragraph: 3, answers } }).split('\r\n')).toEqual([
    'lesson,question,format,answer,right,ever right,tries,idea',
    'One,q2,csr,"a, b",yes,yes,1,',
    'One,q3,csr,0,no,no,2,padding',
    "'=Two,q2,csr,,,,0,",
    "'=Two,q3,csr,,,,0,",
    '',
  ]);
});
