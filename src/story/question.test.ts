import { describe, expect, it } from 'vitest';
import { Random } from '../core/number/random.ts';
import { of, times } from './computed.ts';
import { isNear, pose, type Question, stepWhere } from './question.ts';
import type { Trace } from './trace.ts';

const trace = { steps: [{ chapter: 0, effects: [], detail: 'a' }] } as unknown as Trace<string>;

/** A question with the right answer `answer` and one misconception, which leads to the answer `wrong`. */
function asking(answer: number, wrong: number, tolerance = 0): Question<Trace, number> {
  return {
    id: 'q',
    tolerance,
    findCase: () => answer,
    ask: () => [],
    answer: (n) => n,
    reason: () => [],
    steps: () => ({ before: 0, shows: 1 }),
    misconceptions: [{ id: 'm', title: 'm', answer: () => wrong, reply: () => [], falseAt: () => 1 }],
  };
}

describe('pose (which asks a question about a trace)', () => {
  it('computes the answer and the answer of each misconception', () => {
    const posed = pose(asking(3, 4), trace, new Random(1));
    expect(posed).toMatchObject({
      answer: 3,
      options: null,
      before: 0,
      shows: 1,
      wrongAnswers: [{ id: 'm', answer: 4 }],
    });
  });

  it('says how a misconception computes its answer', () => {
    const question = asking(3, 4);
    const [idea] = question.misconceptions;
    const computed = { ...idea, answer: () => times(2, of(3, 'bytes')) };
    expect(pose({ ...question, misconceptions: [computed] }, trace, new Random(1))?.wrongAnswers).toMatchObject([
      { answer: 6, working: '2 × 3 bytes = 6' },
    ]);
  });

  it('leaves out a misconception that leads to the right answer, or to that of an earlier one', () => {
    const question = asking(3, 4);
    const idea = (id: string, answer: number) => ({ ...question.misconceptions[0], id, answer: () => answer });
    const misconceptions = [idea('right', 3), idea('first', 4), idea('second', 4), idea('third', 5)];
    const posed = pose({ ...question, misconceptions }, trace, new Random(1));
    expect(posed?.wrongAnswers.map(({ id, answer }) => [id, answer])).toEqual([
      ['first', 4],
      ['third', 5],
    ]);
  });

  it('rejects a matrix on which every misconception leads to the right answer, or to an indistinguishable one', () => {
    expect(pose(asking(3, 3), trace, new Random(1))).toBeNull();
    expect(pose(asking(100, 103, 0.02), trace, new Random(1))).toBeNull();
    expect(pose(asking(100, 105, 0.02), trace, new Random(1))).not.toBeNull();
  });

  it('rejects a matrix without anything to ask about', () => {
    expect(pose({ ...asking(1, 2), findCase: () => null }, trace, new Random(1))).toBeNull();
  });
});

it('isNear compares numbers with a relative tolerance, and words exactly', () => {
  expect(isNear(100, 98, 0.02)).toBe(true);
  expect(isNear(100, 97, 0.02)).toBe(false);
  expect(isNear('a', 'a', 0)).toBe(true);
  expect(isNear('1', 1, 1)).toBe(false);
});

it('stepWhere counts steps like the player, and throws if no step matches', () => {
  expect(stepWhere(trace, (detail) => detail === 'a')).toBe(1);
  expect(() => stepWhere(trace, (detail) => detail === 'b')).toThrow('no such step');
});
