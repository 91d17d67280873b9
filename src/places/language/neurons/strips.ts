import type { FiredToken } from '../service/types.ts';
import { type Drawn, drawColumn, type RasterColors, type RasterPlan } from './raster.ts';

/** Tokens of a strip: as wide as a canvas may be on any screen. */
const TOKENS = 64;

interface Strip {
  readonly canvas: OffscreenCanvas;
  readonly context: OffscreenCanvasRenderingContext2D;
  drawn: FiredToken[];
}

/** The marks of a text as pictures: what was drawn once is copied, so that a frame costs as much as its new tokens. */
export class Strips {
  #strips: Strip[] = [];
  #key: readonly unknown[] = [];

  /** Draws tokens from one to before another, with the first at 0, `alpha` visible. */
  draw(
    onto: CanvasRenderingContext2D,
    plan: RasterPlan,
    what: Drawn,
    colors: RasterColors,
    { from, to, left, alpha, scale }: { from: number; to: number; left: number; alpha: number; scale: number },
  ): void {
    const key = [plan, what.places, what.open, what.neurons, colors.mark, colors.tile, scale];
    if (key.some((part, i) => part !== this.#key[i])) this.#strips = [];
    this.#key = key;
    const { columnWidth, height } = plan;
    const above = plan.top - 2;
    onto.globalAlpha = alpha;
    for (let at = from; at < to;) {
      const index = Math.floor(at / TOKENS);
      const end = Math.min(to, (index + 1) * TOKENS);
      const { canvas } = this.#strip(index, end, plan, what, colors, scale);
      const offset = (at - index * TOKENS) * columnWidth;
      const width = (end - at) * columnWidth;
      onto.drawImage(
        canvas,
        offset * scale,
        above * scale,
        width * scale,
        (height - above) * scale,
        left + (at - from) * columnWidth,
        above,
        width,
        height - above,
      );
      at = end;
    }
    onto.globalAlpha = 1;
  }

  #strip(index: number, end: number, plan: RasterPlan, what: Drawn, colors: RasterColors, scale: number): Strip {
    const first = index * TOKENS;
    let strip = this.#strips[index];
    if (strip === undefined || strip.drawn.some((token, i) => token !== what.tokens[first + i])) {
      const canvas = new OffscreenCanvas(
        Math.ceil(TOKENS * plan.columnWidth * scale),
        Math.max(1, Math.ceil(plan.height * scale)),
      );
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('neurons: found no context of a canvas, expected one in two dimensions');
      context.scale(scale, scale);
      strip = { canvas, context, drawn: [] };
      this.#strips[index] = strip;
    }
    for (let i = strip.drawn.length; first + i < end; i++) {
      const token = what.tokens[first + i];
      drawColumn(strip.context, plan, token, what, i * plan.columnWidth, colors);
      strip.drawn.push(token);
    }
    return strip;
  }
}
