import type { UnitKind } from '../../story/scene.ts';

/** Sizes in px of one kind of unit: what a panel of a scene is divided into, such as cells or bytes. */
export interface UnitMetrics {
  readonly min: number; // minimum width
  readonly max: number; // maximum width
  /** distance from the top of one row to the top of the next; null: the unit's width (it is square) */
  readonly pitchY: number | null;
  /** gap between two neighbours, part of the unit */
  readonly gapY: number;
  readonly radius: number;
  readonly fontPx: number;
}

/** The sizes of all kinds of units. The constants that follow are sizes and gaps of a laid-out scene, px. */
export const UNITS: Readonly<Record<UnitKind, UnitMetrics>> = {
  cell: { min: 7, max: 24, pitchY: null, gapY: 2, radius: 3, fontPx: 11 },
  slot: { min: 30, max: 64, pitchY: 32, gapY: 4, radius: 4, fontPx: 13 },
  byte: { min: 3, max: 9, pitchY: 24, gapY: 2, radius: 1.5, fontPx: 10 },
  bar: { min: 0, max: Number.POSITIVE_INFINITY, pitchY: 22, gapY: 4, radius: 3, fontPx: 12 },
};

/** Minimum font size of words in a mark, px. */
export const SMALLEST_TEXT = 10;
/** Margin of the picture: an outlined mark at the edge needs it. */
export const MARGIN = 8;
/** On a stage narrower than this, row labels are above their row. */
export const NARROW_BELOW = 560;
/** Width kept for row labels with words. */
export const GUTTER_MIN = 97;
export const GUTTER_MAX = 170;
/** Gap between row numbers and their row. */
export const SHORT_LABEL_GAP = 8;
/** Height of a row label above its row on narrow screens. */
export const ROW_LABEL_HEIGHT = 18;
export const TITLE_HEIGHT = 24;
export const CAPTION_LINE_HEIGHT = 16;
export const COLUMN_LABEL_HEIGHT = 20;
/** Gap between lines of panels; below cells, where some steps draw curves; and where any other curve passes. */
export const LINE_GAP = 20;
export const LINE_GAP_BELOW_CELLS = 38;
export const LINE_GAP_WITH_CURVE = 38;
/** Part of LINE_GAP_WITH_CURVE that is below the words of a line, where the curve enters. */
export const ENTRY_GAP = 14;
/** Gap between panels side by side: those with the same band number, which share a line. */
export const BAND_GAP = 20;
/** Reserved next to a clipped panel, and above and below it, for the count of hidden columns and rows. */
export const REGION_WIDTH = 36;
export const REGION_HEIGHT = 18;
/** Maximum share of the stage's height for one panel; beyond it, its rows are clipped. */
export const PANEL_HEIGHT_SHARE = 0.4;
/** The same for a matrix left of its arrays. */
export const MATRIX_BESIDE_SHARE = 0.6;
/** Cells do not shrink below this to fit the height; the rows are clipped instead. */
export const COMFORTABLE_CELL = 12;
/** Minimum of PANEL_HEIGHT_SHARE if the scene is higher than the stage. */
export const MIN_HEIGHT_SHARE = 0.2;
/** A clipped panel shows at least this many rows, or all if it has fewer; more only in multiples of ROW_STEP. */
export const MIN_ROWS = 8;
export const ROW_STEP = 4;

/** Step between zooms of a picture. */
export const ZOOM_STEP = 0.125;
/** The smallest zoom. Below 1 only heights and distances shrink: words keep their size. */
export const MIN_ZOOM = 0.625;
/** On a stage at least this wide, two formats are side by side; otherwise one is below the other. */
export const COLUMNS_FROM = 900;
/** Gap between the columns of two formats. */
export const COLUMN_GAP = 40;
/** Height of a format's name above its panels. */
export const HEAD_HEIGHT = 30;
/** Side of the box with a letter, A or B, before that name. */
export const TAG_HEIGHT = 18;
/** Maximum width of a cell that is wider than high, since a picture of two formats fills the width of its stage. */
export const WIDE_CELL = 44;

/** Horizontal gap between neighbouring units of this width, px. */
export function gapX(unit: UnitKind, unitWidth: number): number {
  if (unit === 'slot') return 3;
  if (unit === 'bar') return 2;
  return unitWidth >= 14 ? 2 : unitWidth >= 4 ? 1 : 0.5;
}
