import type { Cell } from '../../core/matrix/index.ts';
import type { Calls, WindowRecord } from '../../core/declared/record.ts';

/** The cells that belong to one element: their first and last row and column, and how many they are. */
interface CellRange {
  readonly rows: readonly [first: number, last: number];
  readonly columns: readonly [first: number, last: number];
  readonly count: number;
}

/** Which cell an element belongs to: the cell that `decode` passed to `put` right after it had read the element. */
export interface ElementCells {
  /** index in `decoding.puts`, which leaves out zeros, of the element's first cell; -1: it was read for no cell, or for a zero */
  decodedCellOf(array: number, index: number): number;
  /** index of the first call of `put`, zeros included, that the element was read for; -1: for none */
  firstPutCall(array: number, index: number): number;
  /** whether a call puts the value of its cell; false for an extra or repeated zero, which is padding */
  putsItsCell(call: number): boolean;
  /** the cell that a call puts */
  cellOf(call: number): Cell;
  /** the cells of an element with an index that several calls of `put` use; null for other elements */
  region(element: readonly [array: number, index: number]): CellRange | null;
  /** the last element of each array that was read right before this cell, an index in `decoding.puts`, was put */
  readBefore(decodedCell: number): readonly (readonly [array: number, index: number])[];
}

/** The cells of all elements of a recorded run. O(elements + reads + calls). */
export function elementCellsOf({ encoding, decoding }: Pick<WindowRecord, 'encoding' | 'decoding'>): ElementCells {
  const { arrays } = encoding;
  const { reads, puts } = decoding;
  const calls: Calls = decoding.calls ?? { ...puts, put: Int32Array.from(puts.rows, (_, i) => i) };
  /** by array and element: the first call of `put` that the element was read for */
  const first = arrays.map(({ elements }) => new Int32Array(elements.length).fill(-1));
  const regions = arrays.map(() => new Map<number, CellRange>());
  const readBefore: (readonly (readonly [number, number])[])[] = [];
  /** by array: the index read last, its column, and the array with the values of its cells */
  const current = new Map<number, { readonly index: number; readonly column: number; readonly values: number }>();

  let nextRead = 0;
  for (let call = 0; call < calls.rows.length; call++) {
    const indexByArray = new Map<number, number>();
    let values = -1;
    for (; reads && nextRead < reads.at.length && reads.before[nextRead] <= call; nextRead++) {
      const array = reads.array[nextRead];
      indexByArray.set(array, reads.at[nextRead]);
      if (arrays[array].array.byteClass === 'values') values = array;
    }
    const cell = { row: calls.rows[call], col: calls.columns[call] };
    for (const [array, index] of indexByArray) {
      const { byteClass } = arrays[array].array;
      // Row starts are read before the first cell of a row, and belong to no cell.
      if (byteClass === 'metadata') continue;
      if (first[array][index] < 0) first[array][index] = call;
      if (byteClass !== 'indices') continue;
      regions[array].set(index, extended(regions[array].get(index), cell));
      current.set(array, { index, column: cell.col, values });
    }
    // An index that was not read again is also that of this cell, in another row, if column and array of values are equal.
    for (const [array, { index, column, values: lastValues }] of current) {
      if (indexByArray.has(array)) continue;
      if (column === cell.col && lastValues === values)
        regions[array].set(index, extended(regions[array].get(index), cell));
      else current.delete(array);
    }
    const decodedCell = calls.put[call];
    if (decodedCell >= 0) readBefore[decodedCell] = [...indexByArray];
  }
  /** by 'row,column': the call that puts the value of the cell, or the first call if each puts a zero */
  const callOfCell = new Map<string, number>();
  for (let call = 0; call < calls.rows.length; call++) {
    const cell = `${calls.rows[call]},${calls.columns[call]}`;
    if (calls.put[call] >= 0 || !callOfCell.has(cell)) callOfCell.set(cell, call);
  }
  return {
    putsItsCell: (call) => callOfCell.get(`${calls.rows[call]},${calls.columns[call]}`) === call,
    decodedCellOf: (array, index) => (first[array][index] < 0 ? -1 : calls.put[first[array][index]]),
    firstPutCall: (array, index) => first[array][index],
    cellOf: (call) => ({ row: calls.rows[call], col: calls.columns[call] }),
    region([array, index]) {
      const region = regions[array].get(index);
      return region && region.count > 1 ? region : null;
    },
    readBefore: (decodedCell) => readBefore[decodedCell] ?? [],
  };
}

/** A range enlarged to contain a cell. */
function extended(region: CellRange | undefined, { row, col }: Cell): CellRange {
  if (!region) return { rows: [row, row], columns: [col, col], count: 1 };
  const { rows, columns, count } = region;
  return {
    rows: [Math.min(rows[0], row), Math.max(rows[1], row)],
    columns: [Math.min(columns[0], col), Math.max(columns[1], col)],
    count: count + 1,
  };
}
