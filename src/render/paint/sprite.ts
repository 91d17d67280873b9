import type { PlacedLink, PlacedMark, Rect } from '../layout/laid-out.ts';
import type { Palette } from './palette.ts';

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

/** Geometry of a bracket: the height of its line, and how far its ticks rise; below 0 they go down. */
export function bracketLine({ y, h, placed }: Pick<Sprite, 'y' | 'h' | 'placed'>): { y: number; tick: number } {
  const tick = Math.min(7, h / 2);
  return { y: y + h / 2, tick: placed.opensDown ? -tick : tick };
}

/** The two strokes of an arrow's head at the end of a path of curves: the points before and after its tip. */
export function arrowHead({
  start,
  curves,
}: Pick<PlacedLink, 'start' | 'curves'>): readonly (readonly [number, number])[] {
  const last = curves.at(-1);
  if (!last) return [];
  const [, , cx, cy, x, y] = last;
  const [fromX, fromY] = cx === x && cy === y ? start : [cx, cy];
  const angle = Math.atan2(y - fromY, x - fromX);
  const wing = (turn: number): [number, number] => [
    x - ARROW_LENGTH * Math.cos(angle + turn),
    y - ARROW_LENGTH * Math.sin(angle + turn),
  ];
  return [wing(ARROW_TURN), [x, y], wing(-ARROW_TURN)];
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
  const by = FOCUS_WIDTH + FOCUS_GAP - FOCUS_REACH;
  return { x: s.x + by, y: s.y + by, w: s.w - 2 * by, h: s.h - 2 * by };
}

/** An outline of the focus: the middle of its line. */
export interface FocusOutline extends Rect {
  readonly radius: number;
  readonly alpha: number;
}

/** Outlines of the marks in focus; the bytes of one element share one. */
export function focusOutlines(sprites: Iterable<Sprite>): readonly FocusOutline[] {
  const outlines: FocusOutline[] = [];
  let joined: { x: number; y: number; w: number; h: number; radius: number; alpha: number } | null = null;
  const by = FOCUS_REACH - FOCUS_WIDTH / 2;
  for (const s of sprites) {
    if (!isOutlined(s)) continue;
    const outline = {
      x: s.x - by,
      y: s.y - by,
      w: s.w + 2 * by,
      h: s.h + 2 * by,
      radius: s.placed.radius + 1,
      alpha: s.alpha,
    };
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
