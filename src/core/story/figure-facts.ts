import type { PosedQuestion } from './question.ts';

/** For a figure of a lesson that shows no format: its numbers, for the lesson's text, and questions about it. */
export interface FigureFacts {
  /** title of a few words */
  readonly caption: string;
  /** who answers its questions: 'the model' */
  readonly answeredBy: string;
  /** the number that {dense.bits} in a sentence stands for, by the name in braces; null if there is none */
  number(name: string): number | null;
  /** the question with this id; null if there is none */
  questionOf(question: string): PosedQuestion | null;
}
