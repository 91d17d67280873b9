import { type Matrix, type Region, rowBuffer } from '../core/matrix/index.ts';
import { popcount } from '../core/statistics/half-words.ts';
import { defaultWindow, FIRST_LOOK } from './window.ts';

/** Rows in which a telling window is searched. */
const ROWS_SEARCHED = 64;

/** Windows begin at multiples of this many columns: a byte of a row's bits. */
const COLUMN_STEP = 8;

/** Entries of the first row that come before what is unusual. */
const ORDINARY = 3;

/** `unusualAt` of a story, with its parameters. */
export type UnusualAt = (rows: Uint32Array, cols: number) => number | null;

/**
 * The window with which the stories of a matrix begin: at most 5 × 32 cells whose first row has three entries and then
 * something unusual for one of the formats, for all of them if there is such a window, else rather for the first. The
 * first of these in the order of rows; without any, `defaultWindow`. `first`: the first rows of the matrix, of which 64
 * are searched, and as many of their columns as are. A matrix of at most 5 × 32 cells is shown whole. O(non-zeros + rows × columns) with 64 rows at most,
 * times the work of `unusual` on 160 cells per 8 columns.
 */
export function exampleWindow(
  summary: Parameters<typeof defaultWindow>[0],
  first: Matrix,
  unusual: readonly UnusualAt[],
): Region {
  const rows = Math.min(FIRST_LOOK.rows, summary.rows);
  const cols = Math.min(FIRST_LOOK.cols, summary.cols);
  const isSmall = summary.rows <= rows && summary.cols <= cols;
  if (isSmall || unusual.length === 0 || rows * cols === 0) return defaultWindow(summary);
  const searched = Math.min(ROWS_SEARCHED, first.rows);
  const bits = rowBits(first, searched);
  const stride = bits.length / Math.max(1, searched);
  const window = new Uint32Array(rows);
  const all = 2 ** unusual.length - 1;
  let best: Region | null = null;
  let max = 0;
  for (let row = 0; row + rows <= searched; row++) {
    for (let col = 0; col + cols <= first.cols; col += COLUMN_STEP) {
      const at = row * stride + col / COLUMN_STEP;
      for (let r = 0; r < rows; r++) window[r] = wordAt(bits, at + r * stride, cols);
      let shown = 0;
      for (const find of unusual) shown = 2 * shown + (isAfterOrdinary(window[0], find(window, cols)) ? 1 : 0);
      if (shown <= max) continue;
      max = shown;
      best = { row, col, rows, cols };
      if (shown === all) return best;
    }
  }
  return best ?? defaultWindow(summary);
}

/** Whether a row has three entries before a column. */
function isAfterOrdinary(row: number, column: number | null): boolean {
  return column !== null && popcount(column < 32 ? row & (2 ** column - 1) : row) >= ORDINARY;
}

/** The first rows as bits, each followed by bytes without entries. */
function rowBits(m: Matrix, rows: number): Uint8Array {
  const stride = Math.ceil(m.cols / COLUMN_STEP) + 4;
  const bits = new Uint8Array(rows * stride);
  const buffer = rowBuffer(m.cols);
  for (let row = 0; row < rows; row++) {
    const n = m.readRow(row, buffer);
    for (let i = 0; i < n; i++) {
      const column = buffer.columns[i];
      bits[row * stride + (column >> 3)] |= 1 << (column & 7);
    }
  }
  return bits;
}

/** The bits of a window's row, lowest column first. */
function wordAt(bits: Uint8Array, at: number, cols: number): number {
  const word = bits[at] | (bits[at + 1] << 8) | (bits[at + 2] << 16) | (bits[at + 3] << 24);
  return cols < 32 ? word & (2 ** cols - 1) : word;
}
