import type { Mark, Tone, UnitKind } from '../../story/scene.ts';
import type { Font } from '../text-measurer.ts';

/** A rectangle, by default in px from the top left corner of the picture. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A scene (the picture of a step) with every position and size in px: canvas and SVG only draw it. */
export interface LaidOutScene {
  readonly width: number;
  readonly height: number;
  readonly panels: readonly PlacedPanel[];
  /** in drawing order; marks outside the shown part of their panel are omitted */
  readonly marks: readonly PlacedMark[];
  readonly labels: readonly PlacedLabel[];
  readonly links: readonly PlacedLink[];
  readonly tags: readonly PlacedTag[];
}

/** A letter in a box, A or B, for one of two compared formats. */
export interface PlacedTag extends Rect {
  readonly text: string;
  readonly font: Font;
  readonly style: 'filled' | 'outlined';
}

/** A matrix, an array or bars of a scene: its rectangle without labels, and the grid of empty cells below its marks. */
export interface PlacedPanel extends Rect {
  readonly id: string;
  /** the shown part of the panel, in units: its cells, array elements or bytes */
  readonly window: Rect;
  /** size of a unit in px */
  readonly unitX: number;
  readonly unitY: number;
  /** empty cells in px: x and w of every column, y and h of every row; no columns or rows without a grid */
  readonly grid: {
    readonly columns: readonly Rect[];
    readonly rows: readonly Rect[];
    /** for matrix cells: the top row, counted from the part of the matrix that the story shows */
    readonly firstRow?: number;
    /** for matrix cells: the number of each column, counted likewise, if some are left out; -1 at a gap */
    readonly columnNumbers?: readonly number[];
  };
  readonly gridRadius: number;
}

/** A mark of a scene with its rectangle, and the words that fit into it. */
export interface PlacedMark extends Rect {
  readonly mark: Mark;
  readonly unit: UnitKind;
  readonly radius: number;
  /** the text that fits; null if there is none or it does not fit */
  readonly text: string | null;
  readonly font: Font;
  /** alignment of words outside of a box; default: left */
  readonly align?: 'left' | 'center' | 'right';
  /** for a line: its points, and its width */
  readonly points?: readonly (readonly [number, number])[];
  readonly thickness?: number;
  /** for a bracket: whether its ticks point down */
  readonly opensDown?: boolean;
}

/** Words next to marks: a title, a caption, a row or column label. */
export interface PlacedLabel {
  readonly text: string;
  /** left, middle or right end, by `align` */
  readonly x: number;
  /** vertical middle of the line */
  readonly y: number;
  readonly align: 'left' | 'center' | 'right';
  readonly font: Font;
  /** title: text colour; row: muted; quiet: captions, column labels, counts of hidden rows and columns */
  readonly role: 'title' | 'row' | 'quiet';
  /** the colour, instead of the role's colour */
  readonly tone?: Tone;
}

/** A line between marks as cubic curves: the start, then control, control, end for each. guide: straight, dotted. */
export interface PlacedLink {
  readonly id: string;
  readonly kind: 'curve' | 'guide';
  readonly tone: Tone;
  readonly start: readonly [number, number];
  readonly curves: readonly (readonly [number, number, number, number, number, number])[];
  readonly arrow?: boolean;
  readonly dashed?: boolean;
}
