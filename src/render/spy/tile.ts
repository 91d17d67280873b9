import type { Region } from '../../core/matrix/index.ts';
import { type Axis, Viewport } from './viewport.ts';

/**
 * A request for a tile: a part of a matrix as a picture of width x height buckets, each one cell or several that are
 * drawn as one.
 */
export interface TileRequest {
  readonly region: Region;
  readonly width: number;
  readonly height: number;
}

/** A tile; its region may be larger than the requested one, to consist of whole buckets. */
export interface Tile {
  readonly region: Region;
  readonly width: number;
  readonly height: number;
  /** bucket (i, j) covers cells from row + i * rowsPerBucket and col + j * colsPerBucket; the last may be clipped */
  readonly rowsPerBucket: number;
  readonly colsPerBucket: number;
  /** cells: one bucket per cell, `buckets` contains values. density: share of non-zeros per bucket. */
  readonly kind: 'cells' | 'density';
  /** row-major, length width * height */
  readonly buckets: Float32Array;
}

/** Computes tiles, in the worker. */
export type TileProvider = (request: TileRequest) => Promise<Tile>;

/** Whether two requests are for the same tile. */
export function sameRequest(a: TileRequest, b: TileRequest): boolean {
  return (
    a.width === b.width &&
    a.height === b.height &&
    a.region.row === b.region.row &&
    a.region.col === b.region.col &&
    a.region.rows === b.region.rows &&
    a.region.cols === b.region.cols
  );
}

/** Minimum size of a cell, px, at which each cell is a bucket. */
const MIN_CELL = 3;
/** Buckets are at least this large, px. */
const MIN_BUCKET = 2;
/** Margin of a request on every side, as a share of the visible part, so that panning soon needs no other tile. */
const MARGIN = 0.25;

/** The tile for a view: buckets of one cell or of a power of two cells, a little more than what is visible. */
export function planTile(viewport: Viewport): TileRequest {
  const visible = viewport.visible();
  const cols = spanOf(viewport.columns, visible.col, visible.cols);
  const rows = spanOf(viewport.rows, visible.row, visible.rows);
  return {
    region: { row: rows.start, col: cols.start, rows: rows.extent, cols: cols.extent },
    width: cols.buckets,
    height: rows.buckets,
  };
}

/** The tile of the whole matrix, drawn below all others, so that the plot is never blank. */
export function planOverview({ shape, plot }: Viewport): TileRequest {
  const fitted = new Viewport(shape, plot, { k: 1, x: 0, y: 0 });
  return planTile(fitted);
}

function spanOf(axis: Axis, first: number, visibleCount: number): { start: number; extent: number; buckets: number } {
  const perBucket = axis.cell >= MIN_CELL ? 1 : 2 ** Math.ceil(Math.log2(MIN_BUCKET / axis.cell));
  const margin = Math.ceil(visibleCount * MARGIN);
  const start = Math.floor(Math.max(0, first - margin) / perBucket) * perBucket;
  const end = Math.min(axis.count, Math.ceil((first + visibleCount + margin) / perBucket) * perBucket);
  return { start, extent: end - start, buckets: Math.ceil((end - start) / perBucket) };
}

/** Whether a tile can replace the requested one: it is as fine, and contains all that is visible. */
export function isEnough(tile: TileRequest, request: TileRequest, visible: Region): boolean {
  return (
    contains(tile.region, visible) &&
    sameResolution(tile.region.cols / tile.width, request.region.cols / request.width) &&
    sameResolution(tile.region.rows / tile.height, request.region.rows / request.height)
  );
}

/** Whether these are the same cells per bucket (powers of two), apart from a last bucket that is clipped. */
function sameResolution(a: number, b: number): boolean {
  return Math.abs(Math.log2(a / b)) < 0.5;
}

function contains(outer: Region, inner: Region): boolean {
  return (
    inner.row >= outer.row &&
    inner.col >= outer.col &&
    inner.row + inner.rows <= outer.row + outer.rows &&
    inner.col + inner.cols <= outer.col + outer.cols
  );
}
