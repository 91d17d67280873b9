import { lowerBound, type Region, rowBuffer, type RowBuffer, type Rows } from '../../core/matrix/index.ts';
import { RandomWeights } from '../../generate/random-weights.ts';
import type { CountGrid, Overview } from './overview.ts';
import type { Marginals, SpyRequest, SpyTile } from './matrix-types.ts';

// Spy plots: pictures of where the non-zeros of a matrix are, in buckets of cells.

/** Maximum number of buckets of one picture: 64 MiB. */
const MAX_TILE_BUCKETS = 2 ** 24;

/**
 * Maximum number of cells computed for a picture of random weights, which are not stored: about 20 ms. One row for each
 * line of buckets is computed in any case.
 */
const MAX_CELLS_READ = 2 ** 21;

type Tile = Omit<SpyTile, 'generation'>; // the caller adds the generation, which identifies the opened matrix

/** The buckets of a picture: the region that they cover, and their size and number. */
interface Grid {
  /** in cells, grown to whole buckets */
  readonly region: Region;
  readonly rowsPerBucket: number;
  readonly colsPerBucket: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The value or density of each bucket of a region. From the overview's grids of counts if buckets are at least as large
 * as the buckets of the finest grid, in O(buckets); else from the entries of the region, which are then few. Random
 * weights have no counts: of each line of buckets some rows are read. Throws RangeError for a request of invalid size.
 */
export function spyTile(m: Rows, overview: Pick<Overview, 'grids'>, request: SpyRequest): Tile {
  const grid = gridOf(m, request);
  const { region, rowsPerBucket, colsPerBucket, width, height } = grid;
  const buckets = new Float32Array(width * height);
  const shape = { region, width, height, rowsPerBucket, colsPerBucket, buckets };
  if (rowsPerBucket === 1 && colsPerBucket === 1) {
    fillCells(m, grid, buckets);
    return { ...shape, kind: 'cells' };
  }
  const counts = overview.grids.findLast((g) => g.rowsPerBucket <= rowsPerBucket && g.colsPerBucket <= colsPerBucket);
  const rowsRead = counts ? rowsPerBucket : rowsToRead(m, grid);
  if (counts) sumCounts(counts, grid, buckets);
  else countEntries(m, grid, rowsRead, buckets);
  divideByCells(m, grid, rowsRead, buckets);
  return { ...shape, kind: 'density' };
}

/** The grid of buckets for a request. Throws RangeError for a request of invalid size. */
function gridOf(m: Rows, { region, width, height }: SpyRequest): Grid {
  const position = `${region.rows} × ${region.cols} cells at row ${region.row}, column ${region.col}`;
  if (![region.row, region.col, region.rows, region.cols].every((n) => Number.isSafeInteger(n) && n >= 0)) {
    throw new RangeError(`spy: found ${position}, expected whole numbers of at least 0`);
  }
  const isCount = (n: number): boolean => Number.isInteger(n) && n >= 1;
  if (!isCount(width) || !isCount(height) || width * height > MAX_TILE_BUCKETS) {
    throw new RangeError(`spy: found ${width} × ${height} buckets, expected 1 to ${MAX_TILE_BUCKETS} in all`);
  }
  const rows = bucketsAlong(m.rows, region.row, region.rows, height);
  const cols = bucketsAlong(m.cols, region.col, region.cols, width);
  return {
    region: { row: rows.start, col: cols.start, rows: rows.extent, cols: cols.extent },
    rowsPerBucket: rows.perBucket,
    colsPerBucket: cols.perBucket,
    height: Math.ceil(rows.extent / rows.perBucket),
    width: Math.ceil(cols.extent / cols.perBucket),
  };
}

/**
 * One axis of a grid: at most `max` buckets cover the requested part of the matrix; the size of a bucket is the smallest
 * power of two for which this is so.
 */
function bucketsAlong(size: number, from: number, extent: number, max: number) {
  const begin = Math.min(from, size);
  const end = Math.min(from + extent, size);
  let perBucket = 1;
  while (Math.ceil((end - begin) / perBucket) > max) perBucket *= 2;
  const start = Math.floor(begin / perBucket) * perBucket;
  return { start, extent: Math.min(size, Math.ceil(end / perBucket) * perBucket) - start, perBucket };
}

/** Fills buckets of one cell each with the values stored there. */
function fillCells(m: Rows, { region, width }: Grid, buckets: Float32Array): void {
  const { row, col, rows, cols } = region;
  const buffer = rowBuffer(m.cols);
  for (let r = 0; r < rows; r++) {
    const n = readRowPart(m, row + r, col, col + cols, buffer);
    for (let i = 0; i < n; i++) buckets[r * width + buffer.columns[i] - col] = buffer.values[i];
  }
}

/** How many rows are read for a line of buckets. */
function rowsToRead(m: Rows, { region, height, rowsPerBucket }: Grid): number {
  if (!(m instanceof RandomWeights)) return rowsPerBucket;
  const max = Math.floor(MAX_CELLS_READ / Math.max(1, height * region.cols));
  return Math.min(rowsPerBucket, Math.max(1, max));
}

/** Counts the entries of `rowsRead` evenly spaced rows of each line of buckets, or of all rows of a shorter line. */
function countEntries(m: Rows, grid: Grid, rowsRead: number, buckets: Float32Array): void {
  const { region, width, height, rowsPerBucket, colsPerBucket } = grid;
  const { row, col, rows, cols } = region;
  const shift = Math.log2(colsPerBucket);
  const buffer = rowBuffer(m.cols);
  const { columns } = buffer;
  for (let i = 0; i < height; i++) {
    const first = i * rowsPerBucket;
    const rowsInLine = Math.min(rowsPerBucket, rows - first);
    const readInLine = Math.min(rowsRead, rowsInLine);
    for (let k = 0; k < readInLine; k++) {
      const n = readRowPart(m, row + first + Math.floor((k * rowsInLine) / readInLine), col, col + cols, buffer);
      for (let j = 0; j < n; j++) buckets[i * width + ((columns[j] - col) >>> shift)]++;
    }
  }
}

/** Sums the counts of a grid for each bucket of the picture, whose sides are multiples of the sides of the grid's buckets. */
function sumCounts(counts: CountGrid, grid: Grid, buckets: Float32Array): void {
  const { region, width, height, rowsPerBucket, colsPerBucket } = grid;
  const perRow = rowsPerBucket / counts.rowsPerBucket;
  const perCol = colsPerBucket / counts.colsPerBucket;
  const firstRow = region.row / counts.rowsPerBucket;
  const firstCol = region.col / counts.colsPerBucket;
  for (let i = 0; i < height; i++) {
    const endRow = Math.min(counts.height, firstRow + (i + 1) * perRow);
    for (let r = firstRow + i * perRow; r < endRow; r++) {
      const line = r * counts.width;
      for (let j = 0; j < width; j++) {
        const endCol = Math.min(counts.width, firstCol + (j + 1) * perCol);
        let sum = 0;
        for (let c = firstCol + j * perCol; c < endCol; c++) sum += counts.counts[line + c];
        buckets[i * width + j] += sum;
      }
    }
  }
}

/** Turns numbers of entries into shares of cells; buckets on the edge of the matrix have fewer cells. */
function divideByCells(
  m: Rows,
  { region, width, height, rowsPerBucket, colsPerBucket }: Grid,
  rowsRead: number,
  buckets: Float32Array,
): void {
  for (let i = 0; i < height; i++) {
    const rows = Math.min(rowsRead, m.rows - region.row - i * rowsPerBucket);
    for (let j = 0; j < width; j++) {
      const cols = Math.min(colsPerBucket, m.cols - region.col - j * colsPerBucket);
      buckets[i * width + j] /= rows * cols;
    }
  }
}

/** The densities of at most `rowGroups` groups of rows and `colGroups` groups of columns. O(rows + cols). */
export function marginals(
  { rowCounts, colCounts }: Overview,
  rowGroups: number,
  colGroups: number,
): Omit<Marginals, 'generation'> {
  return {
    rowDensity: groupDensities(rowCounts, rowGroups, colCounts.length),
    colDensity: groupDensities(colCounts, colGroups, rowCounts.length),
  };
}

/** The density of each of at most `maxGroups` groups of rows or columns; a row or column has `length` cells. */
function groupDensities(counts: Uint32Array, maxGroups: number, length: number): Float32Array {
  if (!Number.isInteger(maxGroups) || maxGroups < 1) {
    throw new RangeError(`marginals: found ${maxGroups} groups, expected at least 1`);
  }
  const groups = Math.min(maxGroups, counts.length);
  const densities = new Float32Array(groups);
  for (let group = 0; group < groups; group++) {
    const start = Math.floor((group * counts.length) / groups);
    const end = Math.floor(((group + 1) * counts.length) / groups);
    let sum = 0;
    for (let i = start; i < end; i++) sum += counts[i];
    densities[group] = length === 0 ? 0 : sum / ((end - start) * length);
  }
  return densities;
}

/** Like `readRow`, only for the columns [from, to); uses the matrix's `readRowPart` if it has one. */
export function readRowPart(m: Rows, row: number, from: number, to: number, into: RowBuffer): number {
  if (m.readRowPart) return m.readRowPart(row, from, to, into);
  const { columns, values } = into;
  const n = m.readRow(row, into);
  const start = lowerBound(columns, n, from);
  const end = lowerBound(columns, n, to);
  columns.copyWithin(0, start, end);
  values.copyWithin(0, start, end);
  return end - start;
}
