import type { Region } from '../../core/matrix/index.ts';

/** Zoom and pan in the terms of d3-zoom: a point p of the fitted picture is drawn at k * p + (x, y). */
export interface Camera {
  readonly k: number;
  readonly x: number;
  readonly y: number;
}

/** Width and height of a plot, px. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Rows and columns of a matrix. */
export interface Shape {
  readonly rows: number;
  readonly cols: number;
}

/** One axis of the matrix on the screen: index i begins at start + i * cell, px. */
export interface Axis {
  readonly start: number;
  readonly cell: number;
  readonly count: number;
  /** width or height of the plot, px */
  readonly available: number;
}

/** Maximum size of cells when a whole matrix is fitted, px. */
const LARGEST_FITTED_CELL = 40;
/** Maximum size of cells, px. */
const LARGEST_CELL = 64;
/** Minimum width and height of a drawn matrix, px; a thinner one is stretched to it. */
const MIN_EXTENT = 16;

/** The map between cells of a matrix and px of a plot. Cells are square unless the matrix would be too thin to see. */
export class Viewport {
  readonly shape: Shape;
  readonly plot: Size;
  readonly columns: Axis;
  readonly rows: Axis;
  readonly camera: Camera;

  constructor(shape: Shape, plot: Size, camera: Camera) {
    const cell = fittedCell(shape, plot);
    this.shape = shape;
    this.plot = plot;
    this.camera = camera;
    this.columns = axis(shape.cols, plot.width, cell, camera.k, camera.x);
    this.rows = axis(shape.rows, plot.height, cell, camera.k, camera.y);
  }

  /** The visible cells, also those that are visible in part. */
  visible(): Region {
    const [col, colEnd] = range(this.columns);
    const [row, rowEnd] = range(this.rows);
    return { row, col, rows: rowEnd - row, cols: colEnd - col };
  }

  /** The middle of the plot in cells, with fractions. */
  middle(): { col: number; row: number } {
    const { columns, rows, plot } = this;
    return { col: (plot.width / 2 - columns.start) / columns.cell, row: (plot.height / 2 - rows.start) / rows.cell };
  }

  /** The cell at a point of the plot; null outside the matrix. */
  cellAt(x: number, y: number): { row: number; col: number } | null {
    const { columns, rows } = this;
    const isInside = (position: number, { start, cell, count }: Axis): boolean =>
      position >= start && position < start + count * cell;
    return isInside(x, columns) && isInside(y, rows) ? this.nearestCell(x, y) : null;
  }

  /** The cell nearest to a point of the plot. */
  nearestCell(x: number, y: number): { row: number; col: number } {
    return { row: nearestIndex(this.rows, y), col: nearestIndex(this.columns, x) };
  }

  /** A region in px of the plot. */
  rectOf({ row, col, rows, cols }: Region): { x: number; y: number; w: number; h: number } {
    const x = this.columns.start + col * this.columns.cell;
    const y = this.rows.start + row * this.rows.cell;
    return { x, y, w: cols * this.columns.cell, h: rows * this.rows.cell };
  }

  /** Height of a drawn cell divided by its width. */
  get aspect(): number {
    return this.rows.cell / this.columns.cell;
  }
}

/** One axis of the matrix: `fitted` is the size of a cell at zoom 1, `k` and `shift` are of the camera. */
function axis(count: number, space: number, fitted: number, k: number, shift: number): Axis {
  const squareExtent = count * fitted * k;
  const middle = shift + (k * space) / 2;
  const extent = Math.max(squareExtent, Math.min(MIN_EXTENT, space));
  return { start: middle - extent / 2, cell: extent / count, count, available: space };
}

/** The index of the row or column nearest to a position on the axis, px. */
function nearestIndex({ start, cell, count }: Axis, position: number): number {
  return clamp(Math.floor((position - start) / cell), 0, count - 1);
}

/** The first visible index of an axis, and the one after the last. */
function range({ start, cell, count, available }: Axis): readonly [number, number] {
  const first = clamp(Math.floor(-start / cell), 0, count);
  const end = clamp(Math.ceil((available - start) / cell), first, count);
  return [first, end];
}

/** Side of a cell when the whole matrix is in view, px. */
export function fittedCell({ rows, cols }: Shape, { width, height }: Size): number {
  return Math.min(width / cols, height / rows, LARGEST_FITTED_CELL);
}

/** The largest zoom, at which cells have LARGEST_CELL px. */
export function largestZoom(shape: Shape, plot: Size): number {
  return Math.max(1, LARGEST_CELL / fittedCell(shape, plot));
}

/** The camera, moved so that the matrix fills as much of the plot as possible at this zoom. */
export function constrain({ k, x, y }: Camera, shape: Shape, plot: Size): Camera {
  const cell = fittedCell(shape, plot) * k;
  return {
    k,
    x: constrainAxis(x, k, plot.width, shape.cols * cell),
    y: constrainAxis(y, k, plot.height, shape.rows * cell),
  };
}

/** Where the first cell of an axis begins, relative to the camera's shift, px: a fitted matrix is centred. */
function insetOf(k: number, space: number, extent: number): number {
  return (k * space - extent) / 2;
}

function constrainAxis(shift: number, k: number, space: number, extent: number): number {
  const inset = insetOf(k, space, extent);
  if (extent <= space) return (space - extent) / 2 - inset;
  return clamp(shift + inset, space - extent, 0) - inset;
}

/** The camera of zoom `k` with the point (col, row), in cells, in the middle of the plot. */
export function cameraAt(k: number, col: number, row: number, shape: Shape, plot: Size): Camera {
  const cell = fittedCell(shape, plot) * k;
  const x = plot.width / 2 - insetOf(k, plot.width, shape.cols * cell) - col * cell;
  const y = plot.height / 2 - insetOf(k, plot.height, shape.rows * cell) - row * cell;
  return constrain({ k, x, y }, shape, plot);
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
