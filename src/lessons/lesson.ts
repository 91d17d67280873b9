/** A piece of a paragraph. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'strong'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  /** to a place of this page ('#1/...') or of the web */
  | { readonly kind: 'link'; readonly text: string; readonly href: string }
  /** explained in the glossary */
  | { readonly kind: 'term'; readonly text: string; readonly term: string }
  /** worked out of the figure: `numberText` of it */
  | { readonly kind: 'number'; readonly expression: string }
  /** changes the figure */
  | ({ readonly kind: 'drag' } & DragRef);

/** A number of the figure that can be dragged. */
export interface DragRef {
  /** 'density', or a parameter of the figure's format */
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** from one value to the next; a parameter with options takes those */
  readonly by: number;
}

/** What stands beside a paragraph. */
export interface FigureRef {
  /** an address of Visualize, as its link is copied */
  readonly address: string;
  /** where its story stands: '7', 'end', a chapter 'pack', its last step 'pack-end', or steps from its beginning 'pack+3'; null for the address's own */
  readonly step: string | null;
}

interface BlockBase {
  /** from 1, through the lesson */
  readonly n: number;
  /** stands above it */
  readonly heading: string | null;
  /** the name of the list below the lesson in which it is folded, card by card; null in the lesson itself */
  readonly more: string | null;
  readonly figure: FigureRef;
  /** where its figure or its question fails, the reason stands in its place, and the lesson goes on */
  readonly mayFail?: true;
}

export interface Paragraph extends BlockBase {
  readonly kind: 'paragraph';
  readonly inline: readonly Inline[];
}

/** A question before one looks; its figure is the first matrix that it is asked on. */
export interface Prediction extends BlockBase {
  readonly kind: 'prediction';
  /** of the figure's format */
  readonly question: string;
  /** its name in this lesson, by which progress is kept: 'stored-gap', and 'stored-gap-2' where it is asked again */
  readonly key: string;
}

/** A way to an exercise among the kernels, beside the figure of the paragraphs around it. */
export interface ExerciseRef extends BlockBase {
  readonly kind: 'exercise';
  /** its number, as its address has it: '1' of `#1/kernels/exercise/1` */
  readonly exercise: string;
}

export type Block = Paragraph | Prediction | ExerciseRef;

export interface Lesson {
  /** in the address */
  readonly id: string;
  /** its place among the lessons, from 1 */
  readonly order: number;
  readonly title: string;
  /** 'one row that MACKO has to bridge': what it is about, in a few words */
  readonly about: string;
  readonly minutes: number;
  /** follows 'afterwards you can' */
  readonly afterwards: string;
  /** what one should know, in words */
  readonly needs: string;
  readonly blocks: readonly Block[];
  readonly sources: readonly (readonly Inline[])[];
}

/** What is wrong with the text of a lesson, for who writes one: file and line, found, expected. */
export class LessonError extends Error {
  override readonly name = 'LessonError';
}
