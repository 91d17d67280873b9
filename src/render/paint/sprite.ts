import type { PlacedMark } from '../layout/laid-out.ts';
import type { Palette } from './palette.ts';

/** A mark as drawn at one time: position, colours, opacity. */
export interface Sprite {
  readonly placed: PlacedMark;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly alpha: number;
  /** opacity of the words, multiplied by `alpha` */
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
/** Opacity of a byte that is not written yet. Bytes are about 3 px wide: too narrow for a dashed outline. */
const GHOST_BYTE_ALPHA = 0.55;

/** The colour of a mark's words: in a translucent mark, words in the background's colour would be invisible. */
function dimmedInk(ink: string, { state }: PlacedMark['mark'], { theme }: Palette): string {
  return state === 'dim' && ink === theme.ground ? theme.text : ink;
}

/** The sprite of a mark that does not move. */
export function spriteOf(placed: PlacedMark, palette: Palette): Sprite {
  const { mark, x, y, w, h } = placed;
  const { theme } = palette;
  const level = mark.level ?? 0;
  const colors = palette.tone(mark.tone);
  const alpha = mark.state === 'dim' ? DIM_ALPHA : 1;
  // Every sprite has the same properties, for speed: there are a thousand, drawn in every step.
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
