/** SlideSparse's pruning of groups to 2:4 windows, implemented a second time without the encoder's code, as a reference for tests. */

/** A group of a row that contains non-zeros; columns are counted from its start. */
export interface Group {
  readonly row: number;
  readonly group: number;
  readonly columns: readonly number[];
  /** for the column of each kept weight, the index of its window in the group */
  readonly windowOf: ReadonlyMap<number, number>;
}

/**
 * The columns of a group that are pruned so that `allowed` remain: the smallest magnitudes, and of equal magnitudes the
 * lowest columns. NaN counts as the largest magnitude.
 */
function prunedColumns(
  columns: readonly number[],
  cellOf: (column: number) => number,
  allowed: number,
): readonly number[] {
  const magnitude = (column: number): number => {
    const size = Math.abs(cellOf(column));
    return Number.isNaN(size) ? Number.POSITIVE_INFINITY : size;
  };
  const order = columns.toSorted((a, b) => {
    const nan = Number(Number.isNaN(cellOf(a))) - Number(Number.isNaN(cellOf(b)));
    return nan || (magnitude(a) === magnitude(b) ? a - b : magnitude(a) - magnitude(b));
  });
  return order.slice(0, Math.max(0, columns.length - allowed));
}

/** The window of each column: every window, from the left, takes up to two columns that no earlier window has taken. */
function assignWindows(columns: readonly number[], windows: number): ReadonlyMap<number, number> {
  const windowOf = new Map<number, number>();
  for (let w = 0; w < windows; w++) {
    const candidates = columns.filter((c) => c >= 2 * w && c < 2 * w + 4 && !windowOf.has(c));
    for (const column of candidates.slice(0, 2)) windowOf.set(column, w);
  }
  return windowOf;
}

/** The visible region of a matrix. */
interface Region {
  /** columns of every row, ascending */
  readonly columns: readonly (readonly number[])[];
  /** every cell, row by row */
  readonly cells: Float32Array;
  readonly cols: number;
}

/** The groups of a region that contain non-zeros, row by row. */
export function referenceGroups({ columns, cells, cols }: Region, half: number): readonly Group[] {
  // Groups of 2 * half columns with half - 1 overlapping windows of four columns.
  const [width, windowsPerGroup] = [2 * half, half - 1];
  return columns.flatMap((inRow, row) =>
    [...new Set(inRow.map((column) => Math.floor(column / width)))].map((group): Group => {
      const groupColumns = inRow.filter((c) => Math.floor(c / width) === group).map((c) => c - group * width);
      const pruned = prunedColumns(groupColumns, (c) => cells[row * cols + group * width + c], width - 2);
      const remaining = groupColumns.filter((column) => !pruned.includes(column));
      return { row, group, columns: groupColumns, windowOf: assignWindows(remaining, windowsPerGroup) };
    }),
  );
}
