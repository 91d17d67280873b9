import type { TextMeasurer } from '../../core/story/drawing-room.ts';
import type { PlacedLink, PlacedMark, Rect } from '../layout/laid-out.ts';
import type { Palette } from './palette.ts';

type Point = readonly [number, number];

/** A mark as drawn at one moment: position, colours, opacity. */
export interface Sprite {
  readonly placed: PlacedMark;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly alpha: number;
  /** of the words alone, on top of `alpha` */
  readonly textAlpha: number;
  /** null: no fill */
  readonly fill: string | null;
  /** colour of the hatching over the fill; null: none */
  readonly hatch: string | null;
  readonly outline: Outline | null;
  /** colour of the words, and of the lines of brackets and hairlines */
  readonly ink: string;
}

/** How the outline of a mark is drawn. */
export interface Outline {
  readonly color: string;
  readonly width: number;
  readonly dashed: boolean;
}

/** Opacity of marks that are not involved in this step. */
const DIM_ALPHA = 0.42;
/** A byte that is not written yet is pale, since a dashed outline of 3 px would be noise. */
const GHOST_BYTE_ALPHA = 0.55;

/** Words in the background's colour would vanish in a translucent mark. */
function dimmedInk(ink: string, { state }: PlacedMark['mark'], { theme }: Palette): string {
  return state === 'dim' && ink === theme.ground ? theme.text : ink;
}

/** A mark at rest. */
export function spriteOf(placed: PlacedMark, palette: Palette): Sprite {
  const { mark, x, y, w, h } = placed;
  const { theme } = palette;
  const level = mark.level ?? 0;
  const colors = palette.tone(mark.tone);
  const alpha = mark.state === 'dim' ? DIM_ALPHA : 1;
  // One object shape for every kind of mark: there are a thousand, drawn in every step.
  const sprite: { -readonly [K in keyof Sprite]: Sprite[K] } = {
    placed,
    x,
    y,
    w,
    h,
    alpha,
    textAlpha: 1,
    fill: null,
    hatch: null,
    outline: null,
    ink: theme.text,
  };
  switch (mark.shape) {
    case 'box':
      if (mark.state === 'bare') break;
      if (mark.state !== 'ghost') {
        const isPadding = mark.tone === 'padding';
        sprite.fill = isPadding ? colors.pale : palette.fill(mark.tone, level);
        if (isPadding) sprite.hatch = palette.between(colors.pale, colors.full, 0.45 + 0.55 * level);
        else sprite.ink = dimmedInk(palette.ink(mark.tone, level), mark, palette);
      } else if (placed.unit === 'byte') {
        sprite.fill = colors.pale;
        sprite.ink = colors.text;
        sprite.alpha = GHOST_BYTE_ALPHA;
      } else {
        sprite.ink = theme.textQuiet;
        sprite.outline = { color: theme.ghost, width: 1, dashed: true };
      }
      break;
    case 'frame': {
      const color = mark.focus ? theme.text : mark.tone === 'neutral' ? theme.textQuiet : colors.full;
      const width = mark.focus || mark.tone !== 'neutral' ? 2 : 1;
      sprite.ink = color;
      sprite.outline = { color, width, dashed: mark.state === 'ghost' };
      break;
    }
    case 'bracket':
      sprite.ink = mark.tone === 'neutral' && !mark.focus ? theme.textQuiet : colors.text;
      break;
    case 'line':
      sprite.ink = mark.tone === 'neutral' ? (placed.points ? theme.textQuiet : theme.hairline) : colors.full;
      break;
    case 'text':
      sprite.ink = mark.focus ? theme.text : mark.tone === 'neutral' ? theme.textMuted : colors.text;
      break;
  }
  return sprite;
}

/** Width of the line of a bracket or hairline. */
export function lineWidth({ mark, thickness }: PlacedMark): number {
  return thickness ?? (mark.shape === 'bracket' && mark.focus ? 2 : 1);
}

/** The path of a bracket, as SVG and Path2D write it, with a gap for its words around `middle`. */
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

/** A rectangle with every edge moved outwards by `by` px. */
export function grown({ x, y, w, h }: Rect, by: number): Rect {
  return { x: x - by, y: y - by, w: w + 2 * by, h: h + 2 * by };
}

/** Length of the strokes of an arrow's head in px, and their angle from the line. */
const ARROW_LENGTH = 6;
const ARROW_TURN = 0.5;

/** Outline of the focus: its width, and the gap between it and the mark, px. */
export const FOCUS_WIDTH = 2;
const FOCUS_GAP = 1.5;
/** Distance of the outline's outer edge from the mark. */
const FOCUS_REACH = 1.5;
/** Narrower marks get their outline without the gap. */
const NO_GAP_BELOW = 12;
/** Closer bytes share one outline. */
const JOIN_WITHIN = 3;

/** Whether a mark gets the outline of the focus; frames and brackets show it by their own lines. */
export function isOutlined({ placed: { mark } }: Sprite): boolean {
  return mark.focus === true && mark.shape === 'box';
}

/** A mark with the focus shrinks to make room for the gap to its outline. */
export function filledArea(s: Sprite): Rect {
  if (!isOutlined(s) || s.w < NO_GAP_BELOW) return s;
  return grown(s, FOCUS_REACH - FOCUS_GAP - FOCUS_WIDTH);
}

/** An outline of the focus: the middle of its line. */
export interface FocusOutline extends Rect {
  readonly radius: number;
  readonly alpha: number;
}

/** Outlines of the marks in focus; the bytes of one element share one. */
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
/** Closer parts of a slot share one outline. */
const JOIN_PARTS_WITHIN = 1.5;

/** Outlines of marks that share a name with the hovered one; adjacent parts and bytes share one. */
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
