import type { Mark, Tone, UnitKind } from '../../core/story/scene.ts';
import type { Font } from '../text-measurer.ts';

/** A rectangle, in px from the top left corner of the picture unless said otherwise. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A scene with every size decided: canvas and SVG only draw it. */
export interface LaidOutScene {
  readonly width: number;
  readonly height: number;
  readonly panels: readonly PlacedPanel[];
  /** in drawing order; marks outside their panel's window are omitted */
  readonly marks: readonly PlacedMark[];
  readonly labels: readonly PlacedLabel[];
  readonly links: readonly PlacedLink[];
  readonly tags: readonly PlacedTag[];
}

/** A letter in a box, which stands for a format. */
export interface PlacedTag extends Rect {
  readonly text: string;
  readonly font: Font;
  readonly look: 'filled' | 'outlined';
}

/** A matrix, an array or bars of a scene: its rectangle without labels, and the grid of empty cells below its marks. */
export interface PlacedPanel extends Rect {
  readonly id: string;
  /** the shown part of the panel, in units */
  readonly window: Rect;
  /** size of a unit in px */
  readonly unitX: number;
  readonly unitY: number;
  /** the empty grid: a cell for every column and row, x and w of the one, y and h of the other; empty without a grid */
  readonly grid: {
    readonly columns: readonly Rect[];
    readonly rows: readonly Rect[];
    /** the first row shown, counted in the window */
    readonly firstRow?: number;
    /** the columns of the window that are shown, if some are left out */
    readonly shown?: readonly number[];
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
  /** for words outside of a box; default: left */
  readonly align?: 'left' | 'center' | 'right';
  /** for a line: its points, and its width */
  readonly points?: readonly (readonly [number, number])[];
  readonly thickness?: number;
  /** for a bracket: its ticks point down */
  readonly opensDown?: boolean;
}

/** Words beside marks: a title, a caption, a row or column label. */
export interface PlacedLabel {
  readonly text: string;
  /** left, middle or right end, by `align` */
  readonly x: number;
  /** vertical middle of the line */
  readonly y: number;
  readonly align: 'left' | 'center' | 'right';
  readonly font: Font;
  /** title: text colour; row: muted; quiet: captions, column labels, counts of what is hidden */
  readonly role: 'title' | 'row' | 'quiet';
  /** a format's colour instead */
  readonly tone?: Tone;
}

/** A path of cubic curves: the start, then control, control, end for each. Straight lines are curves too. */
export interface PlacedLink {
  readonly id: string;
  readonly kind: 'curve' | 'guide';
  readonly tone: Tone;
  readonly start: readonly [number, number];
  readonly curves: readonly (readonly [number, number, number, number, number, number])[];
  readonly arrow?: boolean;
  readonly dashed?: boolean;
}
