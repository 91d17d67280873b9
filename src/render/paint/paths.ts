import type { TextMeasurer } from '../../core/story/drawing-space.ts';
import type { PlacedLink, PlacedMark } from '../layout/laid-out.ts';
import type { Sprite } from './sprite.ts';

// The paths of brackets, lines, links and arrows, as SVG and Path2D write them.

type Point = readonly [number, number];

/** Length of the strokes of an arrow's head in px, and their angle from the line. */
const ARROW_LENGTH = 6;
const ARROW_TURN = 0.5;

/** Width of the line of a bracket or hairline. */
export function lineWidth({ mark, thickness }: PlacedMark): number {
  return thickness ?? (mark.shape === 'bracket' && mark.focus ? 2 : 1);
}

/** The path of a bracket, with a gap for its words around `middle`. */
export function bracketPath(s: Sprite, measure: TextMeasurer): { readonly path: string; readonly middle: Point } {
  const { text, font, opensDown } = s.placed;
  const width = lineWidth(s.placed);
  const tick = Math.min(7, s.h / 2) * (opensDown ? -1 : 1);
  const [left, right] = [s.x + width / 2, s.x + s.w - width / 2];
  const [x, y] = [(left + right) / 2, s.y + s.h / 2];
  // In the middle of a px a line of 1 px is sharp.
  const line = Math.round(y) + (width === 1 ? 0.5 : 0);
  const gap = text === null ? 0 : measure(text, font) / 2 + 5;
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
