import { expect } from 'vitest';
import type { PosedQuestion } from '../src/story/question.ts';

/** One answer of each question is right, and each wrong idea leads to another one that can be chosen; `min`: of ideas. */
export function expectDistinctAnswers(questions: readonly PosedQuestion[], min = 0): void {
  for (const { answer, options, wrong } of questions) {
    const answers = [answer, ...wrong.map((idea) => idea.answer)];
    expect(new Set(answers).size).toBe(answers.length);
    expect(options).toEqual(expect.arrayContaining(answers));
    expect(wrong.length).toBeGreaterThanOrEqual(min);
  }
}
