import type { DrawnMark } from '../scene.ts';
import type { DrawingSpace } from '../drawing-space.ts';

/**
 * The space for a picture, in CSS px, and the sizes with which its parts are laid out. The lengths of the parts follow
 * from these and from measured texts.
 */
export interface LayoutSpace extends DrawingSpace {
  /** font size of running text, px: the same for all pictures of a story */
  readonly em: number;
  /** the state of the picture, from 0: a part that appears in a later one (`since` in parts.ts) is not drawn yet */
  readonly state: number;
  /** width of the column of titles left of the parts, px */
  readonly gutter: number;
  /** the column of bar titles that all parts of this picture share (`withOneTitleColumn`); absent: each part has its own */
  readonly titleColumn?: TitleColumn;
  /** factor of the usual height of gaps */
  readonly gapFactor: number;
  /** factor of the usual height of cells, up to their width, and of the width of those that may grow */
  readonly grow: number;
  /** the matrix is small: all cells become wider as they become higher */
  readonly isSmall: boolean;
  /** texts about cells are right of the cells where there is space, so that the picture is lower than with texts below them */
  readonly isBeside: boolean;
  /** only heights are needed: marks of cells may be left out */
  readonly heightOnly: boolean;
}

/** The widest title of the bars of a picture, found in a first layout and used in the second. */
interface TitleColumn {
  px: number;
}

/** Below this width, in px, a picture is laid out for a phone. */
const NARROW = 540;

export function isNarrow({ width }: Pick<LayoutSpace, 'width'>): boolean {
  return width < NARROW;
}

/** A part of a picture. */
export interface Part {
  /** titles left of it: the widest of a story decides the width of the gutter */
  readonly titles: readonly string[];
  /** it has only lines of text, which may be placed right of other parts instead of below them */
  readonly isText?: boolean;
  /** width in px that it needs next to another part; null: all of the width */
  naturalWidth(available: LayoutSpace): number | null;
  /** its layout in a width in px, which includes the gutter */
  lay(available: LayoutSpace, width: number): LaidOut;
}

/** A part with sizes: its height, and its marks, in px from its top left corner. */
export interface LaidOut {
  readonly h: number;
  /** its right edge at most; default: all of the width */
  readonly right?: number;
  readonly marks: readonly DrawnMark[];
}

/** A part that needs no space and draws nothing. */
export const EMPTY: LaidOut = { h: 0, marks: [] };

/** The marks, shifted by `dx` and `dy` px. */
export function moved(marks: readonly DrawnMark[], dx: number, dy: number): readonly DrawnMark[] {
  if (dx === 0 && dy === 0) return marks;
  return marks.map((mark) => ({
    ...mark,
    x: mark.x + dx,
    y: mark.y + dy,
    ...(mark.points && { points: mark.points.map(([x, y]): [number, number] => [x + dx, y + dy]) }),
  }));
}
