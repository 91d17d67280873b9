import type { DrawnMark } from '../scene.ts';
import type { DrawingRoom } from '../drawing-room.ts';

/**
 * The space and the sizes with which the parts of a picture are laid out. Parts say what stands where in words, cells
 * and bars; lengths follow from the room, in CSS px, and from the words, which are measured. Whatever has words has
 * room for them.
 */
export interface Room extends DrawingRoom {
  /** px of running text: one for all pictures of a story */
  readonly em: number;
  /** index of the picture in its frame: a part that appears later (`since` in parts.ts) is not drawn yet */
  readonly picture: number;
  /** px left of titled parts for their titles */
  readonly gutter: number;
  /** height of a gap relative to the usual */
  readonly air: number;
  /** size of cells that grow, and height of the others, relative to the usual: larger where a phone has room left, smaller in a low room */
  readonly grow: number;
  /** only heights are asked for: cells need not be drawn */
  readonly heightOnly: boolean;
}

/** Narrower rooms are those of a phone. */
const NARROW = 540;

export function isNarrow({ width }: Pick<Room, 'width'>): boolean {
  return width < NARROW;
}

/** A part of a picture. */
export interface Part {
  /** titles left of it: the widest decides how wide the gutter of a story is */
  readonly titles: readonly string[];
  /** px that it needs to stand beside another; null: all that there is */
  natural(room: Room): number | null;
  /** its marks in a width, with the gutter as a part of it */
  lay(room: Room, width: number): LaidOut;
}

/** A part in its place: its height, and marks from its top left corner. */
export interface LaidOut {
  readonly h: number;
  readonly marks: readonly DrawnMark[];
}

/** A part that takes no room and draws nothing. */
export const EMPTY: LaidOut = { h: 0, marks: [] };

/** Marks, shifted by px. */
export function moved(marks: readonly DrawnMark[], dx: number, dy: number): readonly DrawnMark[] {
  if (dx === 0 && dy === 0) return marks;
  return marks.map((mark) => ({
    ...mark,
    x: mark.x + dx,
    y: mark.y + dy,
    ...(mark.points && { points: mark.points.map(([x, y]): [number, number] => [x + dx, y + dy]) }),
  }));
}
