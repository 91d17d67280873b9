import { type Drawn, drawColumn, type RasterColors, type RasterPlan } from './raster.ts';
import type { FiredToken } from '../service/types.ts';

/** Tokens of a strip: as wide as a canvas may be on any screen. */
const TOKENS = 64;
/** Columns drawn in one frame, so that none takes long without a GPU. */
const MAX_COLUMNS = 12;
/** Headings of the last columns lean out to the right, px. */
export const SLANT = 44;

interface Strip {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  drawn: FiredToken[];
}

/** What columns look like: where it changes, all are drawn anew. */
export interface Look extends Omit<Drawn, 'tokens'> {
  readonly plan: RasterPlan;
  readonly colors: RasterColors;
  /** pixels of the screen to one of CSS */
  readonly scale: number;
}

/**
 * The columns of a text as canvases side by side, which are moved and never copied: a frame costs as much as its new
 * columns, whatever is shown.
 */
export class Strips {
  readonly #host: HTMLElement;
  #strips: Strip[] = [];
  #look: Look | null = null;

  /** `host` is as wide as the text, and clipped by what is around it. */
  constructor(host: HTMLElement) {
    this.#host = host;
  }

  /** Draws some of the columns from one to before another that are not there yet. Returns whether all are. */
  draw(tokens: readonly FiredToken[], headings: readonly string[], from: number, to: number, look: Look): boolean {
    if (this.#look !== look) this.#strips = [];
    this.#look = look;
    const first = Math.floor(from / TOKENS);
    const last = Math.max(first, Math.ceil(to / TOKENS) - 1);
    const shown: HTMLCanvasElement[] = [];
    let left = MAX_COLUMNS;
    let isWhole = true;
    for (let index = first; index <= last; index++) {
      const begin = index * TOKENS;
      const end = Math.min(tokens.length, begin + TOKENS);
      const strip = this.#stripAt(index, tokens, look);
      while (strip.drawn.length < end - begin && left > 0) {
        const i = strip.drawn.length;
        const token = tokens[begin + i];
        drawColumn(strip.context, look.plan, token, look, i * look.plan.columnWidth, headings[begin + i], look.colors);
        strip.drawn.push(token); // bounded: TOKENS
        left--;
      }
      if (strip.drawn.length < end - begin) isWhole = false;
      shown.push(strip.canvas); // bounded: strips that are shown
    }
    const { children } = this.#host;
    if (children.length !== shown.length || shown.some((canvas, i) => canvas !== children[i])) {
      this.#host.replaceChildren();
      for (const canvas of shown) this.#host.append(canvas);
    }
    return isWhole;
  }

  #stripAt(index: number, tokens: readonly FiredToken[], { plan, scale }: Look): Strip {
    const first = index * TOKENS;
    const known = this.#strips[index];
    if (known !== undefined && !known.drawn.some((token, i) => token !== tokens[first + i])) return known;
    const canvas = document.createElement('canvas');
    const width = TOKENS * plan.columnWidth + SLANT;
    canvas.width = Math.ceil(width * scale);
    canvas.height = Math.max(1, Math.ceil(plan.height * scale));
    canvas.style.cssText = `inline-size: ${canvas.width / scale}px; block-size: ${canvas.height / scale}px; inset-inline-start: ${first * plan.columnWidth}px`;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('neurons: found no context of a canvas, expected one in two dimensions');
    context.scale(scale, scale);
    const strip = { canvas, context, drawn: [] };
    this.#strips[index] = strip;
    return strip;
  }
}
