import type { Tone } from '../../story/scene.ts';
import { contrast, mix } from '../color.ts';
import { type Theme, tone, type ToneColors } from '../theme.ts';

/** Number of distinct levels (0: pale, 1: full colour), so that marks of nearly the same level share one fill. */
const LEVEL_STEPS = 32;
/** Number of steps in which the colour of a moving mark changes. */
const MOVEMENT_STEPS = 16;
/** Minimum contrast of words with the colour behind them. */
const READABLE = 4.5;

/** The colours of a scene in a theme, by tone (a byte class, a format, words); each colour is computed once. */
export class Palette {
  readonly theme: Theme;
  readonly formatColor: string;
  readonly #format: ToneColors;
  readonly #against: ToneColors; // of format B, with which the shown format is compared
  readonly #ink: ToneColors;
  readonly #danger: ToneColors;
  /** every colour computed so far, by its purpose and its parameters */
  readonly #colors = new Map<string, string>();

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

  /** The fill of a tone at a level: from pale at 0 to full at 1, mixed in OKLab. */
  fill(name: Tone, level: number): string {
    const step = stepOf(level);
    return this.#color(`fill ${name} ${step}`, () => {
      const { pale, full } = this.tone(name);
      return mix(pale, full, step / LEVEL_STEPS);
    });
  }

  /** Colour of words on `fill`: the first readable of the colours of tone, background and text, else the best. */
  ink(name: Tone, level: number): string {
    return this.#color(`ink ${name} ${stepOf(level)}`, () => {
      const ground = this.fill(name, level);
      const candidates = [this.tone(name).text, this.theme.ground, this.theme.text];
      const best = candidates.toSorted((a, b) => contrast(b, ground) - contrast(a, ground))[0];
      return candidates.find((color) => contrast(color, ground) >= READABLE) ?? best;
    });
  }

  /** The colour at share `t` between two colours, in steps fine enough for a movement. */
  between(from: string, to: string, t: number): string {
    const step = Math.round(t * MOVEMENT_STEPS);
    if (from === to || step === MOVEMENT_STEPS) return to;
    if (step === 0) return from;
    return this.#color(`${from} ${to} ${step}`, () => mix(from, to, step / MOVEMENT_STEPS));
  }

  #color(key: string, compute: () => string): string {
    const color = this.#colors.get(key) ?? compute();
    this.#colors.set(key, color);
    return color;
  }
}

function stepOf(level: number): number {
  return Math.round(Math.min(1, Math.max(0, level)) * LEVEL_STEPS);
}
