import type { ByteClass } from '../core/encoded/ledger.ts';
import { plainWords, type Words } from '../core/text/words.ts';
import type { DrawingSpace } from './drawing-space.ts';

/**
 * A picture as data: panels of marks on grids, links between marks, and the words of the step.
 * The renderer decides sizes: every panel is measured in units of its grid, and the renderer picks the unit's size
 * for the available space, and keeps the panel's focus in view if not everything fits.
 */
export interface Scene {
  /** top to bottom; panels of the same `band` are drawn side by side */
  readonly panels: readonly Panel[];
  readonly links: readonly Link[];
  /** one or two sentences: what happens in this step, with the numbers of this matrix */
  readonly narration: readonly Words[];
  /** the lines of the real encoder or kernel that run in this step */
  readonly code: CodeExcerpt | null;
  /** a picture with positions in px, instead of panels */
  readonly drawing?: Drawing;
  /** in a picture of two formats: their names; each panel has its `side` */
  readonly sides?: Readonly<Record<'a' | 'b', { readonly title: string }>>;
}

/** Lines of a source file that a scene quotes. */
export interface CodeExcerpt {
  /** file name, relative to the format's folder or shaders/ */
  readonly file: string;
  /** number of the first line shown, from 1 */
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** index into `lines` of the current line */
  readonly current: number;
  /** its number in the file, from 1 */
  readonly currentLine: number;
}

/**
 * The maximum size of a unit. cell: square, 7 to 24 px. slot: an array element with its number, 30 to 64 px wide, 28 px
 * high. byte: a byte of memory, 3 to 9 px wide, 22 px high. bar: the full width is `columns`, 18 px high.
 */
export type UnitKind = 'cell' | 'slot' | 'byte' | 'bar';

/** Marks on a separate grid, with labels along it. */
export interface Panel {
  readonly id: string;
  readonly title?: string;
  /** a secondary text after the title */
  readonly caption?: string;
  readonly unit: UnitKind;
  /** extent in units */
  readonly columns: number;
  readonly rows: number;
  /** panels with the same band number share a line, widths in proportion to their columns; default: its own line */
  readonly band?: number;
  /** in a picture of two formats, side by side: which format the panel belongs to; absent: both */
  readonly side?: 'a' | 'b';
  readonly columnLabels?: readonly Label[];
  readonly rowLabels?: readonly Label[];
  /** the position that stays in view if the panel is larger than the space, in units */
  readonly focus?: { readonly x: number; readonly y: number };
  /**
   * an empty grid of `columns` x these rows is drawn behind the marks; marks below it stay in view when only a part of
   * the grid fits. For the cells of a window, the part of a matrix in a story, `firstRow`: the row of the window at its
   * top; `shown`, if columns are omitted: which column of the window each column of the grid shows, -1 at a gap
   */
  readonly grid?: { readonly rows: number; readonly firstRow?: number; readonly drawnColumns?: readonly number[] };
  readonly marks: readonly Mark[];
}

/** A label along the columns or rows of a panel. */
export interface Label {
  /** in units: x for column labels, y for row labels */
  readonly at: number;
  readonly text: string;
  readonly strong?: boolean;
}

/**
 * What determines the colour of a mark: a byte class, the format's own colour, the colour of the format it is compared
 * with (against), of text (ink), of data that does not fit or of a loss (danger), or nothing.
 */
export type Tone = ByteClass | 'format' | 'against' | 'neutral' | 'ink' | 'danger';

/** A shape of a panel: a cell, a slot, an outline or words. */
export interface Mark {
  /** unique in the scene, and the same for the same thing in every step, so that it can be animated */
  readonly id: string;
  /**
   * box: a filled cell. bracket: a horizontal measure with ticks and its text in the middle.
   * frame: an outline around other marks. line: a hairline along the top edge of the rectangle. text: words alone.
   */
  readonly shape: 'box' | 'bracket' | 'frame' | 'line' | 'text';
  /** in units of the panel; fractions are fine */
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly tone: Tone;
  /** 0 (pale, with coloured text) to 1 (full colour, reversed text); magnitude of a value, or a bit that is set */
  readonly level?: number;
  /** ghost: not stored yet, a dashed outline in its later position. dim: not involved in this step */
  readonly state?: 'ghost' | 'dim';
  /** outlined: this step is about it */
  readonly focus?: boolean;
  /** drawn if it fits; a ghost's text is only measured, to reserve its width */
  readonly text?: string;
  /** the text of the tooltip and for screen readers: 'row 2, column 21: 0.44' */
  readonly label?: string;
  /** names of the things this mark shows; marks that share a name are highlighted together */
  readonly highlightNames?: readonly string[];
  /** id of the mark at whose position a new mark starts its movement */
  readonly from?: string;
}

/** A line from one mark to another. curve: the one connection that matters. guide: a dotted vertical line. */
export interface Link {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly kind: 'curve' | 'guide';
  readonly tone: Tone;
}

/**
 * A picture in px from its top left corner, for a story whose frames (where the player rests) are written one by one.
 * Marks with one id are one thing from picture to picture: it moves, and changes its colour.
 */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** in drawing order */
  readonly marks: readonly DrawnMark[];
  readonly links?: readonly DrawnLink[];
  /** the same picture laid out for a space; default: the picture itself */
  inSpace?(space: DrawingSpace): Drawing;
  /** computes ahead, in steps, what makes `inSpace` slow: the sizes of all pictures of the story */
  fitSteps?(space: DrawingSpace): Generator<void, void, void>;
}

/** A mark of a drawing: position and extent in px from its top left corner. */
export interface DrawnMark extends Mark {
  /** px of its words; default 12 in a box, 13 elsewhere */
  readonly size?: number;
  /** default: mono in a box, else sans */
  readonly face?: 'sans' | 'mono';
  readonly strong?: boolean;
  /** of text in its width: default start; with a width of 0 the text starts, is centred or ends at x */
  readonly align?: 'start' | 'middle' | 'end';
  /** text in several styles, instead of `text`. Text with a width is broken between words to lines of that width. */
  readonly runs?: readonly TextRun[];
  /** of a line: a polyline through these points, instead of a hairline along the top edge */
  readonly points?: readonly (readonly [x: number, y: number])[];
  /** of a line: px; default 1 */
  readonly thickness?: number;
  /** of a bracket: its ticks point down */
  readonly opensDown?: boolean;
}

/** Text of one style; its tone is the tone of the mark by default. */
export interface TextRun {
  readonly text: string;
  readonly tone?: Tone;
  readonly strong?: boolean;
}

/** A line between two marks of a drawing, from the edge of the one to the nearest edge of the other. */
export interface DrawnLink extends Link {
  readonly arrow?: boolean;
  readonly dashed?: boolean;
  /** the path between the marks; default: the shortest */
  readonly path?: LinkPath;
}

/** Cubic curves in px: a start, then control, control, end for each. */
export interface LinkPath {
  readonly start: readonly [x: number, y: number];
  readonly curves: readonly (readonly [number, number, number, number, number, number])[];
}

/** The narration as one string, for a screen reader or a caption. */
export function narrationText(scene: Scene): string {
  return plainWords(scene.narration);
}
