import type { Steps } from '../core/job.ts';
import { CsrMatrix, type Matrix, rowBuffer } from '../core/matrix/index.ts';

/** Most buckets of the finest grid: 16 MiB of counts. */
const MAX_BUCKETS = 2 ** 22;

/** Cells looked at between two yields, and what a row costs besides: about 10 ms. */
const CELLS_PER_YIELD = 2 ** 20;
const CELLS_PER_ROW = 16;

const INFINITY_BITS = 0x7f800000;

/** How many entries are in each bucket of a grid; bucket (i, j) is counts[i * width + j]. */
export interface CountGrid {
  /** cells along each side of a bucket: a power of two */
  readonly cellsPerSide: number;
  readonly width: number;
  readonly height: number;
  readonly counts: Uint32Array;
}

/** What one pass over a matrix tells: its statistics, and counts from which any picture of it is drawn. */
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
  /** finest first; the sides of the buckets double from one to the next, until one bucket covers the matrix */
  readonly grids: readonly CountGrid[];
}

/**
 * Looks at every entry once. O(rows * cols) at worst; memory: 4 (rows + cols) bytes and a third more than `maxBuckets`
 * counts of 4 bytes.
 */
export function* overviewSteps(m: Matrix, maxBuckets = MAX_BUCKETS): Steps<Overview> {
  const { rows, cols } = m;
  const shift = bucketShift(rows, cols, maxBuckets);
  const width = Math.ceil(cols / 2 ** shift);
  const height = Math.ceil(rows / 2 ** shift);
  const counts = new Uint32Array(width * height);
  const rowCounts = new Uint32Array(rows);
  const colCounts = new Uint32Array(cols);
  const buffer = rowBuffer(cols);
  const { columns } = buffer;
  const bits = new Uint32Array(buffer.values.buffer);

  let longestRow = 0;
  let emptyRows = 0;
  let maxBits = 0;
  let nanCount = 0;
  let infCount = 0;
  let firstEntry: Overview['firstEntry'] = null;
  const readsEntriesOnly = m instanceof CsrMatrix;
  let looked = 0;
  for (let row = 0; row < rows; row++) {
    const n = m.readRow(row, buffer);
    const line = counts.subarray((row >>> shift) * width);
    for (let i = 0; i < n; i++) {
      const col = columns[i];
      colCounts[col]++;
      line[col >>> shift]++;
      // Magnitudes of floats are in the order of their bits.
      const magnitude = bits[i] & 0x7fffffff;
      if (magnitude < INFINITY_BITS) {
        if (magnitude > maxBits) maxBits = magnitude;
      } else if (magnitude === INFINITY_BITS) infCount++;
      else nanCount++;
    }
    rowCounts[row] = n;
    if (n > longestRow) longestRow = n;
    if (n === 0) emptyRows++;
    else firstEntry ??= { row, col: columns[0] };
    looked += (readsEntriesOnly ? n : cols) + CELLS_PER_ROW;
    if (looked >= CELLS_PER_YIELD) {
      looked = 0;
      yield { what: 'counting', done: row + 1, total: rows };
    }
  }

  const grids: CountGrid[] = [{ cellsPerSide: 2 ** shift, width, height, counts }];
  for (let last = grids[0]; last.width > 1 || last.height > 1; last = grids[grids.length - 1]) {
    grids.push(halved(last));
    yield { what: 'counting', done: rows, total: rows };
  }
  const absMax = new Float32Array(Uint32Array.of(maxBits).buffer)[0];
  return { longestRow, emptyRows, absMax, nanCount, infCount, firstEntry, rowCounts, colCounts, grids };
}

/** The least shift with at most `maxBuckets` buckets of 2^shift x 2^shift cells. */
function bucketShift(rows: number, cols: number, maxBuckets: number): number {
  let shift = 0;
  while (Math.ceil(rows / 2 ** shift) * Math.ceil(cols / 2 ** shift) > maxBuckets) shift++;
  return shift;
}

/** The grid with buckets twice as long on each side. */
function halved(fine: CountGrid): CountGrid {
  const width = Math.ceil(fine.width / 2);
  const height = Math.ceil(fine.height / 2);
  const counts = new Uint32Array(width * height);
  for (let i = 0; i < fine.height; i++) {
    const from = i * fine.width;
    const to = (i >>> 1) * width;
    for (let j = 0; j < fine.width; j++) counts[to + (j >>> 1)] += fine.counts[from + j];
  }
  return { cellsPerSide: fine.cellsPerSide * 2, width, height, counts };
}
