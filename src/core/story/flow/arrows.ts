import type { DrawnMark, LinkPath } from '../scene.ts';
import type { Room } from './room.ts';
import { LINE, linesIn, runsOf, widthOf } from './text-layout.ts';

interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** The area that a mark covers, in px; of a text, the area of its letters only. */
function coveredBy(mark: DrawnMark, room: Room): Rect {
  if (mark.shape !== 'text') return mark;
  const words = mark.runs ?? mark.text ?? '';
  const px = mark.size ?? 13;
  const all =
    mark.face === 'mono'
      ? room.measure(runsOf(words)[0]?.text ?? '', { face: 'mono', px })
      : widthOf(room, words, px, mark.strong);
  const w = mark.w > 0 ? Math.min(mark.w, all) : all;
  const h = (mark.w > 0 ? linesIn(room, words, px, mark.w, mark.strong ?? false) : 1) * px * LINE;
  const free = mark.w - w;
  const dx = mark.align === 'middle' ? free / 2 : mark.align === 'end' ? free : 0;
  return { x: mark.x + dx, y: mark.h > 0 ? mark.y + (mark.h - h) / 2 : mark.y, w, h };
}

/** Shares of a mark's width at which an arrow may leave or reach it, and of the height between at which it may turn. */
const SIDES = [0.5, 0.25, 0.75];
const TURNS = [0.5, 0.35, 0.65, 0.2, 0.8];
/* Of an arrow, in px: distance from its two marks, length of its head, distance from others, radius, least height. */
const CLEARANCE = 2;
const HEAD = 3;
const PASSING_DISTANCE = 3;
const CORNER = 8;
const SHORTEST = 6;

/**
 * The path of an arrow from the lower edge of the mark `from` to the upper edge of the mark `to` below it, with at most
 * two corners, that crosses no other mark; null if there is none. `room` measures texts.
 */
export function arrowTo(from: string, to: string, marks: readonly DrawnMark[], room: Room): LinkPath | null {
  const [start, end] = [marks.find(({ id }) => id === from), marks.find(({ id }) => id === to)];
  if (!start || !end) return null;
  const [a, b] = [coveredBy(start, room), coveredBy(end, room)];
  const [top, bottom] = [a.y + a.h + CLEARANCE, b.y - CLEARANCE - HEAD];
  if (bottom - top < SHORTEST) return null;
  const others = marks.filter((mark) => mark !== start && mark !== end).map((mark) => coveredBy(mark, room));
  const isFree = (x1: number, y1: number, x2: number, y2: number): boolean =>
    others.every(
      ({ x, y, w, h }) =>
        Math.max(x1, x2) + PASSING_DISTANCE <= x ||
        Math.min(x1, x2) - PASSING_DISTANCE >= x + w ||
        Math.max(y1, y2) + PASSING_DISTANCE <= y ||
        Math.min(y1, y2) - PASSING_DISTANCE >= y + h,
    );
  for (const turn of TURNS)
    for (const first of SIDES)
      for (const last of SIDES) {
        const [x1, middle, y] = [a.x + a.w * first, b.x + b.w * last, top + (bottom - top) * turn];
        const x2 = Math.abs(middle - x1) < CLEARANCE ? x1 : middle;
        if (isFree(x1, top, x1, y) && isFree(x1, y, x2, y) && isFree(x2, y, x2, bottom))
          return path(x1, top, y, x2, bottom);
      }
  return null;
}

type Curve = LinkPath['curves'][number];

/** From (x1, top) down, across at `y`, and down to (x2, bottom), with round corners. */
function path(x1: number, top: number, y: number, x2: number, bottom: number): LinkPath {
  const straight = (fromX: number, fromY: number, x: number, toY: number): Curve => [fromX, fromY, x, toY, x, toY];
  if (x1 === x2) return { start: [x1, top], curves: [straight(x1, top, x1, bottom)] };
  const r = Math.min(CORNER, Math.abs(x2 - x1) / 2, y - top, bottom - y);
  const side = Math.sign(x2 - x1);
  return {
    start: [x1, top],
    curves: [
      straight(x1, top, x1, y - r),
      [x1, y, x1, y, x1 + side * r, y],
      straight(x1 + side * r, y, x2 - side * r, y),
      [x2, y, x2, y, x2, y + r],
      straight(x2, y + r, x2, bottom),
    ],
  };
}
