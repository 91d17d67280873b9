import type { PlacedMark, Rect, PlacedLink } from '../layout/laid-out.ts';
import type { Sprite } from './sprite.ts';
import type { TextMeasurer } from '../../story/drawing-space.ts';

// Outlines around marks: around marks in focus (what the step is about), and around marks of the hovered name.

/** A rectangle with every edge moved outwards by `by` px. */
export function grown({ x, y, w, h }: Rect, by: number): Rect {
  return { x: x - by, y: y - by, w: w + 2 * by, h: h + 2 * by };
}

/** Width of the outline of a mark in focus, px, and of the gap between it and the fill, which becomes smaller. */
export const FOCUS_WIDTH = 2;
const FOCUS_GAP = 1.5;
/** Distance of the outline's outer edge from the mark's full area, px. */
const FOCUS_REACH = 1.5;
/** Marks narrower than this get their outline without the gap, px. */
const NO_GAP_BELOW = 12;
/** Bytes that are closer than this share one outline, px. */
const JOIN_WITHIN = 3;

/** Whether a mark gets the outline of the focus; frames and brackets show the focus by their own lines. */
export function isOutlined({ placed: { mark } }: Sprite): boolean {
  return mark.focus === true && mark.shape === 'box';
}

/** The area that a mark fills: a mark in focus shrinks to leave the gap to its outline. */
export function filledArea(s: Sprite): Rect {
  if (!isOutlined(s) || s.w < NO_GAP_BELOW) return s;
  return grown(s, FOCUS_REACH - FOCUS_GAP - FOCUS_WIDTH);
}

/** An outline of the focus, as the rectangle along the middle of its line. */
export interface FocusOutline extends Rect {
  readonly radius: number;
  readonly alpha: number;
}

/** Outlines of the marks in focus; the bytes of an element share an outline. */
export function focusOutlines(sprites: Iterable<Sprite>): readonly FocusOutline[] {
  const outlines: FocusOutline[] = [];
  let joined: { -readonly [K in keyof FocusOutline]: FocusOutline[K] } | null = null;
  for (const s of sprites) {
    if (!isOutlined(s)) continue;
    const outline = { ...grown(s, FOCUS_REACH - FOCUS_WIDTH / 2), radius: s.placed.radius + 1, alpha: s.alpha };
    const gap: number = joined === null ? Number.POSITIVE_INFINITY : outline.x - joined.x - joined.w;
    if (joined !== null && s.placed.unit === 'byte' && outline.y === joined.y && Math.abs(gap) <= JOIN_WITHIN) {
      joined.w = outline.x + outline.w - joined.x;
      continue;
    }
    joined = outline;
    outlines.push(joined);
  }
  return outlines;
}

/** Height of the outline around a bracket, whose words are on its line, px. */
const BRACKET_OUTLINE = 18;
/** Marks that are closer than this share one outline, if they are not bytes but for example parts of one slot, px. */
const JOIN_PARTS_WITHIN = 1.5;

/** Outlines of marks that share a name with the hovered mark; adjacent parts and bytes share an outline. */
export function highlightOutlines(marks: Iterable<PlacedMark>): readonly Rect[] {
  const outlines: { x: number; y: number; w: number; h: number }[] = [];
  for (const { mark, unit, x, y, w, h } of marks) {
    const isBracket = mark.shape === 'bracket';
    const rect = isBracket ? { x, y: y + h / 2 - BRACKET_OUTLINE / 2, w, h: BRACKET_OUTLINE } : { x, y, w, h };
    const last = outlines.at(-1);
    const within = unit === 'byte' ? JOIN_WITHIN : JOIN_PARTS_WITHIN;
    if (last && last.y === rect.y && last.h === rect.h && Math.abs(rect.x - last.x - last.w) <= within) {
      last.w = rect.x + rect.w - last.x;
    } else {
      outlines.push(rect);
    }
  }
  return outlines;
}

// The paths of brackets, lines, links and arrows, as SVG and Path2D write them.

type Point = readonly [number, number];

/** Length of the strokes of an arrow's head in px, and their angle from the line. */
const ARROW_LENGTH = 6;
const ARROW_TURN = 0.5;

/** Width of the line of a bracket or of a line mark, px. */
export function lineWidth({ mark, thickness }: PlacedMark): number {
  return thickness ?? (mark.shape === 'bracket' && mark.focus ? 2 : 1);
}

/** Length of the strokes at the ends of a bracket, and the gap between its line and its words, px. */
const BRACKET_TICK = 7;
const BRACKET_TEXT_GAP = 5;

/** The path of a bracket, with a gap for its words around `middle`. */
export function bracketPath(s: Sprite, measure: TextMeasurer): { readonly path: string; readonly middle: Point } {
  const { text, font, opensDown } = s.placed;
  const width = lineWidth(s.placed);
  const tick = Math.min(BRACKET_TICK, s.h / 2) * (opensDown ? -1 : 1);
  const [left, right] = [s.x + width / 2, s.x + s.w - width / 2];
  const [x, y] = [(left + right) / 2, s.y + s.h / 2];
  // In the middle of a px a line of 1 px is sharp.
  const line = Math.round(y) + (width === 1 ? 0.5 : 0);
  const gap = text === null ? 0 : measure(text, font) / 2 + BRACKET_TEXT_GAP;
  const across =
    x - gap > left
      ? `H${decimal(x - gap)}M${decimal(x + gap)} ${decimal(line)}`
      : `M${decimal(right)} ${decimal(line)}`;
  const [end, start] = [decimal(line - tick), `M${decimal(left)} ${decimal(line - tick)}`];
  return { path: `${start}V${decimal(line)}${across}H${decimal(right)}V${end}`, middle: [x, y] };
}

/** The path of a line: through its points or, without any, along the top of its rectangle. */
export function linePath({ placed: { points }, x, y, w }: Sprite): string {
  const top = Math.floor(y) + 0.5;
  return polyline(
    points ?? [
      [x, top],
      [x + w, top],
    ],
  );
}

/** The path of a link. */
export function linkPath({ start, curves }: Pick<PlacedLink, 'start' | 'curves'>): string {
  return `M${start.map(decimal).join(' ')}${curves.map((curve) => `C${curve.map(decimal).join(' ')}`).join('')}`;
}

/** The path of the head of an arrow at the end of a link: two strokes that meet at its tip. */
export function arrowHeadPath({ start, curves }: Pick<PlacedLink, 'start' | 'curves'>): string {
  const last = curves.at(-1);
  if (!last) return '';
  const [, , cx, cy, x, y] = last;
  const [fromX, fromY] = cx === x && cy === y ? start : [cx, cy];
  const angle = Math.atan2(y - fromY, x - fromX);
  const wing = (turn: number): Point => [
    x - ARROW_LENGTH * Math.cos(angle + turn),
    y - ARROW_LENGTH * Math.sin(angle + turn),
  ];
  return polyline([wing(ARROW_TURN), [x, y], wing(-ARROW_TURN)]);
}

function polyline(points: readonly Point[]): string {
  return `M${points.map(([x, y]) => `${decimal(x)} ${decimal(y)}`).join('L')}`;
}

/** A number with at most two decimals, as paths have them. */
export function decimal(value: number): string {
  return String(Math.round(value * 100) / 100);
}
