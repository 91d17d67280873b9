import type { Palette } from './palette.ts';
import type { Sprite } from './sprite.ts';

/** The movement of one mark (a shape or text of a picture) from its current to its next form. */
interface Track {
  readonly from: Sprite;
  readonly to: Sprite;
  readonly durationMs: number;
  /** the text appears only as the mark gets near its final size */
  readonly lateText: boolean;
}

/** Durations of the shortest and the longest movement. */
export const SHORTEST_MS = 150;
export const LONGEST_MS = 400;
/** How long a text that is removed is visible, under the text that replaces it. */
export const LEAVING_TEXT_MS = 100;
const MS_PER_PX = 0.5;

/**
 * The movement from the current drawing to the next. A mark in both moves and changes colour; a new mark moves out
 * of the mark that it names as its origin, or fades in; a removed mark fades out, a text within `LEAVING_TEXT_MS`.
 */
export class Motion {
  /** unchanged marks */
  readonly resting: readonly Sprite[];
  readonly durationMs: number;
  readonly #moving: readonly Track[];
  readonly #palette: Palette;

  /** `current`, `targets`: the current and the next drawing, by ids of marks. `ms`: duration; default: by distance. */
  constructor(
    current: ReadonlyMap<string, Sprite>,
    targets: ReadonlyMap<string, Sprite>,
    palette: Palette,
    ms?: number,
  ) {
    const track = (from: Sprite, to: Sprite, lateText: boolean): Track => ({
      from,
      to,
      lateText,
      durationMs: ms ?? durationOf(from, to),
    });
    const resting: Sprite[] = [];
    const moving: Track[] = [];
    for (const [id, to] of targets) {
      const before = current.get(id);
      const appears = before === undefined || isGhost(before) !== isGhost(to);
      if (!appears && isSameStyle(before, to)) {
        resting.push(to);
        continue;
      }
      if (!appears) {
        moving.push(track(before, to, changesText(before, to)));
        continue;
      }
      if (before) moving.push(track(before, { ...before, alpha: 0 }, false));
      const origin = isGhost(to) ? undefined : originOf(to, current, targets);
      const start = origin
        ? { ...to, x: origin.x, y: origin.y, w: origin.w, h: origin.h, fill: origin.fill ?? to.fill }
        : to;
      moving.push(track({ ...start, alpha: origin ? start.alpha : 0 }, to, origin !== undefined));
    }
    for (const [id, sprite] of current) {
      if (targets.has(id)) continue;
      const fadeOut = track(sprite, { ...sprite, alpha: 0 }, false);
      const isText = sprite.placed.mark.shape === 'text';
      moving.push(isText ? { ...fadeOut, durationMs: Math.min(fadeOut.durationMs, LEAVING_TEXT_MS) } : fadeOut);
    }
    this.resting = resting;
    this.#moving = moving;
    this.#palette = palette;
    this.durationMs = moving.reduce((longest, t) => Math.max(longest, t.durationMs), 0);
  }

  /** The marks in motion, `elapsedMs` after the start; once a mark has arrived, its target itself. */
  sample(elapsedMs: number): Sprite[] {
    const sprites: Sprite[] = [];
    for (const { from, to, durationMs, lateText } of this.#moving) {
      const t = ease(Math.min(1, elapsedMs / durationMs));
      const alpha = from.alpha + (to.alpha - from.alpha) * t;
      if (alpha <= 0) continue;
      if (t === 1) {
        sprites.push(to);
        continue;
      }
      sprites.push({
        ...to,
        x: from.x + (to.x - from.x) * t,
        y: from.y + (to.y - from.y) * t,
        w: from.w + (to.w - from.w) * t,
        h: from.h + (to.h - from.h) * t,
        alpha,
        textAlpha: lateText ? Math.max(0, 2 * t - 1) : 1,
        fill: from.fill !== null && to.fill !== null ? this.#palette.between(from.fill, to.fill, t) : to.fill,
      });
    }
    return sprites;
  }
}

/** Duration of a movement: longer for a longer distance, within the limits. */
function durationOf(from: Sprite, to: Sprite): number {
  return Math.min(LONGEST_MS, SHORTEST_MS + Math.hypot(to.x - from.x, to.y - from.y) * MS_PER_PX);
}

/** Position of a movement, from 0 to 1, after the share `t` of its time: slow at both ends. */
export function ease(t: number): number {
  return t < 0.5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2;
}

function isGhost({ placed: { mark } }: Sprite): boolean {
  return mark.state === 'ghost'; // not stored yet: a dashed outline in its later position
}

/** The sprite out of which a new mark moves: its mark names it by id; undefined if none. */
function originOf(sprite: Sprite, current: ReadonlyMap<string, Sprite>, targets: ReadonlyMap<string, Sprite>) {
  const { from } = sprite.placed.mark;
  return from === undefined ? undefined : (current.get(from) ?? targets.get(from));
}

/** Whether a mark's text changes, or its width, so that the text may not fit before the end: then it appears late. */
function changesText(a: Sprite, b: Sprite): boolean {
  return Math.abs(a.w - b.w) > 1 || a.placed.text !== b.placed.text;
}

function isSameStyle(a: Sprite, b: Sprite): boolean {
  return (
    a.x === b.x &&
    a.y === b.y &&
    a.w === b.w &&
    a.h === b.h &&
    a.alpha === b.alpha &&
    a.textAlpha === b.textAlpha &&
    a.fill === b.fill &&
    a.hatch === b.hatch &&
    a.ink === b.ink &&
    a.placed.text === b.placed.text &&
    a.placed.mark.shape === b.placed.mark.shape &&
    a.outline?.color === b.outline?.color
  );
}
