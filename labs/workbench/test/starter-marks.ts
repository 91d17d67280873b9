import type { CsrMatrix } from '../../../src/core/matrix/index.ts';
import type { RoundTrip } from '../own/module-requests.ts';
import type { Elements } from '../../../src/core/declared/element-type.ts';
import type { StarterMark, MarkTone } from '../page/own/starter-figure.ts';

/** The picture of a starter: drawn from what its functions did with a little matrix, not from what it is called. */

/** px from one cell to the next, and of a cell */
const PITCH = 6;
const CELL = 5;
/** px on the left and above the matrix, for data of rows and diagonals */
const LEFT = 7;
const TOP = 5;

/** A cell that decode put, zeros too, and the elements that it had read since the one before. */
interface Put {
  readonly row: number;
  readonly column: number;
  readonly value: number;
  readonly reads: readonly (readonly [array: number, at: number])[];
}

/** What the decode of a module does with the arrays of a run, zeros and all. */
async function putsOf(
  text: string,
  { setup, encoding }: RoundTrip,
  { rows, cols }: CsrMatrix,
): Promise<readonly Put[]> {
  const { decode } = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`)) as {
    decode(arrays: Record<string, Elements>, size: object, put: (r: number, c: number, v: number) => void): void;
  };
  const puts: Put[] = [];
  let reads: [number, number][] = [];
  const watched = encoding.arrays.map(({ array, elements }, i) => [
    array.name,
    new Proxy(elements, {
      get(target, key) {
        const at = typeof key === 'string' ? Number(key) : Number.NaN;
        if (at < target.length) reads.push([i, at]);
        return Reflect.get(target, key, target) as unknown;
      },
    }),
  ]);
  decode(Object.fromEntries(watched), { ...setup.params, rows, cols }, (row, column, value) => {
    puts.push({ row, column, value, reads });
    reads = [];
  });
  return puts;
}

/** Shapes by tone, as one path each. */
class Paths {
  readonly #paths = new Map<MarkTone, string[]>();

  add(tone: MarkTone, path: string): void {
    const known = this.#paths.get(tone);
    if (known) known.push(path);
    else this.#paths.set(tone, [path]);
  }

  box(tone: MarkTone, x: number, y: number, width: number, height: number): void {
    this.add(tone, `M${x} ${y}h${width}v${height}h${-width}z`);
  }

  /** In this order, so that stored cells lie above the others. */
  marks(): readonly StarterMark[] {
    return TONES.flatMap((tone) => {
      const found = this.#paths.get(tone);
      return found ? [{ tone, path: found.join('') }] : [];
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

const xOf = (column: number): number => LEFT + PITCH * column;
const yOf = (row: number): number => TOP + PITCH * row;

function cell(paths: Paths, tone: MarkTone, row: number, column: number): void {
  paths.box(tone, xOf(column), yOf(row), CELL, CELL);
}

/** Three shades, by magnitude. */
function shade(value: number): MarkTone {
  const size = Math.abs(value);
  return size > 0.7 ? 'values-3' : size > 0.35 ? 'values-2' : 'values-1';
}

function hatched(paths: Paths, row: number, column: number): void {
  const [x, y] = [xOf(column), yOf(row)];
  paths.add('padding', `M${x} ${y + 3}l3 -3M${x} ${y + CELL}l${CELL} ${-CELL}M${x + 2} ${y + CELL}l3 -3`);
}

/** The marks of a module on a matrix. `run`: recorded. */
export async function marksOf(text: string, run: RoundTrip, matrix: CsrMatrix): Promise<readonly StarterMark[]> {
  const paths = new Paths();
  const slots = slotsOf(run, matrix);
  if (slots) drawSlots(paths, slots);
  else drawInPlace(paths, run, matrix, await putsOf(text, run, matrix));
  // What is stored of each row.
  const hasRows = run.encoding.arrays.some(
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

interface Slots {
  /** rows from top to bottom, in groups that are narrated together */
  readonly groups: readonly (readonly number[])[];
  readonly main: readonly Slot[];
  /** of further arrays of values */
  readonly rest: readonly Slot[];
}

/** Values by row and slot, where encode names the row that padding fills; null for other formats. */
function slotsOf({ encoding: { stores, tells: narrated, arrays } }: RoundTrip, { rows }: CsrMatrix): Slots | null {
  if (!stores || !narrated) throw new Error('found no recording');
  const isValues = arrays.map(({ array }) => array.byteClass === 'values');
  let from = 0;
  let padded: number | null = null;
  const groups: (readonly number[])[] = [];
  const all: (Slot & { readonly array: number })[] = [];
  const counts = new Map<string, number>();
  for (const { rows: about, column, stores: to } of narrated) {
    if (about.length > 1) groups.push(about);
    for (; from < to; from++) {
      const array = stores.array[from];
      if (!isValues[array] || about.length !== 1) continue;
      const isPadding = stores.isPadding[from] === 1;
      if (isPadding && column === null) padded ??= array;
      const key = `${array}/${about[0]}`;
      const slot = counts.get(key) ?? 0;
      counts.set(key, slot + 1);
      all.push({ array, row: about[0], slot, value: isPadding ? null : stores.value[from] });
    }
  }
  if (padded === null) return null;
  return {
    groups: groups.length > 0 ? groups : [Array.from({ length: rows }, (_, r) => r)],
    main: all.filter(({ array }) => array === padded),
    rest: all.filter(({ array }) => array !== padded),
  };
}

function drawSlots(paths: Paths, { groups, main, rest }: Slots): void {
  const positionOf = new Map(groups.flat().map((row, position) => [row, position]));
  const widthOf = (rows: readonly number[]): number =>
    Math.max(0, ...main.filter(({ row }) => rows.includes(row)).map(({ slot }) => slot + 1));
  for (const { row, slot, value } of main) {
    const position = positionOf.get(row) ?? 0;
    if (value === null) hatched(paths, position, slot);
    else {
      cell(paths, shade(value), position, slot);
      paths.box('index', xOf(slot), yOf(position) + 4, CELL, 1);
    }
  }
  const width = widthOf(groups.flat());
  for (const { row, slot, value } of rest) {
    const [place, column] = [positionOf.get(row) ?? 0, width + 1 + slot];
    cell(paths, shade(value ?? 0), place, column);
    paths.box('run', xOf(column), yOf(place), CELL, CELL);
  }
  let top = 0;
  for (const rows of groups) {
    const wide = widthOf(rows);
    if (groups.length > 1) paths.box('outline', LEFT - 1, yOf(top) - 1, PITCH * wide + 1, PITCH * rows.length + 1);
    else paths.add('outline', `M${xOf(wide) + 2} ${TOP - 2}v${PITCH * rows.length + 3}`);
    top += rows.length;
  }
}

/** Cells that decode put after it had read an element, until it read the next of the same array. */
interface Shared {
  readonly array: number;
  readonly at: number;
  readonly puts: readonly Put[];
}

function sharedOf(puts: readonly Put[], array: number): readonly Shared[] {
  const found = new Map<number, Put[]>();
  let last = -1;
  for (const put of puts) {
    last = put.reads.findLast(([of]) => of === array)?.[1] ?? last;
    const of = found.get(last);
    if (of) of.push(put);
    else found.set(last, [put]);
  }
  return [...found].map(([at, of]) => ({ array, at, puts: of }));
}

function drawInPlace(paths: Paths, run: RoundTrip, matrix: CsrMatrix, all: readonly Put[]): void {
  const { arrays } = run.encoding;
  const isInside = ({ row, column }: Put): boolean =>
    row >= 0 && row < matrix.rows && column >= 0 && column < matrix.cols;
  const puts = all.filter(isInside);
  const stored = puts.filter(({ value }) => value !== 0);
  for (let r = 0; r < matrix.rows; r++) for (let c = 0; c < matrix.cols; c++) cell(paths, 'empty', r, c);
  for (const { row, column, value } of puts) {
    if (value === 0) hatched(paths, row, column);
    else cell(paths, shade(value), row, column);
  }
  const kinds = arrays.map(({ array }) => array.byteClass);
  const indices = arrays.flatMap((_, i) => (kinds[i] === 'indices' ? [i] : []));
  const absolute = (i: number, of: 'row' | 'column'): boolean =>
    sharedOf(stored, i).every(({ at, puts: [put] }) => arrays[i].elements[at] === put[of]);
  const single = indices.filter((i) => arrays[i].elements.length === stored.length);
  const rowsArray = single.find((i) => absolute(i, 'row'));
  for (const i of single) {
    if (i === rowsArray)
      stored.forEach(({ row, column }) => paths.add('line', `M${LEFT - 3} ${yOf(row) + 2.5}H${xOf(column)}`));
    else if (!absolute(i, 'column')) drawGaps(paths, stored);
    else if (rowsArray === undefined)
      stored.forEach(({ row, column }) => paths.box('index', xOf(column), yOf(row) + 4, CELL, 1));
    else stored.forEach(({ row, column }) => paths.add('line', `M${xOf(column) + 2.5} ${TOP - 3}V${yOf(row)}`));
  }
  drawShared(
    paths,
    run,
    puts,
    indices.filter((i) => !single.includes(i)),
  );
  // Values that are looked up.
  for (const [i, { elements }] of arrays.entries()) {
    const isLookedUp = stored.every(({ reads }) => reads.some(([array]) => array === i));
    if (kinds[i] !== 'metadata' || !isLookedUp || isOfRows(elements, matrix)) continue;
    for (let k = 0; k < elements.length; k++) {
      paths.box('metadata', xOf(matrix.cols) + 3 + PITCH * (k % 2), yOf(k >> 1), CELL, CELL);
    }
  }
}

/** Whether an array has an element for each row, or for each and the end. */
function isOfRows({ length }: Elements, { rows }: CsrMatrix): boolean {
  return length === rows || length === rows + 1;
}

/** From one cell of a row to the next: how many columns are skipped. */
function drawGaps(paths: Paths, stored: readonly Put[]): void {
  let row = -1;
  let column = -1;
  for (const put of stored) {
    if (put.row !== row) column = -1;
    const from = column < 0 ? LEFT : xOf(column) + CELL;
    if (xOf(put.column) > from) paths.add('line', `M${from} ${yOf(put.row) + 2.5}H${xOf(put.column)}`);
    ({ row, column } = put);
  }
}

/** A rectangle of the matrix. */
interface Box {
  readonly top: number;
  readonly first: number;
  readonly rows: number;
  readonly columns: number;
}

function boxOf(puts: readonly Put[]): Box {
  const rows = puts.map(({ row }) => row);
  const columns = puts.map(({ column }) => column);
  const [top, first] = [Math.min(...rows), Math.min(...columns)];
  return { top, first, rows: Math.max(...rows) - top + 1, columns: Math.max(...columns) - first + 1 };
}

/** What several cells have in common: a run in a row, a diagonal, or a block. */
function drawShared(
  paths: Paths,
  { encoding: { arrays } }: RoundTrip,
  puts: readonly Put[],
  indices: readonly number[],
): void {
  const drawn = new Set<string>();
  // More elements than cells: some for empty cells.
  const ofCells = indices.find((i) => arrays[i].elements.length > puts.length);
  for (const i of indices) {
    if (i === ofCells) continue;
    const groups = sharedOf(puts, i);
    for (const { puts: of } of groups) {
      const box = boxOf(of);
      const key = Object.values(box).join();
      if (drawn.has(key)) continue;
      drawn.add(key);
      const isDiagonal = of.every(({ row, column }) => column - row === of[0].column - of[0].row);
      if (isDiagonal && (box.rows > 1 || puts.some(({ value }) => value === 0))) {
        if (box.top === 0) paths.box('index', xOf(box.first) + 1, 1, 3, 3);
        else paths.box('index', 2, yOf(box.top) + 1, 3, 3);
      } else if (box.rows === 1) {
        paths.box('run', xOf(box.first), yOf(box.top), PITCH * (box.columns - 1) + CELL, CELL);
      } else {
        const whole =
          ofCells === undefined ? null : wholeBox(of, ofCells, arrays[ofCells].elements.length / groups.length);
        drawBlock(paths, whole ?? box, whole !== null);
      }
    }
  }
}

/** The block with as many elements as `array`, row by row, by the positions of its non-zeros; null for any other. */
function wholeBox(puts: readonly Put[], array: number, size: number): Box | null {
  for (let columns = 1; columns <= size; columns++) {
    const corners = puts.map(({ row, column, reads }) => {
      const at = (reads.findLast(([of]) => of === array)?.[1] ?? 0) % size;
      return [row - Math.floor(at / columns), column - (at % columns)] as const;
    });
    const [[top, first]] = corners;
    if (corners.every(([r, c]) => r === top && c === first)) return { top, first, rows: size / columns, columns };
  }
  return null;
}

function drawBlock(paths: Paths, { top, first, rows, columns }: Box, hasBits: boolean): void {
  paths.box('outline', xOf(first) - 0.5, yOf(top) - 0.5, PITCH * columns, PITCH * rows);
  for (let k = 0; hasBits && k < rows * columns; k++) {
    paths.box('index', xOf(first + (k % columns)) + 2, yOf(top + Math.floor(k / columns)) + 2, 1, 1);
  }
}
