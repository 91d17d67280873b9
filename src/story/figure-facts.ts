import type { PosedQuestion } from './question.ts';

/** Data for lessons from a figure that shows no format: numbers for the lesson's text, and questions. */
export interface FigureFacts {
  /** title of a few words */
  readonly caption: string;
  /** who answers the questions: 'the model' */
  readonly answeredBy: string;
  /** the number with this name, such as 'dense.bits' of {dense.bits} in a lesson; null if there is none */
  number(name: string): number | null;
  /** the question with this id; null if there is none */
  questionOf(question: string): PosedQuestion | null;
}
