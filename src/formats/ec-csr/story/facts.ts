import { cellUnit, unitText } from '../../../core/story/cell-unit.ts';
import { rowBuffer } from '../../../core/matrix/index.ts';
import {
  type FrameContext,
  type FrameSlider,
  type RecordedMatrix,
  type RecordedTime,
  wholeFact,
} from '../../../core/story/frames.ts';
import { leftText, shareText } from '../../../core/story/rounded.ts';
import { fact, type NamedFact, type Stated, stated } from '../../../core/story/stated.ts';
import { bytesText, capitalised, counted, countText, shapeText } from '../../../core/story/words.ts';
import sharedPairs from '../../../theory/shared-pairs.json';
import { askedShare, micros, throughKept } from '../../../core/story/flow/verdict.ts';
import { stepEncoded } from '../../../core/declared/story/trace.ts';
import type { Block } from '../extract.ts';
import { encoding } from '../encoding.ts';
import { baseBits, blockColumnsInMemory, setInfos, lengthsOf } from '../layout.ts';
import { blockColumns, columnStep, reachOf, type EcCsrParams, valueBits } from '../params.ts';
import { type EcCsrTrace, type Pair, type Search, searchOf, spanOfBlock } from './levels.ts';

/** Two rows, and the columns that both have. */
interface SharedColumns {
  readonly rows: readonly [number, number];
  readonly columns: readonly number[];
}

/** The two rows whose columns are taken out first. */
export interface FirstPair extends SharedColumns {
  readonly pair: Pair;
  readonly taken: readonly number[];
  readonly left: readonly number[];
  /** no other two rows share more */
  readonly isBest: boolean;
}

/** Columns that some rows of the largest block share, but not all. */
export interface LeftBlock {
  readonly block: Block;
  /** none of the other rows of the largest block has any of these columns */
  readonly othersLack: boolean;
}

/** The facts of a window for all frames, computed once. */
export type Facts = ReturnType<typeof factsOf>;

/** O(rows² × columns). */
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
  const has = columns.map((own) => new Set(own));
  const common = (a: number, b: number): readonly number[] => columns[a].filter((col) => has[b].has(col));
  const best = bestOf(rows, common);
  const largest = largestOf(search);
  const first = firstOf(search, largest, best?.columns.length ?? 0);
  const { entries, totalBytes } = encoding.storage(encoded);
  const bytesOf = (...names: readonly string[]): number =>
    entries.reduce((sum, { array, bytes }) => sum + (names.includes(array) ? bytes : 0), 0);
  const valueBytes = valueBits(encoded) / 8;
  const unit = cellUnit(values.values());
  const columnNumber = (column: number): number => (t.place?.col ?? 0) + column;
  const used = new Set(columns.flat());
  return {
    t,
    search,
    infos: setInfos(encoded),
    rows,
    cols,
    /** the two rows that share the most columns */
    best,
    first,
    largest,
    leftBlock: largest && leftBlockOf(search, largest, has),
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
    /** from a row and a column of the window to those of the matrix */
    rowNumber: (row: number): number => (t.place?.row ?? 0) + row,
    columnNumber,
    /** `everywhere`: columns with a weight in all rows, if there are at least two; `alike`: in all rows of the largest block */
    everywhere: rows < 2 ? [] : columns[0].filter((col) => has.every((own) => own.has(col))),
    alike: largest && columns[largest.rows[0]].filter((col) => largest.rows.every((row) => has[row].has(col))),
    /** `used`: how many columns have a weight; `min`: how many columns move into a block at once */
    used: used.size,
    min: blockColumns(encoded),
    /** how many column numbers are stored: in the beginning, after the first pair, and after each level */
    numbers: {
      start: nnz,
      first: nnz - (first?.taken.length ?? 0),
      levels: levels.map(
        (_, level) =>
          lengthOf(extraction.sets.slice(0, level + 1).flatMap(({ blocks }) => blocks)) +
          lengthOf(levels.slice(level + 1, level + 2).flat()),
      ),
    },
    /** bytes of a column number in full */
    numberBytes: baseBits(window) / 8,
    bytes: {
      weights: nnz * valueBytes,
      zeros: bytesOf('values') - nnz * valueBytes,
      columns: bytesOf('baseIndices', 'deltaIndices'),
      bookkeeping: bytesOf('rowIndices', 'blockPtr', 'sets'),
      books: { rows: bytesOf('rowIndices'), starts: bytesOf('blockPtr'), table: bytesOf('sets') },
      total: totalBytes,
      dense: rows * cols * valueBytes,
    },
  };
}

function bestOf(rows: number, common: (a: number, b: number) => readonly number[]): SharedColumns | null {
  let best: SharedColumns | null = null;
  for (let a = 0; a < rows; a++) {
    for (let b = a + 1; b < rows; b++) {
      const columns = common(a, b);
      if (columns.length > (best?.columns.length ?? 0)) best = { rows: [a, b], columns };
    }
  }
  return best;
}

/** Of the pairs of the first round that give a block: one inside of the largest block, and the one that shares the most. */
function firstOf({ pairs, levels }: Search, largest: Block | null, max: number): FirstPair | null {
  const rank = ({ blocks, shared }: Pair): number =>
    (blocks[0].rows.every((row) => largest?.rows.includes(row)) ? 1e8 : 0) + shared.length;
  const pair = pairs
    .filter(({ level, round, blocks }) => level === 0 && round === 0 && blocks.length > 0)
    .reduce<Pair | null>((best, one) => (best && rank(best) >= rank(one) ? best : one), null);
  if (!pair) return null;
  const taken = pair.blocks.flatMap((block) => Array.from(block.columns)).toSorted((a, b) => a - b);
  return {
    pair,
    rows: [levels[0][pair.unit].rows[0], levels[0][pair.partner].rows[0]],
    columns: Array.from(pair.shared),
    taken,
    left: Array.from(pair.shared).filter((col) => !taken.includes(col)),
    isBest: pair.shared.length === max,
  };
}

/** Of the blocks of the last level that with the most columns; null if no two rows form one. */
function largestOf({ levels }: Search): Block | null {
  if (levels.length === 1) return null;
  return levels[levels.length - 1].reduce((best, one) => (best.columns.length >= one.columns.length ? best : one));
}

/** The largest block whose rows all are in that block, but whose columns the others do not share. */
function leftBlockOf({ extraction }: Search, { rows }: Block, has: readonly ReadonlySet<number>[]): LeftBlock | null {
  const inside = new Set(rows);
  const found = extraction.sets
    .filter(({ granularity }) => granularity > 1 && granularity < rows.length)
    .flatMap(({ blocks }) => blocks)
    .filter((block) => block.rows.every((row) => inside.has(row)))
    .map((block): LeftBlock => {
      const others = Array.from(rows).filter((row) => !block.rows.includes(row));
      return { block, othersLack: others.every((row) => block.columns.every((col) => !has[row].has(col))) };
    });
  const weight = ({ block, othersLack }: LeftBlock): number =>
    (othersLack ? 1e8 : 0) + block.rows.length * 1e4 + block.columns.length;
  return found.reduce<LeftBlock | null>((best, one) => (best && weight(best) >= weight(one) ? best : one), null);
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

/** Blocks of several rows that joined no larger one, and single weights. */
export const finalBlocks = ({ search }: Facts): readonly Block[] =>
  search.extraction.sets.slice(1).flatMap(({ blocks }) => blocks);
export const singles = ({ search }: Facts): readonly Block[] => search.extraction.sets[0].blocks;
export const lengthOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { columns }) => sum + columns.length, 0);

/** Up to four answers to the question how many columns are left over, including the right one. */
export function leftoverAnswers(shared: number, min: number): readonly number[] {
  const right = shared % min;
  const wrong = [0, right + min, right + 2 * min, 1, 2, 3].filter((n) => n !== right && n <= shared);
  return [right, ...new Set(wrong)].slice(0, 4).toSorted((a, b) => a - b);
}

/** The column numbers of the lists of each set, in bytes: as they are stored, and if all were written in full. */
export function setBytes({ t: { encoded: e }, infos, numberBytes, search: { sets } }: Facts) {
  return infos.map(({ granularity, blocks, columns }, s) => {
    const [firsts, steps] = [e.lanes * numberBytes, lengthsOf({ granularity, blocks, columns }, e).deltaIndices * 4];
    const own = sets[s].blocks.reduce((sum, { real }) => sum + real.reduce((n, one) => n + one, 0), 0);
    return {
      rows: granularity,
      lists: blocks,
      columns,
      own,
      firsts,
      steps,
      bytes: blocks * firsts + steps,
      inFull: own * numberBytes,
    };
  });
}

/** The lists of one row as they are stored: their weights, and the zeros that fill them up. */
export function leftLists({ search: { sets } }: Facts) {
  return sets
    .flatMap(({ blocks }) => blocks)
    .filter(({ rows }) => rows.length === 1)
    .map(({ rows: [row], real }) => {
      const weights = real.reduce((sum, one) => sum + one, 0);
      return { row, weights, zeros: real.length - weights };
    })
    .toSorted((a, b) => a.row - b.row);
}

/** The list of one row that is drawn: the longest of few columns whose last turn is not full, else the first with zeros, else the first. */
export function shownLeft({ search: { sets }, min }: Facts) {
  const all = sets.flatMap(({ blocks }) => blocks).filter(({ rows }) => rows.length === 1);
  const filled = all.filter(({ real }) => real.includes(0));
  const few = filled.filter(({ columns: { length } }) => length <= LEFT_SHOWN && length % min > 0);
  const { rows, columns, real } = few.toSorted((a, b) => b.columns.length - a.columns.length)[0] ?? filled[0] ?? all[0];
  return { row: rows[0], columns, real };
}

/** Columns of a list whose turns are read one by one. */
const LEFT_SHOWN = 16;

const wordOf = (name: string, count: number): string => stated`${fact(name, count, 'word')}`.text;

/** Why zeros fill up a list of one row, and to how many. */
export function fillText({ t: { encoded: e }, min }: Facts): string {
  const step = columnStep(e);
  const rule = `Lanes read equally many: zeros, hatched, fill the list up to whole ${wordOf('columns that fill lanes', step)}s.`;
  const isShort = step < min && step === e.lanes;
  return `${rule}${isShort ? ` In the last turn, a lane may read one: ${wordOf('columns that leave together', min)}s are not needed.` : ''}`;
}

/** The steps of all lists of one row, and their bytes in whole words of memory. */
export function leftNotes(f: Facts): readonly string[] {
  const { deltaBits, padding } = f.t.encoded;
  const own = leftLists(f);
  const [weights, zeros] = own.reduce(([a, b], one) => [a + one.weights, b + one.zeros], [0, 0]);
  const bytes = setBytes(f).reduce((sum, one) => sum + (one.rows === 1 ? one.steps : 0), 0);
  const rest = ((weights + zeros) * deltaBits) / 8;
  const words = ` Memory is read in words of ${wordOf('steps of a word', 32 / deltaBits)} steps, rounded up at the end: ${counted(bytes, 'byte')}.`;
  const longest = own.reduce((max, one) => Math.max(max, one.weights + one.zeros), 0);
  const isCut = own.length > new Set(own.map(({ row }) => row)).size;
  return [
    `${own.length === 1 ? 'The one list' : `All ${counted(own.length, 'list')}`}: ${weights} + ${zeros} = ${counted(weights + zeros, 'step')}.${bytes > rest ? words : ''}${isCut ? ` Lists longer than ${longest} are cut.` : ''}`,
    ...(padding.gapValues > 0
      ? [`${capitalised(counted(padding.gapValues, 'stored zero'))} of all bridge wide gaps.`]
      : []),
  ];
}

/** The bytes of all stored zeros. */
export function zerosText({ t, bytes: { zeros } }: Facts): string {
  const each = valueBits(t.encoded) / 8;
  return `All stored zeros: ${countText(zeros / each)} \u00d7 ${each} = ${counted(zeros, 'byte')}.`;
}

export function againstText(bytes: number, inFull: number): string {
  if (bytes === inFull) return 'as many';
  return `${countText(Math.abs(bytes - inFull))} ${bytes > inFull ? 'more' : 'fewer'}`;
}

/** What steps save or cost in all lists. */
export function listsText(before: number, now: NamedFact): Stated {
  const change = fact('bytes that steps change', Math.abs(now.value - before), 'count', ['byte', 'bytes']);
  const full = fact('bytes of column numbers in full', before);
  if (now.value === before) return stated`All lists: *${now}* of column numbers, as many as in full.`;
  const does = now.value < before ? stated`save ${change}` : stated`take ${change} more`;
  return stated`In all lists, steps ${does}: *${now}* of column numbers, not ${full}.`;
}

/** From the bytes of all lists in full to those in steps, kind by kind. */
export function changesText(sets: ReturnType<typeof setBytes>): string {
  const inFull = sets.reduce((sum, one) => sum + one.inFull, 0);
  const now = sets.reduce((sum, one) => sum + one.bytes, 0);
  const changes = sets
    .map((one) => one.bytes - one.inFull)
    .filter((change) => change !== 0)
    .map((change) => ` ${change > 0 ? '+' : '\u2212'} ${countText(Math.abs(change))}`);
  return changes.length === 0
    ? `${counted(now, 'byte')}, as in full.`
    : `In full ${countText(inFull)}: ${countText(inFull)}${changes.join('')} = ${counted(now, 'byte')}.`;
}

/** Why lists in steps are not all shorter. */
export function allListsNotes(f: Facts, inFull: number): readonly string[] {
  const sets = setBytes(f);
  const grow = sets.some((one) => one.bytes > one.inFull);
  const gain = gainText(f, inFull);
  return [
    `Each list begins with ${counted(sets[0].firsts, 'byte')}, ${f.numberBytes} for each lane.${grow ? ' Short lists do not win these back.' : ''}${sets.some(({ rows }) => rows === 1) ? ` What is left over in a row is a list of that row${columnStep(f.t.encoded) < f.min ? ', whose last turn need not be full' : ''}.` : ''}`,
    ...(gain === '' ? [] : [gain]),
  ];
}

/** What steps save and stored zeros cost, where there are both. */
function gainText({ bytes: { columns, zeros } }: Facts, inFull: number): string {
  const saved = inFull - columns;
  if (saved <= 0 || zeros === 0) return '';
  return `Steps save ${counted(saved, 'byte')}, zeros that fill lanes cost ${countText(zeros)}.`;
}

/** The lanes of the whole matrix, where these are more than those that are drawn. */
export function lanesInAll({ t: { encoded: e } }: Facts) {
  return ({ whole }: FrameContext): Stated | null => {
    const { lanes = 0, vectorSize = 0 } = (whole?.params ?? {}) as Partial<EcCsrParams>;
    if (lanes * vectorSize === 0 || (lanes === e.lanes && vectorSize === e.vectorSize)) return null;
    const small = stated`${fact('lanes', e.lanes, 'word', ['lane', 'lanes'])} of ${fact('columns of a lane at once', e.vectorSize, 'word')}`;
    const inAll = stated`${fact('lanes, the matrix', lanes)} of ${fact('columns of a lane at once, the matrix', vectorSize, 'word')}`;
    const together = fact('columns that leave together, the matrix', lanes * vectorSize, 'word');
    return stated`Drawn small: ${small}. The whole matrix: ${inAll}, so whole ${together}s.`;
  };
}

/** The weights that are in no list of several rows, in words. */
export function leftOverText(f: Facts): string {
  const isAgain = f.search.pairs.some(({ level, round, blocks }) => level === 0 && round > 0 && blocks.length > 0);
  const again = isAgain ? 'What is left of a row may find another partner. ' : '';
  const group = stated`${fact('columns that leave together', f.min, 'word')}`.text;
  return lengthOf(singles(f)) === 0
    ? again
    : `${again}Ringed: left over from whole ${group}s, or without a partner. Each keeps its own number.${aloneText(f)}`;
}

/** The lists of several rows and what is left over, as one sum. */
export function inListsText(f: Facts): string {
  const lengths = finalBlocks(f).map(({ columns }) => columns.length);
  const alone = lengthOf(singles(f));
  const left = alone > 0 ? ` + ${alone} left over, ringed` : '';
  const all = lengths.reduce((sum, length) => sum + length, alone);
  return `${lengths.toSorted((a, b) => b - a).join(' + ')}${left} = ${counted(all, 'column number')}.`;
}

const COLUMN_UNIT = ['column', 'columns'] as const;

/** Columns of the whole matrix that a list can be shared for. */
export function sharedInAll(context: FrameContext): Stated | null {
  const shared = wholeFact(context, 'columns of several rows', 'count', ['column is', 'columns are']);
  return shared && shared.value > 0 ? stated`In the whole matrix, ${shared} in more than one row.` : null;
}

/** Why no row shares a list. */
export function nothingText({ best, min, t, rows }: Facts, context: FrameContext): Stated {
  const every = stated`*Every row keeps its list.*`;
  if (t.encoded.maxGranularity === 1) return stated`Blocks of one row: sharing is switched off. ${every}`;
  if (rows < 2) return stated`One row has no partner. *It keeps its own list.*`;
  if (wholeFact(context, 'columns of several rows')?.value === 0) {
    const shared = wholeFact(context, 'columns of several rows', 'Word', COLUMN_UNIT);
    return stated`${shared ?? ''} of the matrix are in two rows. ${every}`;
  }
  if (best === null) return stated`No two rows share a column. ${every}`;
  const max = best.columns.length;
  const needed = fact('columns that leave together', min, 'word', COLUMN_UNIT);
  if (max >= min) return stated`No pair shares ${needed} close enough together. ${every}`;
  return stated`The best two rows share ${fact('columns of the best two rows', max, 'word')}, fewer than ${fact('columns that leave together', min, 'word')}. ${every}`;
}

/** The rows that share no list, where that is because no two of them have enough columns in common. */
function aloneText(f: Facts): string {
  const shared = new Set(finalBlocks(f).flatMap(({ rows }) => Array.from(rows)));
  const alone = Array.from({ length: f.rows }, (_, r) => r).filter((r) => !shared.has(r) && f.columnsOf(r).length > 0);
  const inCommon = (a: number, b: number): number =>
    f.columnsOf(a).filter((column) => f.columnsOf(b).includes(column)).length;
  const few = alone.every((a, i) => alone.slice(i + 1).every((b) => inCommon(a, b) < f.min));
  if (alone.length < 2 || !few) return '';
  return ` ${capitalised(rowsTitle(f, alone))}: under ${wordOf('columns that leave together', f.min)} columns in common, no pair.`;
}

/** 'rows 0, 1', 'rows 0 to 7', '8 rows', 'row 4'. */
export function rowsTitle(f: Pick<Facts, 'rowNumber'>, rows: ArrayLike<number>): string {
  const all = Array.from(rows, f.rowNumber).toSorted((a, b) => a - b);
  if (all.length === 1) return `row ${all[0]}`;
  if (all.length === 2) return `rows ${all.join(', ')}`;
  const isRun = all.every((r, i) => r === all[0] + i);
  return isRun ? `rows ${all[0]} to ${all[all.length - 1]}` : `${all.length} rows`;
}

/** The share of two rows' weights whose columns are in both. */
export function alikeText(f: Facts, { rows: [a, b], columns }: SharedColumns): string {
  const all = f.columnsOf(a).length + f.columnsOf(b).length;
  const both = 2 * columns.length;
  return `Both have a weight in each of these: ${both} of their ${counted(all, 'weight')}, ${shareText(both / all)}.`;
}

/** Whether the columns that leave are the first of those that both rows have. */
export const areFirst = ({ columns, taken }: FirstPair): boolean => taken.every((column, i) => column === columns[i]);

/** Which of the shared columns leave. */
export function takenText(first: FirstPair): string {
  const { taken, left } = first;
  if (left.length === 0) return ' All are taken.';
  return areFirst(first)
    ? ` The first ${countText(taken.length)} are taken.`
    : ` ${countText(taken.length)} are taken: others stay that similar rows lack.`;
}

export const noPairText = ({ min }: Facts): string =>
  `Under ${wordOf('columns that leave together', min)} columns in common: no pair.`;

export const ONLY_EQUALS =
  'Only equals join: a pair never takes a single row. What two pairs do not share stays in the list of a pair.';

/** The lists of the level before that joined to form the largest block; none if it was formed of rows. */
export const joiningLists = ({ largest, search: { levels } }: Facts): readonly Block[] =>
  (levels.at(-2) ?? []).filter((one) => one.rows.length > 1 && one.rows.every((r) => largest?.rows.includes(r)));

/** How lists of several rows came to be, and how many numbers are left after each level. */
export function joinedText(f: Facts, { rows }: Block): string {
  const { numbers, t } = f;
  if (rows.length < 4) return `These ${counted(rows.length, 'row')} have one list now.`;
  const limit = t.encoded.maxGranularity === rows.length ? `; ${counted(rows.length, 'row')} are the most` : '';
  const pale = joiningLists(f).length === 2 ? 'In outline: the two lists that join' : 'In outline: lists of before';
  const rest = f.leftBlock?.othersLack
    ? 'Blue again: what did not join.'
    : 'Columns that only one of them has stay in its own list.';
  const counts = ['pairs', 'fours', 'eights'].slice(0, numbers.levels.length);
  const left = counts.map((what, i) => `${countText(numbers.levels[i])} ${i === 0 ? 'numbers ' : ''}with ${what}`);
  return `${pale}${limit}. ${rest} ${left.join(', ')}.`;
}

/** How lanes begin and what is hatched in the first block, and whether it is a part of a longer list. */
export function lanesText(f: Facts): string {
  const { t, search } = f;
  const [{ rows, columns, real }] = search.sets[0].blocks;
  const ofRows = search.extraction.sets
    .flatMap(({ blocks }) => blocks)
    .filter((one) => one.rows.length === rows.length);
  const own = real.reduce((sum, one) => sum + one, 0);
  const isCut = ofRows.some(
    (one) => one.rows[0] === rows[0] && one.columns.includes(columns[0]) && one.columns.length > own,
  );
  const first = `${f.columnNumber(columns[0])}`;
  return [
    `Each lane begins with a number in full. Each column has a step, the first, too, so that all are read alike: ${first} + 0 = ${first}.`,
    own < columns.length ? 'Hatched: stored zeros, which bridge a gap or fill a lane up.' : '',
    `A gap over ${reachOf(t.encoded)} gets a weight of 0 in between.`,
    isCut ? 'A long list is cut: this is a part.' : '',
  ]
    .filter((one) => one !== '')
    .join(' ');
}

/** The first stored list in steps: what it takes, what it took in full, and the bytes of all column numbers then. */
export function firstStored({ t: { encoded: e }, numbers, numberBytes, search: { sets } }: Facts) {
  const [{ columns, real: isReal }] = sets[0].blocks;
  const real = isReal.reduce((sum, one) => sum + one, 0);
  const [full, firsts, more] = [real * numberBytes, e.lanes * numberBytes, (columns.length * e.deltaBits) / 8];
  const kept = (numbers.levels.at(-1) ?? 0) * numberBytes;
  return { real, full, firsts, more, kept, now: kept - full + firsts + more };
}

/** How large a step is, in words. */
export function stepSize(deltaBits: number): Stated {
  return deltaBits < 8
    ? stated`${fact('bits of a step', deltaBits, 'word', ['bit', 'bits'])}`
    : stated`${fact('bytes of a step', deltaBits / 8, 'word', ['byte', 'bytes'])}`;
}

export const stepBytes = (deltaBits: number): string => (deltaBits < 8 ? '\u00bd' : String(deltaBits / 8));

/** The parts of bookkeeping, in words. */
export function kindsText(sets: ReturnType<typeof setBytes>): string {
  const rows = [...new Set(sets.map((one) => one.rows))];
  const short = rows.length < sets.length ? ' Short lists are kinds of their own.' : '';
  return `Each number has 4 bytes. Lists of equally many rows are one kind, here ${rows.join(', ')}.${short} A list ends where the next begins; the last of a kind needs an end, too. The table has 9 for each kind, in a large matrix, too: there it hardly counts.`;
}

/** Bytes with a list for each row: of the cut, and of the whole matrix where that is larger. */
export function listsAlone({ rows, numbers, numberBytes, bytes, t }: Facts, { whole }: Pick<FrameContext, 'whole'>) {
  const cut = bytes.weights + numbers.start * numberBytes + 4 * (rows + 1);
  if (!whole || whole.ledger.totalBytes <= bytes.total) return { cut };
  const weight = (valueBits(t.encoded) + baseBits(whole)) / 8;
  return { cut, all: whole.nnz * weight + 4 * (whole.rows + 1), own: whole.ledger.totalBytes };
}

const gains = (saved: number): string => (saved > 0 ? 'saves' : 'loses');

/** Whether the cut gains against a list for each row, and how much the whole matrix does. */
export function gainStated(f: Facts, context: FrameContext): Stated {
  const { cut, all, own } = listsAlone(f, context);
  const saved = cut - f.bytes.total;
  const unit = ['byte', 'bytes'] as const;
  if (all === undefined)
    return stated`${f.rows === 1 ? 'This row takes' : 'These rows take'} *${fact('bytes against a list for each row', Math.abs(saved), 'count', unit)} ${saved > 0 ? 'less' : 'more'}* than plain lists.`;
  const by = fact('bytes less than a list for each row, the matrix', Math.abs(all - own), 'count', unit);
  const than = saved > 0 ? '' : ' to plain lists';
  if (saved <= 0 && all <= own) return stated`*This cut loses${than}; the whole matrix, too: ${by}.*`;
  return stated`*This cut ${gains(saved)}${than}; the whole matrix ${gains(all - own)} ${by}.*`;
}

const BOOKS: readonly string[] = ['rowIndices', 'blockPtr', 'sets'];

/** The bookkeeping of the whole matrix. */
export function sharingText(f: Facts, context: FrameContext): Stated | null {
  const { all, own } = listsAlone(f, context);
  if (all === undefined) return null;
  const books = (context.whole?.ledger.entries ?? []).reduce(
    (sum, { array, bytes }) => sum + (BOOKS.includes(array) ? bytes : 0),
    0,
  );
  const stored = fact('bytes, the matrix', own, 'count', ['byte', 'bytes']);
  return stated`In the whole matrix, bookkeeping is ${fact('bytes of bookkeeping, the matrix', books)} of ${stored}.`;
}

/** The share of a row's columns that all rows of its group have, where rows were made to share. */
export const MADE_ALIKE = 0.95;

/**
 * The share of columns in common with a partner: of rows made to share, of a small model, of random rows; before that,
 * whether all or none of the cut's are.
 */
export function realText(f: Facts): string {
  const alone = lengthOf(singles(f));
  const here =
    alone === 0
      ? 'In this cut, all weights share lists. '
      : alone < f.numbers.start
        ? ''
        : 'In this cut, no weights share a list. ';
  const { paired, random, nnz } = sharedPairs.wanda.all;
  return `${here}Columns in common with a partner: rows made to share ${leftText(MADE_ALIKE)}, a small model pruned as usual, by Wanda, ${shareText(paired / nnz)}, random rows ${shareText(random / nnz)}.`;
}

/** Random rows of 8192 × 8192 with a list each, timed as `LargeTimes.random`: docs/measurements/h200-unpaired-rows-2026-11-28.json. */
const UNPAIRED = { rows: 8192, kept: 0.3, ns: 24_837, bytes: 61_684_368, device: 'H200' } as const;

/** Why random rows may be slower than plain lists, although they take fewer bytes; nothing where they are not, or where it was not timed. */
export function chanceText({ main, kept, random, plain }: LargeTimes): string {
  const isTimed = main.rows === UNPAIRED.rows && main.cols === UNPAIRED.rows && kept === UNPAIRED.kept;
  if (!isTimed || !random || !plain || random.ns <= plain.ns) return '';
  return `EC-SpMV without sharing, a list for each random row: ${bytesText(UNPAIRED.bytes)}, ${micros(UNPAIRED.ns)} (${UNPAIRED.device}). So sharing by chance saves bytes, not time. `;
}

/** What the recorded times say, as a headline. */
export function worthText({ planted, random, rival, dense, kept: left }: LargeTimes): Stated {
  const kept = fact('share kept that was timed', left, 'left');
  const limit = (rival ?? dense).ns;
  const than = rival ? '4-bit weights' : 'dense';
  const pays = (time: RecordedTime | null | undefined): boolean => (time?.ns ?? Infinity) < limit;
  if (pays(planted) && random && !pays(random))
    return stated`With ${kept} kept, *only rows made to share columns* beat ${than}.`;
  if (pays(random)) return stated`*Faster than ${than}* with ${kept} kept, even if rows share columns by chance.`;
  if (pays(planted)) return stated`*Faster than ${than} if rows share columns.* Others were not timed.`;
  return planted
    ? stated`*Not worth it here*: rows that share columns lose to ${than}, too.`
    : stated`*Random rows lose* to ${than} with ${kept} kept. Rows that share: not timed.`;
}

/** For whom the recorded times are worth it. */
export function adviceText({ planted, random, rival, dense, kept }: LargeTimes): string {
  const at = `At ${leftText(kept)} kept:`;
  const limit = (rival ?? dense).ns;
  const pays = (time: RecordedTime | null | undefined): boolean => (time?.ns ?? Infinity) < limit;
  if (pays(random)) return `${at} worth it for models pruned as usual, too. `;
  if (pays(planted) && !random) return `${at} worth it where rows were made to share columns. `;
  return `${at} not worth it for models pruned as usual. `;
}

/** The first load of all lanes of the first block, v columns each or one, and the products made with it. */
export function firstLoad({ t: { encoded: e }, infos: [info], search: { sets } }: Facts) {
  const all = blockColumnsInMemory(e, info, 0);
  const columns = all.slice(0, e.lanes * (all.length >= e.lanes * e.vectorSize ? e.vectorSize : 1));
  return { columns, rows: Array.from(sets[0].blocks[0].rows), products: columns.length * info.granularity };
}

/** What was recorded of large matrices of one shape, with as many weights kept as the slider says. */
export interface LargeTimes {
  readonly slider: FrameSlider | null;
  readonly kept: number;
  /** one of them, and its time of dense */
  readonly main: RecordedMatrix;
  readonly dense: RecordedTime;
  /** dense with 4 bits */
  readonly rival: RecordedTime | null;
  /** rows that share columns; null: not timed, absent: with no share kept */
  readonly planted?: RecordedTime | null;
  /** weights at random places */
  readonly random?: RecordedTime | null;
  /** the matrix of `random`, in plain lists */
  readonly plain?: RecordedTime;
}

/** The format that has a plain list for each row. */
const PLAIN = 'csr';

const SHARE = 0.3;

/** Of products with one vector, the largest matrices with about 30 % kept: rows that share, else any; null if there is none. */
export function largeTimes(context: FrameContext): LargeTimes | null {
  const products = (context.recorded?.matrices ?? []).filter(
    ({ operation, tokens, dense }) => operation === 'spmv' && tokens === 1 && dense !== null,
  );
  const timed = (pattern: string): readonly RecordedMatrix[] =>
    products.filter((one) => one.pattern === pattern && one.format !== null);
  const [planted, random] = [timed('planted-blocks'), timed('uniform')];
  const near = ({ density }: RecordedMatrix): boolean => Math.abs(density - SHARE) < 0.02;
  const main = largestOfAll(planted.filter(near)) ?? largestOfAll(random.filter(near));
  if (!main?.dense) return null;
  const alike = ({ rows, cols }: RecordedMatrix): boolean => rows === main.rows && cols === main.cols;
  const all = [...planted, ...random].filter(alike).toSorted((a, b) => a.density - b.density);
  const { slider, chosen = main } = throughKept(context, all, main);
  const kept = askedShare(chosen);
  const atKept = (pattern: string) => all.find((one) => one.pattern === pattern && askedShare(one) === kept);
  const timeOf = (pattern: string): RecordedTime | null | undefined =>
    all.some((one) => one.pattern === pattern) ? (atKept(pattern)?.format ?? null) : undefined;
  const plain = atKept('uniform')?.others?.[PLAIN];
  const [shared, any] = [timeOf('planted-blocks'), timeOf('uniform')];
  return {
    slider,
    kept,
    main,
    dense: main.dense,
    rival: products.find((one) => near(one) && alike(one) && one.dense4)?.dense4 ?? null,
    ...(shared !== undefined && { planted: shared }),
    ...(any !== undefined && { random: any }),
    ...(plain && { plain }),
  };
}

/** Formats are timed with their default parameters, so with weights of 16 bits. */
const TIMED_WEIGHT_BYTES = 2;

/** The share of bytes that are not weights: of the cut, and of the timed matrix whose rows share; null if none was timed. */
export function largeBooksText({ bytes }: Facts, context: FrameContext): string | null {
  const times = largeTimes(context);
  if (!times?.planted) return null;
  const { rows, cols } = times.main;
  const weights = rows * cols * times.kept * TIMED_WEIGHT_BYTES;
  const [here, there] = [1 - bytes.weights / bytes.total, 1 - weights / times.planted.bytes];
  const random = times.random ? `, ${shareText(1 - weights / times.random.bytes)} in random rows` : '';
  return `Not weights: ${shareText(here)} of all bytes here. At ${shapeText(rows, cols)}, timed at the end, ${shareText(there)} where rows were made to share${random}.`;
}

function largestOfAll(all: readonly RecordedMatrix[]): RecordedMatrix | null {
  const cells = ({ rows, cols }: RecordedMatrix): number => rows * cols;
  return all.reduce<RecordedMatrix | null>((best, one) => (best && cells(best) >= cells(one) ? best : one), null);
}
