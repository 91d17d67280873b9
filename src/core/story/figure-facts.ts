import type { PosedQuestion } from './question.ts';

/** Facts of a lesson's figure that belongs to no format: its numbers, and questions about it. */
export interface FigureFacts {
  /** title of a few words */
  readonly caption: string;
  /** who answers its questions, as in 'the model' */
  readonly answers: string;
  /** a number that sentences may use, as in {dense.bits}; null if there is none of this name */
  number(name: string): number | null;
  /** null if it has no such question */
  ask(question: string): PosedQuestion | null;
}
