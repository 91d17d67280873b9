import { type Answer, isNear, type PosedQuestion, type WrongAnswer } from '../../core/story/question.ts';
import { countText } from '../../core/story/words.ts';

export interface Verdict {
  readonly kind: 'right' | 'wrong';
  /** the misconception that gives this answer; null where none of them does */
  readonly wrong: WrongAnswer | null;
}

/** Whether an answer is the encoder's, and if not, which misconception it comes from. */
export function judge(posed: PosedQuestion, given: Answer): Verdict {
  const { answer, tolerance, wrong } = posed;
  if (isNear(given, answer, tolerance)) return { kind: 'right', wrong: null };
  return { kind: 'wrong', wrong: wrong.find((w) => isNear(given, w.answer, tolerance)) ?? null };
}

/** The step at which the stage explains an answer: where it parts from the encoder, or where the right one shows. */
export function stepFor(posed: PosedQuestion, given: Answer): number {
  return judge(posed, given).wrong?.departs ?? posed.shows;
}

/** A number as somebody typed it, with a comma or a point before decimals and spaces between thousands; null for no number. */
export function readNumber(text: string): number | null {
  const plain = text
    .replaceAll(/[\s\u202f]/g, '')
    .replace('\u2212', '-')
    .replace(',', '.');
  return /^-?(?:\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null;
}

/** An answer as it is shown. */
export function answerText(answer: Answer): string {
  if (typeof answer === 'string') return answer;
  return Number.isInteger(answer) ? countText(answer) : String(Number(answer.toPrecision(3)));
}
