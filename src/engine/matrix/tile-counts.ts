import { rowsPerYield, type Steps } from '../../core/job.ts';
import { rowBuffer, type Rows } from '../../core/matrix/index.ts';

/** Histograms of non-zeros per row and per tile row, the part of a row in one tile of columns. */
export interface TileHistograms {
  /** columns of a tile; the last tile of a row may have fewer */
  readonly tileWidth: number;
  /** number of rows with k non-zeros at index k, up to the longest row */
  readonly rows: Uint32Array;
  /** number of tile rows with k non-zeros at index k, up to the smaller of tileWidth and cols */
  readonly tileRows: Uint32Array;
  /** number of rows whose fullest tile row has k non-zeros at index k, up to the same */
  readonly fullest: Uint32Array;
}

/**
 * Counts the non-zeros of every row and tile row of `m`. O(rows * cols) at worst, O(nnz + rows) if `m` stores only
 * non-zeros; memory: 8 (cols + tileWidth) bytes and one row. Throws RangeError unless tileWidth is a whole number > 0.
 */
export function* tileHistogramSteps(m: Rows, tileWidth: number): Steps<TileHistograms> {
  if (!Number.isSafeInteger(tileWidth) || tileWidth < 1) {
    throw new RangeError(`tileWidth: found ${tileWidth}, expected a whole number from 1`);
  }
  const { rows, cols } = m;
  const tiles = Math.ceil(cols / tileWidth);
  const max = Math.min(tileWidth, cols);
  const byRow = new Uint32Array(cols + 1);
  const tileRows = new Uint32Array(max + 1);
  const fullest = new Uint32Array(max + 1);
  const buffer = rowBuffer(cols);
  const { columns } = buffer;
  const pause = rowsPerYield(cols);
  let longest = 0;
  for (let row = 0; row < rows; row++) {
    const n = m.readRow(row, buffer);
    let filledTiles = 0;
    let largest = 0;
    for (let at = 0; at < n;) {
      const start = at;
      const end = (Math.floor(columns[at] / tileWidth) + 1) * tileWidth;
      while (at < n && columns[at] < end) at++;
      tileRows[at - start]++;
      filledTiles++;
      if (at - start > largest) largest = at - start;
    }
    tileRows[0] += tiles - filledTiles;
    fullest[largest]++;
    byRow[n]++;
    if (n > longest) longest = n;
    if (row % pause === pause - 1) yield { what: 'counting', done: row + 1, total: rows };
  }
  return { tileWidth, rows: byRow.slice(0, rows === 0 ? 0 : longest + 1), tileRows, fullest };
}
