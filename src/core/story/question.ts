import type { Random } from '../number/random.ts';
import type { Words } from './scene.ts';
import type { Trace, TraceStep } from './trace.ts';

/** A number, or one of the options of a choice. */
export type Answer = number | string;

/** A way to get a question wrong that has a name, since people do. */
export interface Misconception<S> {
  /** stays the same: progress is kept by it */
  readonly id: string;
  /** what it takes for true, as a clause: 'the gap is counted from 0' */
  readonly title: string;
  /** What somebody answers who believes it. Pure. */
  answer(subject: S): Answer;
  /** One or two sentences: what is different, with the numbers of this matrix. */
  reply(subject: S): readonly Words[];
  /** The step of the trace at which the encoder does something else than this belief. */
  departs(subject: S): number;
}

/**
 * Something that can be asked of a window, by the format that encodes it: the answer is read from what the encoder left,
 * never written down.
 *
 * @typeParam T the format's trace
 * @typeParam S what is asked about, drawn from the trace
 */
export interface Question<T extends Trace = Trace, S = unknown> {
  /** unique in its format; lessons name it */
  readonly id: string;
  /** What of this trace is asked about; null where it holds nothing to ask. The same random numbers, the same subject. */
  subject(t: T, random: Random): S | null;
  ask(subject: S): readonly Words[];
  /** of a number: 'bytes' */
  readonly unit?: string;
  /** How far from the answer a number may be, as a part of it, where it is an estimate. Default: 0. */
  readonly tolerance?: number;
  /** What can be chosen, in an order that gives nothing away. Default: the answer is a number. */
  options?(subject: S): readonly string[];
  answer(subject: S): Answer;
  /** What the answer is the sum of, where it is one: the stage does not say these numbers before the answer is given. */
  parts?(subject: S): readonly number[];
  /** One or two sentences: why it is so. */
  because(subject: S): readonly Words[];
  /** The step before the answer can be seen, and the one that shows it. */
  span(subject: S): { readonly before: number; readonly shows: number };
  readonly misconceptions: readonly Misconception<S>[];
}

/** A question about one matrix, with everything worked out. */
export interface PosedQuestion {
  readonly id: string;
  readonly ask: readonly Words[];
  readonly unit: string | null;
  readonly tolerance: number;
  /** null where a number is asked for */
  readonly options: readonly string[] | null;
  readonly answer: Answer;
  readonly parts: readonly number[];
  readonly because: readonly Words[];
  readonly before: number;
  readonly shows: number;
  readonly wrong: readonly WrongAnswer[];
}

export interface WrongAnswer {
  readonly id: string;
  readonly title: string;
  readonly answer: Answer;
  readonly reply: readonly Words[];
  readonly departs: number;
}

/**
 * The question about this trace; null where there is nothing to ask, or where two of its answers are alike, so that one
 * who gives it might be right for a wrong reason, or would get the wrong explanation.
 */
export function pose(question: Question, t: Trace, random: Random): PosedQuestion | null {
  const subject = question.subject(t, random);
  if (subject === null) return null;
  const { id, unit = null, tolerance = 0, misconceptions } = question;
  const answer = question.answer(subject);
  const answers = [answer, ...misconceptions.map((m) => m.answer(subject))];
  const alike = answers.some((a, i) => answers.some((b, j) => j < i && isNear(a, b, 2 * tolerance)));
  if (alike) return null;
  return {
    id,
    ask: question.ask(subject),
    unit,
    tolerance,
    options: question.options?.(subject) ?? null,
    answer,
    parts: question.parts?.(subject) ?? [],
    because: question.because(subject),
    ...question.span(subject),
    wrong: misconceptions.map((m, i) => ({
      id: m.id,
      title: m.title,
      answer: answers[i + 1],
      reply: m.reply(subject),
      departs: m.departs(subject),
    })),
  };
}

/** Whether two answers are the same, numbers up to a part of the larger one. */
export function isNear(a: Answer, b: Answer, tolerance: number): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));
}

/**
 * Number of the first step whose detail fits, as the player counts: the picture in which it has just happened.
 * Throws Error where there is none, which is a mistake of the question.
 */
export function stepWhere<D>(t: { readonly steps: readonly TraceStep<D>[] }, fits: (detail: D) => boolean): number {
  const index = t.steps.findIndex(({ detail }) => fits(detail));
  if (index < 0) throw new Error('question: found no such step in the trace');
  return index + 1;
}
