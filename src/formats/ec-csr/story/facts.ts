import type { StorageLedger } from '../../../core/encoded/ledger.ts';
import { cellUnit, unitText } from '../../../story/cell-unit.ts';
import { rowBuffer } from '../../../core/matrix/index.ts';
import { stepEncoded } from '../../../story/declared/trace.ts';
import type { Block } from '../extract.ts';
import type { PackedBlock } from '../pack.ts';
import { encoding } from '../encoding.ts';
import { baseBits, blockColumnsInMemory, infosOfSets } from '../layout.ts';
import { blockColumns, valueBits } from '../params.ts';
import { type EcCsrTrace, type Pair, type Search, searchOf, spanOfBlock } from './levels.ts';

/** Two rows, and the columns that both have. */
interface SharedColumns {
  readonly rows: readonly [number, number];
  readonly columns: readonly number[];
}

/** The first pair of rows in the story. Of its shared columns, `taken` go to blocks and `left` do not. */
export interface FirstPair extends SharedColumns {
  readonly pair: Pair;
  /** shared columns that go into lists of both rows, and those that stay in each row */
  readonly takenColumns: readonly number[];
  readonly leftOverColumns: readonly number[];
}

/** A block whose rows are some of the rows of the largest block. */
export interface InnerBlock {
  readonly block: Block;
  /** none of the other rows of the largest block has any of these columns */
  readonly othersLack: boolean;
}

/** The facts of a window (the part of a matrix in the story) for the texts and pictures of the frames. */
export type Facts = ReturnType<typeof factsOf>;

/** Computes the facts of a window. O(rows² × columns). */
export function factsOf(t: EcCsrTrace) {
  const { window, encoded } = t;
  const search = searchOf(t);
  const { extraction, levels } = search;
  const { rows, cols, nnz } = window;
  const buffer = rowBuffer(cols);
  const values = new Map<number, number>();
  const columns = Array.from({ length: rows }, (_, row) => {
    const n = window.readRow(row, buffer);
    return Array.from(buffer.columns.subarray(0, n), (col, i) => {
      values.set(row * cols + col, buffer.values[i]);
      return col;
    });
  });
  const columnSets = columns.map((rowColumns) => new Set(rowColumns));
  const common = (a: number, b: number): readonly number[] => columns[a].filter((col) => columnSets[b].has(col));
  const best = bestPairOf(rows, common);
  const largest = largestBlockOf(search);
  const first = firstPairOf(search, largest);
  const { entries, totalBytes } = encoding.storage(encoded);
  const valueBytes = valueBits(encoded) / 8;
  const unit = cellUnit(values.values());
  const columnNumber = (column: number): number => (t.origin?.col ?? 0) + column;
  const used = new Set(columns.flat());
  return {
    t,
    search,
    infos: infosOfSets(encoded),
    rows,
    cols,
    /** the two rows that share the most columns */
    best,
    first,
    largest,
    innerBlock: largest && innerBlockOf(search, largest, columnSets),
    columnsOf: (row: number): readonly number[] => columns[row],
    /** null if the cell is zero */
    weightOf: (row: number, col: number): number | null => values.get(row * cols + col) ?? null,
    unit,
    /** the texts of weights and of column numbers in cells, each once */
    texts: [
      ...new Set([
        ...Array.from(values.values(), (value) => unitText(value, unit)),
        ...Array.from(used, (column) => String(columnNumber(column))),
      ]),
    ],
    /** from a row and a column of the window to a row and a column of the matrix */
    rowNumber: (row: number): number => (t.origin?.row ?? 0) + row,
    columnNumber,
    /** columns with a weight in all rows, if there are two or more rows */
    everywhere: rows < 2 ? [] : columns[0].filter((col) => columnSets.every((rowColumns) => rowColumns.has(col))),
    /** columns with a weight in all rows of the largest block */
    columnsOfLargest:
      largest && columns[largest.rows[0]].filter((col) => largest.rows.every((row) => columnSets[row].has(col))),
    /** `used`: how many columns have a weight; `min`: how many columns move into a block at once */
    used: used.size,
    min: blockColumns(encoded),
    /** how many column numbers remain: in the beginning, after the first pair shares columns, and after each level */
    numbers: {
      start: nnz,
      first: nnz - (first?.takenColumns.length ?? 0),
      levels: levels.map(
        (_, level) =>
          lengthOf(extraction.sets.slice(0, level + 1).flatMap(({ blocks }) => blocks)) +
          lengthOf(levels.slice(level + 1, level + 2).flat()),
      ),
    },
    /** bytes of a column number in full */
    numberBytes: baseBits(window) / 8,
    bytes: {
      ...purposesOf(entries, nnz * valueBytes),
      total: totalBytes,
      dense: rows * cols * valueBytes,
    },
  };
}

/** Bytes by purpose; `bookkeeping`: which rows a block has, and where it begins. */
export interface Purposes {
  readonly weights: number;
  readonly zeros: number;
  readonly columns: number;
  readonly bookkeeping: number;
}

/** The bytes of arrays by purpose; `weights`: bytes of the weights alone. */
export function purposesOf(entries: StorageLedger['entries'], weights: number): Purposes {
  const bytesOf = (...names: readonly string[]): number =>
    entries.reduce((sum, { array, bytes }) => sum + (names.includes(array) ? bytes : 0), 0);
  return {
    weights,
    zeros: bytesOf('values') - weights,
    columns: bytesOf('baseIndices', 'deltaIndices'),
    bookkeeping: bytesOf('rowIndices', 'blockPtr', 'sets'),
  };
}

/** The two rows that share the most columns; null if none share any. */
function bestPairOf(rows: number, common: (a: number, b: number) => readonly number[]): SharedColumns | null {
  let best: SharedColumns | null = null;
  for (let a = 0; a < rows; a++) {
    for (let b = a + 1; b < rows; b++) {
      const columns = common(a, b);
      if (columns.length > (best?.columns.length ?? 0)) best = { rows: [a, b], columns };
    }
  }
  return best;
}

/** The pair of the first round that makes a block and shares the most columns; if possible one inside the largest block. */
function firstPairOf({ pairs, levels }: Search, largest: Block | null): FirstPair | null {
  // Being inside the largest block outweighs any number of columns.
  const rank = ({ blocks, shared }: Pair): number =>
    (blocks[0].rows.every((row) => largest?.rows.includes(row)) ? 1e8 : 0) + shared.length;
  const pair = pairs
    .filter(({ level, round, blocks }) => level === 0 && round === 0 && blocks.length > 0)
    .reduce<Pair | null>((best, candidate) => (best && rank(best) >= rank(candidate) ? best : candidate), null);
  if (!pair) return null;
  const takenColumns = pair.blocks.flatMap((block) => Array.from(block.columns)).toSorted((a, b) => a - b);
  return {
    pair,
    rows: [levels[0][pair.unit].rows[0], levels[0][pair.partner].rows[0]],
    columns: Array.from(pair.shared),
    takenColumns,
    leftOverColumns: Array.from(pair.shared).filter((col) => !takenColumns.includes(col)),
  };
}

/** How many columns each row below `row` shares with it; without rows that an earlier pair has taken. */
export function sharedBelow({ search, first, rows, columnsOf }: Facts, row: number): ReadonlyMap<number, number> {
  const earlierPairs = first ? search.pairs.slice(0, search.pairs.indexOf(first.pair)) : [];
  const taken = earlierPairs.map(({ partner }) => search.levels[0][partner].rows[0]);
  const below = Array.from({ length: rows }, (_, r) => r).filter((r) => r > row && !taken.includes(r));
  const rowColumns = new Set(columnsOf(row));
  return new Map(below.map((r) => [r, columnsOf(r).filter((column) => rowColumns.has(column)).length]));
}

/** The block of the last level with the most columns; null if no two rows form one. */
function largestBlockOf({ levels }: Search): Block | null {
  if (levels.length === 1) return null;
  return levels[levels.length - 1].reduce((best, block) =>
    best.columns.length >= block.columns.length ? best : block,
  );
}

/** The largest of the blocks with fewer of these rows; if possible one whose columns the other rows lack. */
function innerBlockOf(
  { extraction }: Search,
  { rows }: Block,
  columnSets: readonly ReadonlySet<number>[],
): InnerBlock | null {
  const inside = new Set(rows);
  const innerBlocks = extraction.sets
    .filter(({ granularity }) => granularity > 1 && granularity < rows.length)
    .flatMap(({ blocks }) => blocks)
    .filter((block) => block.rows.every((row) => inside.has(row)))
    .map((block): InnerBlock => {
      const others = Array.from(rows).filter((row) => !block.rows.includes(row));
      return { block, othersLack: others.every((row) => block.columns.every((col) => !columnSets[row].has(col))) };
    });
  // First compares `othersLack`, then the number of rows, then the number of columns.
  const rank = ({ block, othersLack }: InnerBlock): number =>
    (othersLack ? 1e8 : 0) + block.rows.length * 1e4 + block.columns.length;
  return innerBlocks.reduce<InnerBlock | null>(
    (best, inner) => (best && rank(best) >= rank(inner) ? best : inner),
    null,
  );
}

/** The steps of the trace at which frames stop: the first stored block, the last one, and the first product. */
export function stepsOf({ t, infos }: Facts) {
  const encoded = stepEncoded(t);
  return {
    first: infos.length > 0 ? spanOfBlock(t, 0, 0).shows : encoded,
    encoded,
    fetch: Math.min(encoded + 1, t.steps.length),
  } as const;
}

/** Stored blocks of several rows. */
export const finalBlocks = ({ search }: Facts): readonly Block[] =>
  search.extraction.sets.slice(1).flatMap(({ blocks }) => blocks);

/** Stored blocks of single rows: the columns that are in no larger block. */
export const singles = ({ search }: Facts): readonly Block[] => search.extraction.sets[0].blocks;

/** The column numbers of all blocks together. */
export const lengthOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { columns }) => sum + columns.length, 0);

/** Up to four answers to the question how many columns remain, including the right one. */
export function leftoverAnswers(shared: number, min: number): readonly number[] {
  const right = shared % min;
  const wrong = [0, right + min, right + 2 * min, 1, 2, 3].filter((n) => n !== right && n <= shared);
  return [right, ...new Set(wrong)].slice(0, 4).toSorted((a, b) => a - b);
}

/** How many zeros fill up the stored lists of single rows. */
export const zerosLeft = ({ search: { sets } }: Facts): number =>
  sets
    .flatMap(({ blocks }) => blocks)
    .reduce((sum, { rows, real }) => sum + (rows.length === 1 ? real.filter((isReal) => isReal === 0).length : 0), 0);

/**
 * The stored list of a single row that is drawn. Preferred, in this order: a list with zeros from a row of the first pair; one
 * with zeros from a row that also has columns in blocks; any with zeros; the first list.
 */
export function rowListToDraw({ first, columnsOf, search: { sets } }: Facts) {
  const lists = sets
    .flatMap(({ blocks }) => blocks.map((packed) => ({ ...packed, row: packed.rows[0] })))
    .filter(({ rows }) => rows.length === 1);
  const withZeros = lists.filter(({ real }) => real.includes(0));
  return (
    withZeros.find(({ row }) => first?.rows.includes(row)) ??
    withZeros.find(({ row, real }) => weightsOf(real) < columnsOf(row).length) ??
    withZeros.at(0) ??
    lists[0]
  );
}

/** How many columns of a stored list have a weight; `real`: 1 for a weight, 0 for a stored zero. */
export const weightsOf = (real: Uint8Array): number => real.reduce((sum, one) => sum + one, 0);

/** Whether the columns that go to blocks are the first ones of the shared columns. */
export const areFirst = ({ columns, takenColumns }: FirstPair): boolean =>
  takenColumns.every((column, i) => column === columns[i]);

/** The blocks of the previous level that joined to form the largest block; none if single rows formed it. */
export const joiningLists = ({ largest, search: { levels } }: Facts): readonly Block[] =>
  (levels.at(-2) ?? []).filter(({ rows }) => rows.length > 1 && rows.every((r) => largest?.rows.includes(r)));

/** The block of columns that only one of two joining blocks has; null if the question about it would have no clear answer. */
export function ownColumns(f: Facts): Block | null {
  const joining = joiningLists(f);
  if (joining.length !== 2 || !f.innerBlock?.othersLack) return null;
  const { block } = f.innerBlock;
  const hasBlock = (list: Block): boolean =>
    hasRows(list, block) && block.columns.every((column) => list.columns.includes(column));
  return joining.some(hasBlock) ? block : null;
}

/** Whether two blocks have the same rows. */
export const hasRows = ({ rows }: Block, other: Block): boolean =>
  rows.length === other.rows.length && other.rows.every((row) => rows.includes(row));

/** Of a stored list: its columns with a weight, the bytes of one lane’s columns, and the bytes of all as full numbers. */
export function bytesOfList({ t: { encoded }, numberBytes }: Facts, { columns, real: realFlags }: PackedBlock) {
  const real = weightsOf(realFlags);
  const laneBytes = numberBytes + ((columns.length / encoded.lanes) * encoded.deltaBits) / 8;
  return { real, laneBytes, plainBytes: numberBytes * real };
}

/** Bytes of column numbers without and with steps: of lists of several rows, of lists of one row, and bytes that fill words. */
export function stepSums(f: Facts) {
  const { lanes } = f.t.encoded;
  const blocks = f.search.sets.flatMap((set) => set.blocks);
  const sums = (lists: readonly PackedBlock[]) => {
    const sizes = lists.map((list) => bytesOfList(f, list));
    const columns = lists.reduce((sum, list) => sum + list.columns.length, 0);
    return {
      /** bytes of each list with steps */
      each: sizes.map(({ laneBytes }) => lanes * laneBytes),
      without: sizes.reduce((sum, { plainBytes }) => sum + plainBytes, 0),
      with: sizes.reduce((sum, { laneBytes }) => sum + lanes * laneBytes, 0),
      weights: lists.reduce((sum, { real }) => sum + weightsOf(real), 0),
      columns,
    };
  };
  const shared = sums(blocks.filter(({ rows }) => rows.length > 1));
  const alone = sums(blocks.filter(({ rows }) => rows.length === 1));
  return { shared, alone, fill: f.bytes.columns - shared.with - alone.with };
}

/** How many column numbers there are after columns are shared. */
export const sharedNumbers = ({ numbers }: Facts): number => numbers.levels.at(-1) ?? numbers.start;

/** How many bytes of column numbers steps save after columns are shared; negative if they take more. */
export const savedBySteps = (f: Facts): number => f.numberBytes * sharedNumbers(f) - f.bytes.columns;

/** Lists of a picture or a sum, at most. */
export const LISTS_SHOWN = 4;

/** Most lanes of a list that are drawn. */
export const LANES_SHOWN = 4;

/** The first load of all lanes of the first block (v columns each, or one in a short block), and its number of products. */
export function firstLoad({ t: { encoded: e }, infos: [info], search: { sets } }: Facts) {
  const blockColumns = blockColumnsInMemory(e, info, 0);
  const perLane = blockColumns.length >= e.lanes * e.vectorSize ? e.vectorSize : 1;
  const columns = blockColumns.slice(0, e.lanes * perLane);
  return { columns, rows: Array.from(sets[0].blocks[0].rows), products: columns.length * info.granularity };
}
