/** A second count for tests: which weights of a group stay, and the 2:4 window of each; without the encoder’s code. */

/** A group of a row that contains non-zeros; columns are counted from its start. */
export interface Group {
  readonly row: number;
  readonly group: number;
  readonly columns: readonly number[];
  /** the weights that stay, by their window of the group */
  readonly windowOf: ReadonlyMap<number, number>;
}

/** Columns of a full group that go: the smallest magnitudes, of equal ones the lowest columns. NaN is never smallest. */
function goingOf(columns: readonly number[], cellOf: (column: number) => number, allowed: number): readonly number[] {
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

/** Every window from the left gets up to two that no window has yet. */
function taken(columns: readonly number[], windows: number): ReadonlyMap<number, number> {
  const windowOf = new Map<number, number>();
  for (let w = 0; w < windows; w++) {
    const seen = columns.filter((c) => c >= 2 * w && c < 2 * w + 4 && !windowOf.has(c));
    for (const column of seen.slice(0, 2)) windowOf.set(column, w);
  }
  return windowOf;
}

/** The section of a matrix that is shown. */
interface Section {
  /** columns of every row, ascending */
  readonly columns: readonly (readonly number[])[];
  /** every cell, row by row */
  readonly cells: Float32Array;
  readonly cols: number;
}

/** The groups of a section that contain non-zeros, row by row. */
export function referenceGroups({ columns, cells, cols }: Section, half: number): readonly Group[] {
  const [width, perGroup] = [2 * half, half - 1];
  return columns.flatMap((inRow, row) =>
    [...new Set(inRow.map((column) => Math.floor(column / width)))].map((group): Group => {
      const own = inRow.filter((c) => Math.floor(c / width) === group).map((c) => c - group * width);
      const going = goingOf(own, (c) => cells[row * cols + group * width + c], width - 2);
      const stay = own.filter((column) => !going.includes(column));
      return { row, group, columns: own, windowOf: taken(stay, perGroup) };
    }),
  );
}
