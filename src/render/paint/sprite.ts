import type { PlacedMark } from '../layout/laid-out.ts';
import type { Palette } from './palette.ts';

/** A mark as it is drawn at one moment: where, in which colours, how visible. */
export interface Sprite {
  readonly placed: PlacedMark;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly alpha: number;
  /** of the words alone, on top of `alpha` */
  readonly textAlpha: number;
  /** null: nothing is filled */
  readonly fill: string | null;
  /** colour of the hatching over the fill; null: none */
  readonly hatch: string | null;
  readonly outline: Outline | null;
  /** colour of the words, and of the lines of brackets and hairlines */
  readonly ink: string;
}

export interface Outline {
  readonly color: string;
  readonly width: number;
  readonly dashed: boolean;
}

/** What is there but not part of this step's business. */
const DIM_ALPHA = 0.42;
/** A byte that is not written yet is a pale one: a dashed outline of 3 px would be noise. */
const GHOST_BYTE_ALPHA = 0.55;

/** A mark at rest. */
export function spriteOf(placed: PlacedMark, palette: Palette): Sprite {
  const { mark, x, y, w, h } = placed;
  const { theme } = palette;
  const level = mark.level ?? 0;
  const colors = palette.tone(mark.tone);
  const alpha = mark.state === 'dim' ? DIM_ALPHA : 1;
  const rest = { placed, x, y, w, h, alpha, textAlpha: 1, fill: null, hatch: null, outline: null };
  switch (mark.shape) {
    case 'box': {
      if (mark.state === 'ghost') {
        if (placed.unit === 'byte') return { ...rest, fill: colors.pale, ink: colors.text, alpha: GHOST_BYTE_ALPHA };
        return { ...rest, ink: theme.textQuiet, outline: { color: theme.ghost, width: 1, dashed: true } };
      }
      if (mark.tone === 'padding') {
        const hatch = palette.between(colors.pale, colors.full, 0.45 + 0.55 * level);
        return { ...rest, fill: colors.pale, hatch, ink: theme.text };
      }
      return { ...rest, fill: palette.fill(mark.tone, level), ink: palette.ink(mark.tone, level) };
    }
    case 'frame': {
      const color = mark.focus ? theme.text : mark.tone === 'neutral' ? theme.textQuiet : colors.full;
      const width = mark.focus || mark.tone !== 'neutral' ? 2 : 1;
      return { ...rest, ink: color, outline: { color, width, dashed: mark.state === 'ghost' } };
    }
    case 'bracket':
      return { ...rest, ink: mark.tone === 'neutral' && !mark.focus ? theme.textQuiet : colors.text };
    case 'line':
      return { ...rest, ink: mark.tone === 'neutral' ? theme.hairline : colors.full };
    case 'text':
      return { ...rest, ink: mark.focus ? theme.text : mark.tone === 'neutral' ? theme.textMuted : colors.text };
  }
}

/** Width of the line of a bracket or hairline. */
export function lineWidth({ mark }: PlacedMark): number {
  return mark.shape === 'bracket' && mark.focus ? 2 : 1;
}

/** Geometry of a bracket: the height of its line, how far its ticks rise, and where its words stand. */
export function bracketLine(sprite: Pick<Sprite, 'y' | 'h' | 'placed'>): { y: number; tick: number; textY: number } {
  const y = sprite.y + sprite.h / 2;
  return { y, tick: Math.min(7, sprite.h / 2), textY: sprite.placed.textBelow ? y + 9 : y };
}
