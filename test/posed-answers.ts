import { expect } from 'vitest';
import type { PosedQuestion } from '../src/story/question.ts';

/**
 * Expects for each question that its right answer and the answers of its wrong ideas differ and are among the options.
 * `min`: least number of wrong ideas.
 */
export function expectDistinctAnswers(questions: readonly PosedQuestion[], min = 0): void {
  for (const { answer, options, wrongAnswers } of questions) {
    const answers = [answer, ...wrongAnswers.map((idea) => idea.answer)];
    expect(new Set(answers).size).toBe(answers.length);
    expect(options).toEqual(expect.arrayContaining(answers));
    expect(wrongAnswers.length).toBeGreaterThanOrEqual(min);
  }
}
