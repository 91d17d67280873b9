// For tests: draws the picture of a starter from what its `encode` and `decode` did with a small matrix, whatever its
// name. In a padded format (SELL-C-σ, HYB), each value is drawn at its slot in its row; in every other format, at its cell.
//
// | observation                                         | format           | drawing                               |
// |-----------------------------------------------------|------------------|---------------------------------------|
// | an array has padding of a row, without a column     | SELL-C-σ, HYB    | slots of each row, edges of groups    |
// | metadata with an element per row                    | row starts (CSR) | a square left of each row             |
// | an index per cell equals its row                    | COO              | a line from the left edge             |
// | an index per cell equals its column, with rows      | COO              | a line from the top edge              |
// | an index per cell equals its column, without rows   | CSR              | a bar under the value                 |
// | an index per cell is neither                        | delta encoding   | a line over the skipped columns       |
// | cells with a common index lie on a diagonal         | DIA              | a square where the diagonal begins    |
// | cells with a common index lie in one row            | run lengths      | a bar around the run                  |
// | cells with a common index lie in several rows       | blocks           | an outline                            |
// | as before, and more elements than cells in an array | bitmap blocks    | an outline, and a dot in every cell   |
// | every value reads an array of metadata              | dictionary       | squares on the right of the matrix    |

import type { CsrMatrix } from '../../../src/core/matrix/index.ts';
import type { RoundTrip } from '../own/module-requests.ts';
import type { Elements } from '../../../src/core/declared/element-type.ts';
import type { StarterMark, MarkTone } from '../page/own/starter-figure.ts';

/** px from the left end of a cell to that of the next, and from row to row */
const PITCH = 6;
/** px: width and height of a cell */
const CELL = 5;
/** px on the left of the matrix, for data of rows and diagonals */
const LEFT = 7;
/** px above the matrix, for data of columns and diagonals */
const TOP = 5;

/**
 * A cell that decode put, zeros too, and the elements that it read since the previous put: array index, element index.
 */
interface Put {
  readonly row: number;
  readonly column: number;
  readonly value: number;
  readonly reads: readonly (readonly [array: number, element: number])[];
}

/** Runs the decode of a module on the encoded arrays, and returns every cell that it put. */
async function recordedPuts(
  text: string,
  { setup, encoding }: RoundTrip,
  { rows, cols }: CsrMatrix,
): Promise<readonly Put[]> {
  const { decode } = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`)) as {
    decode(arrays: Record<string, Elements>, size: object, put: (r: number, c: number, v: number) => void): void;
  };
  const puts: Put[] = [];
  let reads: [number, number][] = [];
  const recordedArrays = encoding.arrays.map(({ array, elements }, i) => [
    array.name,
    new Proxy(elements, {
      get(target, key) {
        const index = typeof key === 'string' ? Number(key) : Number.NaN;
        if (index < target.length) reads.push([i, index]);
        return Reflect.get(target, key, target) as unknown;
      },
    }),
  ]);
  decode(Object.fromEntries(recordedArrays), { ...setup.params, rows, cols }, (row, column, value) => {
    puts.push({ row, column, value, reads });
    reads = [];
  });
  return puts;
}

/** Shapes by tone, as one path each. */
class Paths {
  readonly #paths = new Map<MarkTone, string[]>();

  add(tone: MarkTone, path: string): void {
    const paths = this.#paths.get(tone);
    if (paths) paths.push(path);
    else this.#paths.set(tone, [path]);
  }

  box(tone: MarkTone, x: number, y: number, width: number, height: number): void {
    this.add(tone, `M${x} ${y}h${width}v${height}h${-width}z`);
  }

  /** One mark per tone, in the order of TONES: stored cells lie above empty ones. */
  marks(): readonly StarterMark[] {
    return TONES.flatMap((tone) => {
      const paths = this.#paths.get(tone);
      return paths ? [{ tone, path: paths.join('') }] : [];
    });
  }
}

const TONES: readonly MarkTone[] = [
  'empty',
  'line',
  'padding',
  'values-1',
  'values-2',
  'values-3',
  'index',
  'run',
  'metadata',
  'outline',
];

/** px from the left of the picture to a column, and from its top to a row */
const xOf = (column: number): number => LEFT + PITCH * column;
const yOf = (row: number): number => TOP + PITCH * row;

/** Draws a filled cell. */
function drawCell(paths: Paths, tone: MarkTone, row: number, column: number): void {
  paths.box(tone, xOf(column), yOf(row), CELL, CELL);
}

/** The tone of a stored value: three shades, by magnitude. */
function valueTone(value: number): MarkTone {
  const size = Math.abs(value);
  if (size > 0.7) return 'values-3';
  return size > 0.35 ? 'values-2' : 'values-1';
}

/** Draws a hatched cell: padding, or a zero that is stored. */
function drawHatchedCell(paths: Paths, row: number, column: number): void {
  const [x, y] = [xOf(column), yOf(row)];
  paths.add('padding', `M${x} ${y + 3}l3 -3M${x} ${y + CELL}l${CELL} ${-CELL}M${x + 2} ${y + CELL}l3 -3`);
}

/** The marks of a module's picture of a matrix. `roundTrip`: its recorded encoding and decoding of that matrix. */
export async function marksOf(text: string, roundTrip: RoundTrip, matrix: CsrMatrix): Promise<readonly StarterMark[]> {
  const paths = new Paths();
  const slots = slotsOf(roundTrip, matrix);
  if (slots) drawSlots(paths, slots);
  else drawInPlace(paths, roundTrip, matrix, await recordedPuts(text, roundTrip, matrix));
  // A square left of each row, if an array of metadata has an element per row, such as row starts.
  const hasRows = roundTrip.encoding.arrays.some(
    ({ array, elements }) => array.byteClass === 'metadata' && isOfRows(elements, matrix),
  );
  for (let r = 0; r < matrix.rows && hasRows; r++) paths.box('metadata', 2, yOf(r) + 1, 3, 3);
  return paths.marks();
}

/** A stored value at its position among the values of its row. */
interface Slot {
  readonly row: number;
  readonly slot: number;
  /** null for padding */
  readonly value: number | null;
}

/** The slots of a padded format. */
interface Slots {
  /** rows from top to bottom, in groups that are narrated together, such as the chunks of SELL-C-σ */
  readonly groups: readonly (readonly number[])[];
  /** the slots of the array that is padded */
  readonly paddedSlots: readonly Slot[];
  /** the slots of further arrays of values, such as the list of HYB */
  readonly otherSlots: readonly Slot[];
}

/** The stored values by row and slot in a format whose encode pads rows and narrates each; null for other formats. */
function slotsOf({ encoding: { stores, narrated, arrays } }: RoundTrip, matrix: CsrMatrix): Slots | null {
  if (!stores || !narrated) throw new Error('found no recording');
  const isValues = arrays.map(({ array }) => array.byteClass === 'values');
  let nextStore = 0;
  /** index of the first array with padding that belongs to a row but to no column */
  let paddedArray: number | null = null;
  const groups: (readonly number[])[] = [];
  const slots: (Slot & { readonly array: number })[] = [];
  /** by array and row: how many values it has so far */
  const counts = new Map<string, number>();
  for (const step of narrated) {
    const { rows, column } = step;
    if (rows.length > 1) groups.push(rows);
    for (; nextStore < step.stores; nextStore++) {
      const array = stores.array[nextStore];
      if (!isValues[array] || rows.length !== 1) continue;
      const isPadding = stores.isPadding[nextStore] === 1;
      if (isPadding && column === null) paddedArray ??= array;
      const key = `${array}/${rows[0]}`;
      const slot = counts.get(key) ?? 0;
      counts.set(key, slot + 1);
      slots.push({ array, row: rows[0], slot, value: isPadding ? null : stores.value[nextStore] });
    }
  }
  if (paddedArray === null) return null;
  return {
    groups: groups.length > 0 ? groups : [Array.from({ length: matrix.rows }, (_, r) => r)],
    paddedSlots: slots.filter(({ array }) => array === paddedArray),
    otherSlots: slots.filter(({ array }) => array !== paddedArray),
  };
}

/** Draws each row of a padded format with its slots, then the values of further arrays, and the edges of groups. */
function drawSlots(paths: Paths, { groups, paddedSlots, otherSlots }: Slots): void {
  // Rows are drawn in the order of their groups, which a format may have sorted.
  const positionOf = new Map(groups.flat().map((row, position) => [row, position]));
  const widthOf = (rows: readonly number[]): number =>
    Math.max(0, ...paddedSlots.filter(({ row }) => rows.includes(row)).map(({ slot }) => slot + 1));
  for (const { row, slot, value } of paddedSlots) {
    const position = positionOf.get(row) ?? 0;
    if (value === null) drawHatchedCell(paths, position, slot);
    else {
      drawCell(paths, valueTone(value), position, slot);
      paths.box('index', xOf(slot), yOf(position) + 4, CELL, 1);
    }
  }
  const width = widthOf(groups.flat());
  for (const { row, slot, value } of otherSlots) {
    const [position, column] = [positionOf.get(row) ?? 0, width + 1 + slot];
    drawCell(paths, valueTone(value ?? 0), position, column);
    paths.box('run', xOf(column), yOf(position), CELL, CELL);
  }
  let top = 0;
  for (const rows of groups) {
    const groupWidth = widthOf(rows);
    if (groups.length > 1)
      paths.box('outline', LEFT - 1, yOf(top) - 1, PITCH * groupWidth + 1, PITCH * rows.length + 1);
    else paths.add('outline', `M${xOf(groupWidth) + 2} ${TOP - 2}v${PITCH * rows.length + 3}`);
    top += rows.length;
  }
}

/** The cells that share an element: decode put them after it had read it, and before it read the next of that array. */
interface Sharing {
  readonly element: number;
  readonly puts: readonly Put[];
}

/** Groups cells by the element of an array, given by its index, that decode read last. */
function sharingOf(puts: readonly Put[], array: number): readonly Sharing[] {
  const groups = new Map<number, Put[]>();
  let element = -1;
  for (const put of puts) {
    element = lastRead(put, array) ?? element;
    const group = groups.get(element);
    if (group) group.push(put);
    else groups.set(element, [put]);
  }
  return [...groups].map(([index, group]) => ({ element: index, puts: group }));
}

/** The element of an array that decode read last before a put; undefined if it read none since the previous put. */
function lastRead({ reads }: Put, array: number): number | undefined {
  return reads.findLast(([readArray]) => readArray === array)?.[1];
}

/** Draws a format at the cells of its matrix, with what the indices of each array mean. */
function drawInPlace(paths: Paths, roundTrip: RoundTrip, matrix: CsrMatrix, allPuts: readonly Put[]): void {
  const { arrays } = roundTrip.encoding;
  const isInside = ({ row, column }: Put): boolean =>
    row >= 0 && row < matrix.rows && column >= 0 && column < matrix.cols;
  const puts = allPuts.filter(isInside);
  const nonZeroPuts = puts.filter(({ value }) => value !== 0);
  for (let r = 0; r < matrix.rows; r++) for (let c = 0; c < matrix.cols; c++) drawCell(paths, 'empty', r, c);
  for (const { row, column, value } of puts) {
    if (value === 0) drawHatchedCell(paths, row, column);
    else drawCell(paths, valueTone(value), row, column);
  }
  // What the indices mean follows from their number and values.
  const kinds = arrays.map(({ array }) => array.byteClass);
  const indices = arrays.flatMap((_, i) => (kinds[i] === 'indices' ? [i] : []));
  /** Whether the elements of an array are the row numbers, or the column numbers, of the cells. */
  const areNumbers = (i: number, axis: 'row' | 'column'): boolean =>
    sharingOf(nonZeroPuts, i).every(({ element, puts: [put] }) => arrays[i].elements[element] === put[axis]);
  const perCellArrays = indices.filter((i) => arrays[i].elements.length === nonZeroPuts.length);
  const rowsArray = perCellArrays.find((i) => areNumbers(i, 'row'));
  for (const i of perCellArrays) {
    // Row numbers (COO): a line from the left edge to the cell.
    if (i === rowsArray)
      nonZeroPuts.forEach(({ row, column }) => paths.add('line', `M${LEFT - 3} ${yOf(row) + 2.5}H${xOf(column)}`));
    // Neither row nor column numbers: gaps between columns (delta encoding).
    else if (!areNumbers(i, 'column')) drawGaps(paths, nonZeroPuts);
    // Column numbers without row numbers (CSR): a bar under the value.
    else if (rowsArray === undefined)
      nonZeroPuts.forEach(({ row, column }) => paths.box('index', xOf(column), yOf(row) + 4, CELL, 1));
    // Column numbers next to row numbers (COO): a line from the top edge to the cell.
    else nonZeroPuts.forEach(({ row, column }) => paths.add('line', `M${xOf(column) + 2.5} ${TOP - 3}V${yOf(row)}`));
  }
  drawShared(
    paths,
    roundTrip,
    puts,
    indices.filter((i) => !perCellArrays.includes(i)),
  );
  // A table that every value is looked up in (dictionary): squares on the right of the matrix, in two columns.
  for (const [i, { elements }] of arrays.entries()) {
    const isLookedUp = nonZeroPuts.every(({ reads }) => reads.some(([array]) => array === i));
    if (kinds[i] !== 'metadata' || !isLookedUp || isOfRows(elements, matrix)) continue;
    for (let k = 0; k < elements.length; k++) {
      paths.box('metadata', xOf(matrix.cols) + 3 + PITCH * (k % 2), yOf(k >> 1), CELL, CELL);
    }
  }
}

/** Whether an array has one element per row, or one more, as row starts have. */
function isOfRows({ length }: Elements, { rows }: CsrMatrix): boolean {
  return length === rows || length === rows + 1;
}

/** Draws a line over the columns that are skipped between two stored cells of a row. */
function drawGaps(paths: Paths, nonZeroPuts: readonly Put[]): void {
  let row = -1;
  let column = -1;
  for (const put of nonZeroPuts) {
    if (put.row !== row) column = -1;
    const gapStart = column < 0 ? LEFT : xOf(column) + CELL;
    if (xOf(put.column) > gapStart) paths.add('line', `M${gapStart} ${yOf(put.row) + 2.5}H${xOf(put.column)}`);
    ({ row, column } = put);
  }
}

/** A rectangle of the matrix. */
interface Box {
  readonly top: number;
  readonly left: number;
  readonly rows: number;
  readonly columns: number;
}

/** The smallest rectangle that contains these cells. */
function boxOf(puts: readonly Put[]): Box {
  const rows = puts.map(({ row }) => row);
  const columns = puts.map(({ column }) => column);
  const [top, left] = [Math.min(...rows), Math.min(...columns)];
  return { top, left, rows: Math.max(...rows) - top + 1, columns: Math.max(...columns) - left + 1 };
}

/** Draws what cells with a common index form, for each of these arrays of indices: a run, a diagonal or a block. */
function drawShared(
  paths: Paths,
  { encoding: { arrays } }: RoundTrip,
  puts: readonly Put[],
  indices: readonly number[],
): void {
  const drawnBoxes = new Set<string>();
  // An array with more elements than cells has an element for every cell of a block, empty or not (a bit mask).
  const bitsArray = indices.find((i) => arrays[i].elements.length > puts.length);
  for (const i of indices) {
    if (i === bitsArray) continue;
    const groups = sharingOf(puts, i);
    for (const { puts: group } of groups) {
      const box = boxOf(group);
      const key = Object.values(box).join();
      if (drawnBoxes.has(key)) continue;
      drawnBoxes.add(key);
      const isDiagonal = group.every(({ row, column }) => column - row === group[0].column - group[0].row);
      // Diagonals (DIA): a square where each begins, above the matrix or left of it.
      if (isDiagonal && (box.rows > 1 || puts.some(({ value }) => value === 0))) {
        if (box.top === 0) paths.box('index', xOf(box.left) + 1, 1, 3, 3);
        else paths.box('index', 2, yOf(box.top) + 1, 3, 3);
      } else if (box.rows === 1) {
        // Run lengths: a bar around each run of cells in a row.
        paths.box('run', xOf(box.left), yOf(box.top), PITCH * (box.columns - 1) + CELL, CELL);
      } else {
        // Blocks (bitmap blocks): an outline, and a dot in every cell that has a bit.
        const bitsBox =
          bitsArray === undefined
            ? null
            : wholeBox(group, bitsArray, arrays[bitsArray].elements.length / groups.length);
        drawBlock(paths, bitsBox ?? box, bitsBox !== null);
      }
    }
  }
}

/**
 * The block that contains these cells, if it has one element of the array with index `array` for each of its `size`
 * cells, row by row; null if no width of the block fits all of them.
 */
function wholeBox(puts: readonly Put[], array: number, size: number): Box | null {
  for (let columns = 1; columns <= size; columns++) {
    // The top left corner of the block by each cell: the cell minus its position in the block.
    const corners = puts.map((put) => {
      const position = (lastRead(put, array) ?? 0) % size;
      return [put.row - Math.floor(position / columns), put.column - (position % columns)] as const;
    });
    const [[top, left]] = corners;
    if (corners.every(([r, c]) => r === top && c === left)) return { top, left, rows: size / columns, columns };
  }
  return null;
}

/** Draws the outline of a block and, with `hasBits`, a dot in each of its cells. */
function drawBlock(paths: Paths, { top, left, rows, columns }: Box, hasBits: boolean): void {
  paths.box('outline', xOf(left) - 0.5, yOf(top) - 0.5, PITCH * columns, PITCH * rows);
  for (let k = 0; hasBits && k < rows * columns; k++) {
    paths.box('index', xOf(left + (k % columns)) + 2, yOf(top + Math.floor(k / columns)) + 2, 1, 1);
  }
}
