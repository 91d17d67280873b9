/** A matrix as a plain table of f32 cells, row by row. */
export interface Table {
  readonly rows: number;
  readonly cols: number;
  readonly cells: Float32Array;
}

/** One non-zero; a NaN is one. */
export type Entry = readonly [row: number, col: number, value: number];

/** The cells that are not zero, row by row, columns ascending. O(cells). */
export function entriesOf({ cols, cells }: Table): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at < cells.length; at++) {
    if (cells[at] !== 0) entries.push([Math.floor(at / cols), at % cols, cells[at]]);
  }
  return entries;
}

/** The largest magnitude of every row; 0 if there is none. */
export function largestOfRows({ rows, cols, cells }: Table): Float64Array {
  const largest = new Float64Array(rows);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) largest[r] = Math.max(largest[r], Math.abs(cells[r * cols + c]));
  }
  return largest;
}
