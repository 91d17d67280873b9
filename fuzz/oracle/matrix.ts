/** A matrix as a plain table of f32 cells, row by row. */
export interface Table {
  readonly rows: number;
  readonly cols: number;
  readonly cells: Float32Array;
}

/** A non-zero with its position; NaN counts as a non-zero. */
export type Entry = readonly [row: number, col: number, value: number];

/** The cells that are not zero, row by row, columns ascending. O(cells). */
export function entriesOf({ cols, cells }: Table): Entry[] {
  const entries: Entry[] = [];
  for (let cell = 0; cell < cells.length; cell++) {
    if (cells[cell] !== 0) entries.push([Math.floor(cell / cols), cell % cols, cells[cell]]);
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
