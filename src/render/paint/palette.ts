import type { Tone } from '../../core/story/scene.ts';
import { contrast, mix } from '../color.ts';
import { type Theme, tone, type ToneColors } from '../theme.ts';

/** Number of distinct levels, so that marks of nearly the same level share one fill. */
const LEVEL_STEPS = 32;
/** Minimum contrast of words. */
const READABLE = 4.5;

/** Colours of tones in a theme, with those of one or two formats; every colour is computed once. */
export class Palette {
  readonly theme: Theme;
  readonly formatColor: string;
  readonly #format: ToneColors;
  readonly #against: ToneColors;
  readonly #ink: ToneColors;
  readonly #danger: ToneColors;
  /** by tone, then by step; looked up for every mark of every scene */
  readonly #fills = new Map<Tone, string[]>();
  readonly #inks = new Map<Tone, string[]>();
  readonly #mixes = new Map<string, string>();

  constructor(theme: Theme, formatColor: string, againstColor: string = theme.neutral.full) {
    this.theme = theme;
    this.formatColor = formatColor;
    this.#format = tone(formatColor, theme.ground);
    this.#against = tone(againstColor, theme.ground);
    this.#ink = { full: theme.text, pale: theme.control, text: theme.text };
    this.#danger = tone(theme.danger, theme.ground);
  }

  tone(name: Tone): ToneColors {
    if (name === 'format') return this.#format;
    if (name === 'against') return this.#against;
    if (name === 'ink') return this.#ink;
    if (name === 'danger') return this.#danger;
    return name === 'neutral' ? this.theme.neutral : this.theme.byteClasses[name];
  }

  /** From pale at level 0 to full at level 1, in OKLab. */
  fill(name: Tone, level: number): string {
    const step = stepOf(level);
    const fills = entryOf(this.#fills, name);
    let color: string | undefined = fills[step];
    if (color === undefined) {
      const { pale, full } = this.tone(name);
      color = mix(pale, full, step / LEVEL_STEPS);
      fills[step] = color;
    }
    return color;
  }

  /** Colour of words on that fill: the tone itself while it is readable, else reversed, else whichever is most readable. */
  ink(name: Tone, level: number): string {
    const step = stepOf(level);
    const inks = entryOf(this.#inks, name);
    let color: string | undefined = inks[step];
    if (color === undefined) {
      const ground = this.fill(name, level);
      const candidates = [this.tone(name).text, this.theme.ground, this.theme.text];
      const best = candidates.toSorted((a, b) => contrast(b, ground) - contrast(a, ground))[0];
      color = candidates.find((c) => contrast(c, ground) >= READABLE) ?? best;
      inks[step] = color;
    }
    return color;
  }

  /** The colour at share `t` between two, in steps fine enough for a movement. */
  between(from: string, to: string, t: number): string {
    if (from === to) return to;
    const step = Math.round(t * 16);
    if (step === 0) return from;
    if (step === 16) return to;
    const key = `${from}${to}${step}`;
    let color = this.#mixes.get(key);
    if (color === undefined) {
      color = mix(from, to, step / 16);
      this.#mixes.set(key, color);
    }
    return color;
  }
}

function stepOf(level: number): number {
  return Math.round(Math.min(1, Math.max(0, level)) * LEVEL_STEPS);
}

function entryOf(colors: Map<Tone, string[]>, name: Tone): string[] {
  let steps = colors.get(name);
  if (steps === undefined) {
    steps = [];
    colors.set(name, steps);
  }
  return steps;
}
