import type { Random } from '../core/number/random.ts';
import type { Words } from '../core/text/words.ts';
import { type Computed, workingOf } from './computed.ts';
import type { Trace, TraceStep } from './trace.ts';

/** A number, or one of the options of a choice. */
export type Answer = number | string;

/** A common mistake, with a name. */
export interface Misconception<S> {
  /** stable: progress is stored by it */
  readonly id: string;
  /** the false assumption, as a clause: 'the gap is counted from 0' */
  readonly title: string;
  /** The answer that this mistake leads to; computed, also how; null if it cannot be made on this matrix. Pure. */
  answer(questionCase: S): Answer | Computed | null;
  /** One or two sentences that correct the mistake, with the numbers of this matrix. */
  reply(questionCase: S): readonly Words[];
  /** The step of the trace at which the encoder contradicts this belief. Default: the one that shows the answer. */
  falseAt?(questionCase: S): number;
}

/**
 * A question about a window (part of a matrix), posed by the format that encodes it: the answer is computed from the
 * encoder's result, never written down.
 *
 * @typeParam T the format's trace
 * @typeParam S what the question is about, drawn from the trace
 */
export interface Question<T extends Trace = Trace, S = unknown> {
  /** unique in its format; lessons name it */
  readonly id: string;
  /**
   * What the question is about, a part of this trace; null if nothing can be asked. The same random numbers draw the
   * same part.
   */
  findCase(t: T, random: Random): S | null;
  /**
   * What a matrix needs so that `findCase` finds something, a clause that follows 'Change cells so that': 'a row has two
   * weights'. Default: 'some cells are zero and some are not'.
   */
  needs?(t: T): string;
  ask(questionCase: S): readonly Words[];
  /** of a number: 'bytes' */
  readonly unit?: string;
  /** Relative tolerance of a numeric answer, for estimates. Default: 0. */
  readonly tolerance?: number;
  /** The options, in an order that does not hint at the answer. Default: the answer is a number. */
  options?(questionCase: S): readonly string[];
  answer(questionCase: S): Answer;
  /** The summands of the answer, if it is a sum: the picture shows them only after the question is answered. */
  parts?(questionCase: S): readonly number[];
  /** One or two sentences: why it is so. */
  reason(questionCase: S): readonly Words[];
  /** The step shown with the question, before the answer can be seen, and the step that shows the answer. */
  steps(questionCase: S): { readonly before: number; readonly shows: number };
  readonly misconceptions: readonly Misconception<S>[];
}

/** The argument of a question about the whole window. */
export interface TraceCase<T> {
  readonly trace: T;
}

/** A random item of the list; null if the list is empty. */
export const oneOf = <T>(list: readonly T[], random: Random): T | null =>
  list.length === 0 ? null : list[random.below(list.length)];

/** A question about one matrix, with everything computed; fields as in `Question`. */
export interface PosedQuestion {
  readonly id: string;
  readonly ask: readonly Words[];
  readonly unit: string | null;
  readonly tolerance: number;
  /** null if the answer is a number */
  readonly options: readonly string[] | null;
  readonly answer: Answer;
  readonly parts: readonly number[];
  readonly reason: readonly Words[];
  readonly before: number;
  readonly shows: number;
  /** in the order of the misconceptions, each with another answer */
  readonly wrongAnswers: readonly WrongAnswer[];
  /** present if a misconception was left out because it leads to the right answer or to the answer of another one */
  readonly hasEqualAnswers?: true;
}

/** A misconception with its answer and reply, computed for one matrix. */
export interface WrongAnswer {
  readonly id: string;
  readonly title: string;
  readonly answer: Answer;
  /** how the mistake computes its answer: '3 × 8 cells × 2 bytes = 48'; absent: it is no calculation */
  readonly working?: string;
  readonly reply: readonly Words[];
  readonly falseAt: number;
}

/**
 * The question about this trace. A misconception that leads to the right answer is left out, since a student could be
 * right for a wrong reason; so is one with the answer of an earlier one. Null if nothing can be asked, or if no wrong
 * answer is left.
 */
export function pose(question: Question, t: Trace, random: Random): PosedQuestion | null {
  const questionCase = question.findCase(t, random);
  if (questionCase === null) return null;
  const { id, unit = null, tolerance = 0, misconceptions } = question;
  const answer = question.answer(questionCase);
  const wrongAnswers: Pick<WrongAnswer, 'answer' | 'working'>[] = [];
  let hasEqualAnswers: true | undefined;
  const distinct = misconceptions.filter((misconception) => {
    const computed = misconception.answer(questionCase);
    if (computed === null) return false;
    const wrong =
      typeof computed === 'object' ? { answer: computed.value, working: workingOf(computed) } : { answer: computed };
    if (
      [answer, ...wrongAnswers.map((other) => other.answer)].some((other) => isNear(other, wrong.answer, 2 * tolerance))
    ) {
      hasEqualAnswers = true;
      return false;
    }
    wrongAnswers.push(wrong);
    return true;
  });
  if (distinct.length === 0) return null;
  const steps = question.steps(questionCase);
  return {
    id,
    ask: question.ask(questionCase),
    unit,
    tolerance,
    options: question.options?.(questionCase) ?? null,
    answer,
    parts: question.parts?.(questionCase) ?? [],
    reason: question.reason(questionCase),
    ...steps,
    ...(hasEqualAnswers && { hasEqualAnswers }),
    wrongAnswers: distinct.map((misconception, i) => ({
      id: misconception.id,
      title: misconception.title,
      ...wrongAnswers[i],
      reply: misconception.reply(questionCase),
      falseAt: misconception.falseAt?.(questionCase) ?? steps.shows,
    })),
  };
}

/** Whether two answers are the same, numbers within a relative tolerance. */
export function isNear(a: Answer, b: Answer, tolerance: number): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));
}

/**
 * Number of the first step whose detail matches, from 1, as the player counts: 0 is the picture before all steps.
 * Throws Error if there is none: the question has a bug.
 */
export function stepWhere<D>(t: { readonly steps: readonly TraceStep<D>[] }, matches: (detail: D) => boolean): number {
  const index = t.steps.findIndex(({ detail }) => matches(detail));
  if (index < 0) throw new Error('question: found no such step in the trace');
  return index + 1;
}
