// The layout of the raster of firing neurons, and how its columns are drawn.

import type { FiredToken } from '../service/types.ts';
import { TILE_COLUMNS, overflowingTiles } from './firing-tokens.ts';

/** The layout, in CSS px, of the raster: a picture with a column for each token and, per layer, a row per neuron. */
export interface RasterPlan {
  readonly columns: number;
  readonly columnWidth: number;
  /** lower edge of the line of text above the columns */
  readonly top: number;
  readonly layers: readonly { readonly top: number; readonly height: number }[];
  readonly height: number;
}

/** Height of the line of text above the columns, px; the table of layers next to it has its column titles there. */
const HEADINGS = 46;
/** Heights of the open layer and of the others, and the gap between layers, px. */
const OPEN_HEIGHT = 128;
const CLOSED_HEIGHT = 33;
const GAP = 7;
/** A phone shows one layer with fewer, wider columns. */
const NARROW = { columns: 24, height: 256 };
/** Width of a column, px. */
const COLUMN = 12;

/** The plan of a raster with this many layers and this width; `open`: the layer drawn tall; `narrow`: the only one. */
export function rasterPlan(width: number, layers: number, open: number, narrow: boolean): RasterPlan {
  const columns = narrow ? NARROW.columns : Math.max(1, Math.floor(width / COLUMN));
  const columnWidth = narrow ? width / columns : COLUMN;
  let top = HEADINGS;
  const strips = Array.from({ length: layers }, (_, layer) => {
    const height = narrow ? (layer === open ? NARROW.height : 0) : layer === open ? OPEN_HEIGHT : CLOSED_HEIGHT;
    const strip = { top, height };
    top += height === 0 ? 0 : height + GAP;
    return strip;
  });
  return { columns, columnWidth, top: HEADINGS, layers: strips, height: top };
}

/**
 * Index of the first visible token: the previous one, `before` (null if the user has not scrolled), moved as little as
 * makes `currentToken` visible.
 */
export function firstColumn(before: number | null, currentToken: number, total: number, columns: number): number {
  const lastFirst = Math.max(0, total - columns);
  // Unless the user has scrolled, the current token is slightly left of the right edge.
  if (before === null) return Math.max(0, currentToken + 1 - columns + Math.min(6, Math.floor(columns / 6)));
  const from = Math.min(Math.max(before, currentToken - columns + 1), currentToken);
  return Math.min(Math.max(0, from), Math.max(lastFirst, currentToken - columns + 1));
}

/** Maximum distances of a point, in px: from the mark of a neuron, and from the edges of a layer. */
const MARK_REACH = 3;
const LAYER_REACH = 2;

/** The mark under a point, the nearest firing neuron; null if there is none. `from`: the first column's token */
export function markAt(
  plan: RasterPlan,
  tokens: readonly FiredToken[],
  from: number,
  neurons: number,
  ranks: NeuronRanks,
  [x, y]: readonly [x: number, y: number],
): { readonly token: number; readonly layer: number; readonly neuron: number; readonly value: number } | null {
  const token = from + Math.floor(x / plan.columnWidth);
  if (x < 0 || token >= tokens.length || x >= plan.columns * plan.columnWidth) return null;
  const layer = plan.layers.findIndex(
    ({ top, height }) => height > 0 && y >= top - LAYER_REACH && y <= top + height + LAYER_REACH,
  );
  if (layer < 0) return null;
  const { top, height } = plan.layers[layer];
  const fired = tokens[token].layers[layer];
  let best: { neuron: number; value: number; distance: number } | null = null;
  for (const [i, neuron] of fired.neurons.entries()) {
    const rank = ranks?.[layer]?.[neuron] ?? neuron;
    const distance = Math.abs(y - (top + ((rank + 0.5) / neurons) * height));
    if (distance <= MARK_REACH && (best === null || distance < best.distance))
      best = { neuron, value: fired.values[i], distance };
  }
  return best && { token, layer, neuron: best.neuron, value: best.value };
}

/** Ranks of neurons, by layer: 0 fires at the most tokens, and is drawn first. null: they are drawn in memory order. */
export type NeuronRanks = readonly Uint16Array[] | null;

/** Colours of a raster. `ghost`: empty columns and lines between tiles; `tile`: frames of overflowing TwELL tiles. */
export interface RasterColors {
  readonly mark: string;
  readonly ground: string;
  readonly ghost: string;
  readonly tile: string;
  readonly muted: string;
}

/** The content of a raster: the tokens of a text, and the order of their neurons. */
export interface RasterText {
  readonly tokens: readonly FiredToken[];
  readonly neurons: number;
  readonly ranks: NeuronRanks;
  /** the layer drawn tall */
  readonly open: number;
}

/**
 * Draws the column of one token with its left edge at `left`: background and marks; with neurons in memory order also
 * frames around TwELL tiles in which more neurons fire than fit. A column is drawn once for all scroll positions.
 */
export function drawColumn(
  context: OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D,
  { layers, columnWidth }: RasterPlan,
  token: FiredToken,
  { neurons, ranks, open }: Omit<RasterText, 'tokens'>,
  left: number,
  colors: RasterColors,
): void {
  for (const [layer, { top, height }] of layers.entries()) {
    if (height === 0) continue;
    context.fillStyle = colors.ground;
    context.fillRect(left, top, columnWidth, height);
    // Lines between tiles, if neurons are in memory order.
    if (ranks === null && layer === open) {
      context.fillStyle = colors.ghost;
      for (let tile = TILE_COLUMNS; tile < neurons; tile += TILE_COLUMNS) {
        context.fillRect(left, Math.round(top + (tile / neurons) * height), columnWidth, 1);
      }
    }
    const markHeight = Math.max(1, Math.min(2, height / neurons));
    const rank = ranks?.[layer];
    context.globalAlpha = layer === open ? 0.9 : 0.85;
    context.fillStyle = colors.mark;
    for (const neuron of token.layers[layer].neurons) {
      const y = top + ((rank?.[neuron] ?? neuron) / neurons) * height;
      context.fillRect(left + 1, y, columnWidth - 2, markHeight);
    }
    context.globalAlpha = 1;
    if (ranks !== null) continue;
    context.strokeStyle = colors.tile;
    context.lineWidth = 1.5;
    for (const tile of overflowingTiles(token.layers[layer])) {
      const y = top + ((tile * TILE_COLUMNS) / neurons) * height;
      const size = (Math.min(TILE_COLUMNS, neurons - tile * TILE_COLUMNS) / neurons) * height;
      context.strokeRect(left + 0.5, y + 0.75, columnWidth - 1, size - 1.5);
    }
  }
}

/** Draws what is seen before columns are drawn: their dashed outlines, and ticks at the neurons that never fire. */
export function drawBackground(
  context: CanvasRenderingContext2D,
  { columns, columnWidth, layers }: RasterPlan,
  { neurons, ranks, dead }: Pick<RasterText, 'neurons' | 'ranks'> & { readonly dead: readonly (readonly number[])[] },
  colors: RasterColors,
): void {
  context.strokeStyle = colors.ghost;
  context.setLineDash([2, 3]);
  context.lineWidth = 1;
  for (const { top, height } of layers) {
    if (height === 0) continue;
    for (let c = 0; c < columns; c++) {
      context.strokeRect(c * columnWidth + 0.5, top + 0.5, columnWidth - 1, height - 1);
    }
  }
  context.setLineDash([]);
  context.fillStyle = colors.muted;
  for (const [layer, { top, height }] of layers.entries()) {
    if (height === 0) continue;
    const rank = ranks?.[layer];
    for (const neuron of dead[layer] ?? []) {
      context.fillRect(-4, top + ((rank?.[neuron] ?? neuron) / neurons) * height, 3, 1);
    }
  }
}
