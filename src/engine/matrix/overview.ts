import { rowsPerYield, type Steps } from '../../core/job.ts';
import { CsrMatrix, rowBuffer, type Rows } from '../../core/matrix/index.ts';

// The overview of a matrix: figures and counts from one pass, from which its pictures are drawn.

/** Maximum number of bytes of the finest grid. */
const MAX_GRID_BYTES = 2 ** 25;

/** Cells read between two yields (about 10 ms); reading a row costs as much as CELLS_PER_ROW further cells. */
const CELLS_PER_YIELD = 2 ** 20;
const CELLS_PER_ROW = 16;

const INFINITY_BITS = 0x7f800000;

type Counts = Uint8Array | Uint16Array | Uint32Array;

/** How many entries are in each bucket of a grid; bucket (i, j) is counts[i * width + j]. */
export interface CountGrid {
  /** rows and columns of a bucket: powers of two */
  readonly rowsPerBucket: number;
  readonly colsPerBucket: number;
  readonly width: number;
  readonly height: number;
  /** as narrow as the number of cells in a bucket allows */
  readonly counts: Counts;
}

/** Results of one pass over a matrix: its statistics, and counts from which its pictures are drawn. */
export interface Overview {
  readonly longestRow: number;
  readonly emptyRows: number;
  /** largest finite |value|, 0 without any */
  readonly absMax: number;
  readonly nanCount: number;
  readonly infCount: number;
  readonly firstEntry: { readonly row: number; readonly col: number } | null;
  /** entries per row and per column */
  readonly rowCounts: Uint32Array;
  readonly colCounts: Uint32Array;
  /** finest first; the sides of the buckets double from grid to grid, until one bucket covers the matrix */
  readonly grids: readonly CountGrid[];
}

/** The overview of a matrix, in one pass, O(rows * cols). Memory: 4 (rows + cols) bytes and twice `maxGridBytes`. */
export function* overviewSteps(m: Rows, maxGridBytes = MAX_GRID_BYTES): Steps<Overview> {
  const { rows, cols } = m;
  const finest = finestGrid(rows, cols, maxGridBytes);
  const { width, counts } = finest;
  const rowShift = Math.log2(finest.rowsPerBucket);
  const colShift = Math.log2(finest.colsPerBucket);
  const rowCounts = new Uint32Array(rows);
  const colCounts = new Uint32Array(cols);
  const buffer = rowBuffer(cols);
  const { columns } = buffer;
  const bits = new Uint32Array(buffer.values.buffer);

  let longestRow = 0;
  // Without columns there is nothing to read, however many rows are declared.
  const rowsToRead = cols === 0 ? 0 : rows;
  let emptyRows = rows - rowsToRead;
  let maxMagnitude = 0;
  let nanCount = 0;
  let infCount = 0;
  let firstEntry: Overview['firstEntry'] = null;
  const readsEntriesOnly = m instanceof CsrMatrix;
  const total = rows + linesToHalve(finest);
  let cellsRead = 0;
  for (let row = 0; row < rowsToRead; row++) {
    const n = m.readRow(row, buffer);
    const line = (row >>> rowShift) * width;
    for (let i = 0; i < n; i++) {
      const col = columns[i];
      colCounts[col]++;
      counts[line + (col >>> colShift)]++;
      // The bits without the sign, as whole numbers, have the same order as the magnitudes.
      const magnitude = bits[i] & 0x7fffffff;
      if (magnitude < INFINITY_BITS) {
        if (magnitude > maxMagnitude) maxMagnitude = magnitude;
      } else if (magnitude === INFINITY_BITS) infCount++;
      else nanCount++;
    }
    rowCounts[row] = n;
    if (n > longestRow) longestRow = n;
    if (n === 0) emptyRows++;
    else firstEntry ??= { row, col: columns[0] };
    cellsRead += (readsEntriesOnly ? n : cols) + CELLS_PER_ROW;
    if (cellsRead >= CELLS_PER_YIELD) {
      cellsRead = 0;
      yield { what: 'counting', done: row + 1, total };
    }
  }

  const grids: CountGrid[] = [finest];
  for (let last = finest; last.width > 1 || last.height > 1; last = grids[grids.length - 1]) {
    grids.push(yield* halvedSteps(last, total));
  }
  const absMax = new Float32Array(Uint32Array.of(maxMagnitude).buffer)[0];
  return { longestRow, emptyRows, absMax, nanCount, infCount, firstEntry, rowCounts, colCounts, grids };
}

/**
 * A grid of zeros of at most `maxBytes`. Its buckets are single cells at first; the axis with more buckets is halved
 * until the grid fits.
 */
function finestGrid(rows: number, cols: number, maxBytes: number): CountGrid {
  let rowsPerBucket = 1;
  let colsPerBucket = 1;
  for (;;) {
    const height = Math.ceil(rows / rowsPerBucket);
    const width = Math.ceil(cols / colsPerBucket);
    const type = countsType(rowsPerBucket * colsPerBucket);
    if (width * height * type.BYTES_PER_ELEMENT <= maxBytes || (width <= 1 && height <= 1)) {
      return { rowsPerBucket, colsPerBucket, width, height, counts: new type(width * height) };
    }
    if (height > width) rowsPerBucket *= 2;
    else colsPerBucket *= 2;
  }
}

/** The narrowest array type that can count to `cells`. */
function countsType(cells: number): { new (length: number): Counts; readonly BYTES_PER_ELEMENT: number } {
  if (cells < 2 ** 8) return Uint8Array;
  return cells < 2 ** 16 ? Uint16Array : Uint32Array;
}

/** The number of rows of buckets that are read in all, if a grid is halved until it has a single bucket. */
function linesToHalve({ width, height }: Pick<CountGrid, 'width' | 'height'>): number {
  if (width <= 1 && height <= 1) return 0;
  return height + linesToHalve({ width: Math.ceil(width / 2), height: Math.ceil(height / 2) });
}

/** The grid with buckets twice as long on each side. `total`: rows read in the whole pass, for progress. */
function* halvedSteps(fine: CountGrid, total: number): Steps<CountGrid> {
  const rowsPerBucket = fine.rowsPerBucket * 2;
  const colsPerBucket = fine.colsPerBucket * 2;
  const width = Math.ceil(fine.width / 2);
  const height = Math.ceil(fine.height / 2);
  const counts = new (countsType(rowsPerBucket * colsPerBucket))(width * height);
  const linesPerYield = rowsPerYield(fine.width);
  const lines = fine.width === 0 ? 0 : fine.height;
  const linesBefore = total - linesToHalve(fine);
  for (let i = 0; i < lines; i++) {
    const from = i * fine.width;
    const to = (i >>> 1) * width;
    for (let j = 0; j < fine.width; j++) counts[to + (j >>> 1)] += fine.counts[from + j];
    if (i % linesPerYield === linesPerYield - 1) yield { what: 'counting', done: linesBefore + i + 1, total };
  }
  return { rowsPerBucket, colsPerBucket, width, height, counts };
}
