// The parts of a lesson, which parse.ts reads from a text.

/** A part of a paragraph. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'strong'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  /** `href`: an address of this page ('#2/...') or of the web */
  | { readonly kind: 'link'; readonly text: string; readonly href: string }
  /** a term of the glossary */
  | { readonly kind: 'term'; readonly text: string; readonly term: string }
  /** a number that expression.ts computes from the figure */
  | { readonly kind: 'number'; readonly expression: string }
  /** a number that the reader drags to change the figure */
  | ({ readonly kind: 'drag' } & DragRef);

/** The range of a number that can be dragged. */
export interface DragRef {
  /** 'density', or a parameter of the figure's format */
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** step between values; a parameter with options uses its options instead */
  readonly by: number;
}

/** The figure of a paragraph. */
export interface FigureRef {
  /** the address of a format's story in Watch, of a demonstration, or of another page that has figures for lessons */
  readonly address: string;
  /**
   * the step of its story: '7', 'end', a chapter 'pack', its last step 'pack-end', a step counted from its beginning
   * 'pack+3', the step that stores a cell 'cell 0,5', or a frame by its id 'frame first weight'; null: the step in
   * `address`
   */
  readonly step: string | null;
}

/** What every block has. */
interface BlockBase {
  /** number in the lesson, from 1 */
  readonly n: number;
  /** the heading above the block */
  readonly heading: string | null;
  /** the title of the appendix (folded sections below the lesson) that the block is in; null in the lesson itself */
  readonly appendixTitle: string | null;
  readonly figure: FigureRef;
  /** if its figure or question fails, the lesson shows the reason and continues */
  readonly mayFail?: true;
}

/** A paragraph of text, next to its figure. */
export interface Paragraph extends BlockBase {
  readonly kind: 'paragraph';
  readonly inline: readonly Inline[];
}

/** A question whose answer the reader predicts; its figure shows the first matrix of the question. */
export interface Prediction extends BlockBase {
  readonly kind: 'prediction';
  /** the id of the question in the figure's format */
  readonly question: string;
  /** its name in this lesson, by which progress is stored: 'stored-gap', and 'stored-gap-2' if it is repeated */
  readonly key: string;
}

/** A link to an exercise, with the figure of the paragraphs around it. */
interface ExerciseRef extends BlockBase {
  readonly kind: 'exercise';
  /** its number, as in its address: '1' of `#2/code/exercise/1` */
  readonly exercise: string;
}

export type Block = Paragraph | Prediction | ExerciseRef;

/** A lesson: its fields, its blocks, and the sources of its facts. */
export interface Lesson {
  /** in its address */
  readonly id: string;
  /** its number in the order of lessons, from 1; 0: a teacher's set of questions */
  readonly order: number;
  readonly title: string;
  readonly minutes: number;
  /** follows 'afterwards you can' */
  readonly afterwards: string;
  /** prerequisites, in words */
  readonly needs: string;
  /** other words by which a search finds the lesson; absent: none */
  readonly also?: string | undefined;
  readonly blocks: readonly Block[];
  readonly sources: readonly (readonly Inline[])[];
}

/** An error in the text of a lesson, for its author: file and line, found, expected. */
export class LessonError extends Error {
  override readonly name = 'LessonError';
}
