import type { PosedQuestion } from './question.ts';

/** What a figure that no format tells has to say in a lesson: its numbers, and questions about it. */
export interface FigureFacts {
  /** what is shown, in a few words */
  readonly caption: string;
  /** who answers its questions, as in 'the model' */
  readonly answers: string;
  /** a number that sentences may use, as in {dense.bits}; null if there is none of this name */
  number(name: string): number | null;
  /** null if it has no such question */
  ask(question: string): PosedQuestion | null;
}
