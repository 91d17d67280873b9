import type { Region } from '../../core/matrix/index.ts';
import { contrast } from '../color.ts';
import { unpackHex, type TileColors } from './tile-colors.ts';
import { cssFont } from '../text-measurer.ts';
import type { Theme } from '../theme.ts';
import type { Tile } from './tile.ts';
import { clamp, type Viewport } from './viewport.ts';

// Draws the parts of a spy plot (a picture of a matrix's non-zeros): tiles, values, windows, marginals.

/** From this cell size on, lines of background separate cells, px. */
const LINES_FROM = 7;
/** From this cell size on, cells show their value, px. */
const NUMERALS_FROM = 34;
/** Minimum height of a cell that shows its value, px. */
const MIN_NUMERAL_HEIGHT = 16;
/** From this cell width on, values are in the larger font, px. */
const LARGE_NUMERALS_FROM = 44;
/** Sizes of the font of values, and the space left and right of a value together, px. */
const NUMERAL_PX = { small: 10, large: 12 } as const;
const NUMERAL_MARGIN = 4;
/** Width of a character of the monospaced font, as a share of the font's size. */
const MONO_WIDTH = 0.6;
/** From this cell size on, the lines between cells are 2 px wide, px. */
const WIDE_LINES_FROM = 16;
/** Length of the shortest bar of a marginal, as a share of the longest, so that it can be seen. */
const MIN_BAR_SHARE = 0.06;
/** Minimum size of an outline, so that even a small window (chosen part) of a large matrix is visible, px. */
const MIN_OUTLINE = 6;
/** Side of the square at a window's lower right corner that resizes it, px. */
export const HANDLE = 8;
/** A window smaller than this has no handle, px. */
export const MIN_WITH_HANDLE = 28;

/** A tile (a region of the matrix in buckets of one or more cells) as an image with a pixel for each bucket. */
export interface TileImage {
  readonly tile: Tile;
  readonly image: OffscreenCanvas;
}

/** The image of a tile in these colours. `absMax`: largest magnitude of the matrix, the end of the colour scale. */
export function tileImage(tile: Tile, colors: TileColors, absMax: number): TileImage {
  const image = new OffscreenCanvas(Math.max(1, tile.width), Math.max(1, tile.height));
  const pixels = new ImageData(colors.pixels(tile, absMax), tile.width, tile.height);
  image.getContext('2d')?.putImageData(pixels, 0, 0);
  return { tile, image };
}

/** Stretches a tile over its region; the excess of the last buckets is clipped. */
export function paintTile(ctx: CanvasRenderingContext2D, viewport: Viewport, { tile, image }: TileImage): void {
  const { region, width, height, rowsPerBucket, colsPerBucket } = tile;
  const { x, y, w, h } = viewport.rectOf(region);
  ctx.imageSmoothingEnabled = false;
  const [sourceW, sourceH] = [region.cols / colsPerBucket, region.rows / rowsPerBucket];
  ctx.drawImage(image, 0, 0, Math.min(width, sourceW), Math.min(height, sourceH), x, y, w, h);
}

/** Lines of background between the visible cells, once these are large enough. */
export function paintLines(ctx: CanvasRenderingContext2D, viewport: Viewport, theme: Theme): void {
  const { columns, rows } = viewport;
  if (columns.cell < LINES_FROM || rows.cell < LINES_FROM) return;
  const visible = viewport.visible();
  const area = viewport.rectOf(visible);
  ctx.strokeStyle = theme.ground;
  ctx.lineWidth = Math.min(columns.cell, rows.cell) >= WIDE_LINES_FROM ? 2 : 1;
  ctx.setLineDash([]);
  ctx.beginPath();
  for (let c = visible.col; c <= visible.col + visible.cols; c++) {
    const x = Math.round(columns.start + c * columns.cell);
    ctx.moveTo(x, area.y);
    ctx.lineTo(x, area.y + area.h);
  }
  for (let r = visible.row; r <= visible.row + visible.rows; r++) {
    const y = Math.round(rows.start + r * rows.cell);
    ctx.moveTo(area.x, y);
    ctx.lineTo(area.x + area.w, y);
  }
  ctx.stroke();
}

/** The values of the non-zeros in view, once they fit. */
export function paintNumerals(
  ctx: CanvasRenderingContext2D,
  viewport: Viewport,
  { tile }: TileImage,
  colors: TileColors,
  absMax: number,
  theme: Theme,
): void {
  const { columns, rows } = viewport;
  if (tile.kind !== 'cells' || columns.cell < NUMERALS_FROM || rows.cell < MIN_NUMERAL_HEIGHT) return;
  const px = columns.cell >= LARGE_NUMERALS_FROM ? NUMERAL_PX.large : NUMERAL_PX.small;
  const chars = Math.floor((columns.cell - NUMERAL_MARGIN) / (px * MONO_WIDTH));
  ctx.font = cssFont({ face: 'mono', px });
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  const visible = viewport.visible();
  for (let r = visible.row; r < visible.row + visible.rows; r++) {
    for (let c = visible.col; c < visible.col + visible.cols; c++) {
      const value = valueAt(tile, r, c);
      if (value === null || value === 0) continue;
      const text = shortValue(value, chars);
      if (text === null) continue;
      const ground = unpackHex(colors.value(value, absMax));
      ctx.fillStyle = contrast(theme.text, ground) >= contrast(theme.ground, ground) ? theme.text : theme.ground;
      ctx.fillText(text, columns.start + (c + 0.5) * columns.cell, rows.start + (r + 0.5) * rows.cell + 0.5);
    }
  }
}

/** The value of a cell's bucket; null outside the tile. */
function valueAt(tile: Tile, row: number, col: number): number | null {
  const bucket = bucketOf(tile, row, col);
  return bucket === null ? null : tile.buckets[bucket.y * tile.width + bucket.x];
}

/** Position of a cell's bucket in its tile, and the bucket's cells; null outside the tile. */
export function bucketOf(tile: Tile, row: number, col: number): { x: number; y: number; region: Region } | null {
  const { region, rowsPerBucket, colsPerBucket } = tile;
  if (row < region.row || col < region.col || row >= region.row + region.rows || col >= region.col + region.cols) {
    return null;
  }
  const x = Math.floor((col - region.col) / colsPerBucket);
  const y = Math.floor((row - region.row) / rowsPerBucket);
  const [colOffset, rowOffset] = [x * colsPerBucket, y * rowsPerBucket];
  return {
    x,
    y,
    region: {
      row: region.row + rowOffset,
      col: region.col + colOffset,
      rows: Math.min(rowsPerBucket, region.rows - rowOffset),
      cols: Math.min(colsPerBucket, region.cols - colOffset),
    },
  };
}

/** Rectangle of an outline around a region, large enough to be visible. */
export function outlineRect(viewport: Viewport, region: Region): { x: number; y: number; w: number; h: number } {
  const { x, y, w, h } = viewport.rectOf(region);
  const growX = Math.max(0, MIN_OUTLINE - w) / 2;
  const growY = Math.max(0, MIN_OUTLINE - h) / 2;
  return { x: x - growX, y: y - growY, w: w + 2 * growX, h: h + 2 * growY };
}

/** An outlined region, with its name if that hides nothing of it; `live`: while the user draws, moves or resizes it. */
export function paintWindow(
  ctx: CanvasRenderingContext2D,
  viewport: Viewport,
  region: Region,
  style: { readonly color: string; readonly theme: Theme; readonly label: string; readonly live: boolean },
): void {
  const { x, y, w, h } = outlineRect(viewport, region);
  const { plot } = viewport;
  const { theme, color, label, live } = style;
  ctx.setLineDash([]);
  ctx.strokeStyle = theme.ground;
  ctx.lineWidth = 4;
  ctx.strokeRect(x, y, w, h);
  ctx.strokeStyle = color;
  ctx.lineWidth = 2;
  ctx.setLineDash(live ? [4, 3] : []);
  ctx.strokeRect(x, y, w, h);
  ctx.setLineDash([]);
  if (!live && w >= MIN_WITH_HANDLE && h >= MIN_WITH_HANDLE) {
    ctx.fillStyle = color;
    ctx.fillRect(x + w - HANDLE / 2, y + h - HANDLE / 2, HANDLE, HANDLE);
  }
  paintWindowLabel(ctx, label, { x, y, w, h }, plot, theme);
}

function paintWindowLabel(
  ctx: CanvasRenderingContext2D,
  label: string,
  { x, y, w, h }: { x: number; y: number; w: number; h: number },
  plot: { width: number; height: number },
  theme: Theme,
): void {
  ctx.font = cssFont({ face: 'sans', px: 12, strong: true });
  const { width } = ctx.measureText(label);
  const position = labelPosition({ x, y, w, h }, width, plot);
  if (position === null) return;
  const { left, middle } = position;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  // A separate background, since a full matrix is as dark as the words.
  ctx.fillStyle = theme.ground;
  ctx.fillRect(left - 3, middle - LABEL_HEIGHT / 2, width + 6, LABEL_HEIGHT);
  ctx.fillStyle = theme.text;
  ctx.fillText(label, left, middle);
}

/** Height of the name of a window, with the ground around it, px. */
const LABEL_HEIGHT = 18;
/** From a window's outline to its name, px. */
const LABEL_GAP = 6;
/** Height of a window up to which its name is next to it, px. */
const MAX_HEIGHT_FOR_SIDE = 40;

/** Left end and middle of a window's name, next to, above or below it; null if it would cover the window. */
export function labelPosition(
  { x, y, w, h }: { readonly x: number; readonly y: number; readonly w: number; readonly h: number },
  width: number,
  plot: { readonly width: number; readonly height: number },
): { readonly left: number; readonly middle: number } | null {
  const halfHeight = LABEL_HEIGHT / 2;
  const middle = clamp(y + h / 2, halfHeight, plot.height - halfHeight);
  if (h <= MAX_HEIGHT_FOR_SIDE) {
    if (x + w + LABEL_GAP + width <= plot.width) return { left: x + w + LABEL_GAP, middle };
    if (x - LABEL_GAP - width >= 0) return { left: x - LABEL_GAP - width, middle };
  }
  const left = clamp(x, 2, Math.max(2, plot.width - width - 2));
  const above = y - halfHeight - 2;
  const below = y + h + halfHeight + 2;
  if (above >= halfHeight) return { left, middle: above };
  return below <= plot.height - halfHeight ? { left, middle: below } : null;
}

/** The cell focused by the keyboard. */
export function paintCursor(
  ctx: CanvasRenderingContext2D,
  viewport: Viewport,
  row: number,
  col: number,
  theme: Theme,
): void {
  const { x, y, w, h } = outlineRect(viewport, { row, col, rows: 1, cols: 1 });
  ctx.setLineDash([]);
  ctx.strokeStyle = theme.ground;
  ctx.lineWidth = 5;
  ctx.strokeRect(x, y, w, h);
  ctx.strokeStyle = theme.text;
  ctx.lineWidth = 2;
  ctx.strokeRect(x, y, w, h);
}

/** Thin bars below and next to the matrix: the density of each group of columns or rows; full length: the densest. */
export function paintMarginals(
  ctx: CanvasRenderingContext2D,
  viewport: Viewport,
  marginals: { readonly rowDensity: Float32Array; readonly colDensity: Float32Array },
  strip: { readonly gap: number; readonly thickness: number },
  theme: Theme,
): void {
  const { columns, rows, plot } = viewport;
  const below = Math.min(plot.height, rows.start + rows.count * rows.cell) + strip.gap;
  const left = Math.min(plot.width, columns.start + columns.count * columns.cell) + strip.gap;
  ctx.fillStyle = theme.byteClasses.padding.full;
  ctx.beginPath();
  forEachBar(marginals.colDensity, columns, (from, length, share) =>
    ctx.rect(from, below, length, share * strip.thickness),
  );
  forEachBar(marginals.rowDensity, rows, (from, length, share) =>
    ctx.rect(left, from, share * strip.thickness, length),
  );
  ctx.fill();
}

/** Calls `draw` for each group with non-zeros: its start and length along the axis, and its share of the largest density. */
function forEachBar(
  density: Float32Array,
  { start, cell, count, available }: { start: number; cell: number; count: number; available: number },
  draw: (from: number, length: number, share: number) => void,
): void {
  let max = 0;
  for (const d of density) max = Math.max(max, d);
  if (max === 0) return;
  const n = density.length;
  for (let i = 0; i < n; i++) {
    const from = Math.max(0, start + Math.floor((i * count) / n) * cell);
    const to = Math.min(available, start + Math.floor(((i + 1) * count) / n) * cell);
    if (to > from && density[i] > 0) draw(from, to - from, Math.max(MIN_BAR_SHARE, density[i] / max));
  }
}

/** A value in at most `chars` characters, with a real minus sign; null if not even one digit fits. */
export function shortValue(value: number, chars: number): string | null {
  if (Number.isNaN(value)) return chars >= 3 ? 'NaN' : null;
  if (!Number.isFinite(value)) return chars >= 2 ? (value > 0 ? '∞' : '−∞') : null;
  const sign = value < 0 ? '−' : '';
  const space = chars - sign.length;
  const magnitude = Math.abs(value);
  for (let decimals = 3; decimals >= 0; decimals--) {
    const text = magnitude.toFixed(decimals);
    // A non-zero value does not become a zero by rounding.
    if (text.length <= space && (Number(text) !== 0 || magnitude === 0)) return sign + text;
  }
  const exponent = magnitude.toExponential(0).replace('e+', 'e').replace('e-', 'e−');
  return exponent.length <= space ? sign + exponent : null;
}
