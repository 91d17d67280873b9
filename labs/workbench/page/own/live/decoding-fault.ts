import { elementCellsOf } from '../../../../../src/story/declared/element-cells.ts';
import type { DecodedCells } from '../../../../../src/core/declared/record.ts';
import type { CsrMatrix } from '../../../../../src/core/matrix/index.ts';
import { shortestF32 } from '../../../../../src/core/number/index.ts';
import { roundedMatrix, valueTypeOf } from '../../../own/decoded-matrix.ts';
import type { RoundTrip } from '../../../own/module-requests.ts';
import type { ModuleProblem } from './module-state.ts';

/**
 * Why the `decode` of a user's module (a format) does not return the matrix: a message about the array element from
 * which it made the first wrong cell, or which it never read, and the module's line that stored the element. Null if
 * nothing is wrong, or the line is unknown. O(elements + reads).
 */
export function decodingFault(run: RoundTrip, matrix: CsrMatrix): ModuleProblem | null {
  const { puts } = run.decoding; // the cells that decode returned, in order
  const expected = cellsOf(roundedMatrix(matrix, valueTypeOf(run.setup.arrays)));
  const elementCells = elementCellsOf(run); // which elements decode read for which cell
  for (let i = 0; i < puts.rows.length; i++) {
    const [row, column] = [puts.rows[i], puts.columns[i]];
    const value = expected.get(`${row},${column}`) ?? 0;
    if (Object.is(value, puts.values[i])) continue;
    // A correct value in a wrong position was read with its index, a wrong value in the correct position without it.
    const isWrongPosition = !expected.has(`${row},${column}`);
    const readElements = elementCells.readBefore(i);
    const cause =
      (isWrongPosition
        ? indexElement(run, readElements, !isCellMissing(expected, puts, row))
        : readElements.findLast(([array]) => classOf(run, array) === 'values')) ?? readElements.at(-1);
    if (!cause) return null;
    const from = elementText(run, cause);
    return problemAt(run, cause, `From ${from} decode makes row ${row}, column ${column}.`);
  }
  return outsideFault(run, matrix) ?? unreadFault(run);
}

/** An element of an array of the format: the index of the array, and its index in the array. */
type Element = readonly [array: number, at: number];

/** Of the elements read for a cell, the one that gave its row (the first index) or its column (the last). */
function indexElement(run: RoundTrip, readElements: readonly Element[], isRow: boolean): Element | undefined {
  const indices = readElements.filter(([array]) => classOf(run, array) === 'indices');
  const candidates = indices.length > 0 ? indices : readElements.filter(([array]) => classOf(run, array) !== 'values');
  return isRow ? candidates[0] : candidates.at(-1);
}

/** Whether a cell of a row is missing: then a wrong cell in that row is in the wrong column. */
function isCellMissing(expected: ReadonlyMap<string, number>, { rows, columns }: DecodedCells, row: number): boolean {
  const decoded = new Set(Array.from(rows, (r, i) => `${r},${columns[i]}`));
  return [...expected.keys()].some((cell) => cell.startsWith(`${row},`) && !decoded.has(cell));
}

/** The problem of the element from which decode made a cell outside the matrix; null if there is none. */
function outsideFault(run: RoundTrip, { rows }: CsrMatrix): ModuleProblem | null {
  const { reads, puts, outside: call } = run.decoding;
  if (call === null || !reads) return null;
  const readsAfterLastCell = Array.from(reads.at, (index, i): Element => [reads.array[i], index]).filter(
    (_, i) => reads.before[i] === puts.rows.length,
  );
  // Only up to the first value: later reads are for cells after the outside cell, which are not in `puts` either.
  const end = readsAfterLastCell.findIndex(([array]) => classOf(run, array) === 'values');
  const readElements = end < 0 ? readsAfterLastCell : readsAfterLastCell.slice(0, end + 1);
  const row = Number(/^put\(([^,]*),/.exec(call)?.[1]);
  const cause = indexElement(run, readElements, !(row >= 0 && row < rows)) ?? readElements.at(-1);
  return cause ? problemAt(run, cause, `From ${elementText(run, cause)} decode makes ${call}.`) : null;
}

/** The problem of the first element, other than padding, that decode never read; null if there is none. */
function unreadFault(run: RoundTrip): ModuleProblem | null {
  const { reads } = run.decoding;
  if (!reads || reads.at.length === 0) return null;
  const readElements = new Set(Array.from(reads.at, (index, i) => `${reads.array[i]}/${index}`));
  const lastIndex = reads.at.length - 1;
  const isPadded = paddingTest(run);
  for (const [array, { elements }] of run.encoding.arrays.entries()) {
    for (let index = 0; index < elements.length; index++) {
      if (readElements.has(`${array}/${index}`) || isPadded(array, index)) continue;
      const lastRead = elementText(run, [reads.array[lastIndex], reads.at[lastIndex]]);
      const name = elementText(run, [array, index]);
      return problemAt(run, [array, index], `${name} is never read; last ${lastRead}.`);
    }
  }
  return null;
}

/** The message, with the line that stored the element last; null if that line is unknown. */
function problemAt(
  { encoding: { stores } }: RoundTrip,
  [array, index]: readonly [number, number],
  text: string,
): ModuleProblem | null {
  for (let i = (stores?.at.length ?? 0) - 1; i >= 0; i--) {
    if (stores && stores.array[i] === array && stores.at[i] === index) return { message: text, line: stores.line[i] };
  }
  return null;
}

/** A function that tells whether `encode` stored an element as padding. */
function paddingTest({ encoding: { stores } }: RoundTrip): (array: number, index: number) => boolean {
  const pads = new Set<string>();
  for (let i = 0; i < (stores?.at.length ?? 0); i++) {
    if (stores && stores.isPadding[i] === 1) pads.add(`${stores.array[i]}/${stores.at[i]}`);
  }
  return (array, index) => pads.has(`${array}/${index}`);
}

/** The byte class of an array. */
function classOf({ encoding }: RoundTrip, array: number): string {
  return encoding.arrays[array].array.byteClass;
}

/** An element with its array, index and value: 'values[3] = 0.5'. */
function elementText({ encoding }: RoundTrip, [array, index]: readonly [number, number]): string {
  const { array: declared, elements } = encoding.arrays[array];
  const value = declared.type.kind === 'float' ? shortestF32(elements[index]) : String(elements[index]);
  return `${declared.name}[${index}] = ${value}`;
}

/** The values of a matrix by 'row,column'. */
function cellsOf({ rows, indptr, indices, data }: CsrMatrix): ReadonlyMap<string, number> {
  const cells = new Map<string, number>();
  for (let r = 0; r < rows; r++) {
    for (let i = indptr[r]; i < indptr[r + 1]; i++) cells.set(`${r},${indices[i]}`, data[i]);
  }
  return cells;
}
