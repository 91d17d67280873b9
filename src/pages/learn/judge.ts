import { type Answer, isNear, type PosedQuestion, type WrongAnswer } from '../../story/question.ts';
import { countText } from '../../core/text/words.ts';

/** Whether an answer to a lesson's question is right. */
export interface Judgement {
  readonly kind: 'right' | 'wrong';
  /** the misconception behind this answer; null if none matches */
  readonly misconception: WrongAnswer | null;
}

/** Compares an answer with the right one and, if it is wrong, finds the misconception that leads to it. */
export function judge(posed: PosedQuestion, given: Answer): Judgement {
  const { answer, tolerance, wrongAnswers } = posed;
  if (isNear(given, answer, tolerance)) return { kind: 'right', misconception: null };
  return { kind: 'wrong', misconception: wrongAnswers.find((w) => isNear(given, w.answer, tolerance)) ?? null };
}

/** The step of the story that contradicts a wrong answer, if there is one, else the step that shows the right answer. */
export function stepFor(posed: PosedQuestion, given: Answer): number {
  return judge(posed, given).misconception?.falseAt ?? posed.shows;
}

/** Parses a number, with a decimal comma or point and optional spaces between thousands; null if it is not one. */
export function readNumber(text: string): number | null {
  const plain = text
    .replaceAll(/[\s\u202f]/g, '')
    .replace('\u2212', '-')
    .replace(',', '.');
  return /^-?(?:\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null;
}

/** An answer in words. */
export function answerText(answer: Answer): string {
  if (typeof answer === 'string') return answer;
  return Number.isInteger(answer) ? countText(answer) : String(Number(answer.toPrecision(3)));
}

/** ': 3 × 8 cells × 2 bytes = 48', how a misconception computes its answer; '' if it is no calculation. */
export function workingText({ working }: WrongAnswer): string {
  return working === undefined ? '' : `: ${working}`;
}
