import { cellUnit, unitText } from '../../../core/story/cell-unit.ts';
import { defaultParams } from '../../../core/format.ts';
import { rowBuffer } from '../../../core/matrix/index.ts';
import {
  type FrameContext,
  type FrameSlider,
  type RecordedMatrix,
  type RecordedTime,
  wholeFact,
} from '../../../core/story/frames.ts';
import { leftText, shareText } from '../../../core/story/rounded.ts';
import { fact, type Stated, stated } from '../../../core/story/stated.ts';
import { counted, countText, listText, shapeText } from '../../../core/story/words.ts';
import sharedPairs from '../../../theory/shared-pairs.json';
import { wholePercent, throughKept } from '../../../core/story/flow/verdict.ts';
import { stepEncoded } from '../../../core/declared/story/trace.ts';
import type { Block } from '../extract.ts';
import { encoding } from '../encoding.ts';
import { baseBits, blockColumnsInMemory, setInfos, lengthsOf } from '../layout.ts';
import { blockColumns, columnStep, params, reachOf, type EcCsrParams, valueBits } from '../params.ts';
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
  const first = firstOf(search, largest);
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
function firstOf({ pairs, levels }: Search, largest: Block | null): FirstPair | null {
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
  };
}

/** How many numbers other pairs have in common with the first one that joins another, beside the first rows of these. */
export function pairsInCommon(f: Facts) {
  const { pairs, levels } = f.search;
  const tried = pairs.filter(({ level, round }) => level === 1 && round === 0);
  const at = tried.findIndex(({ blocks }) => blocks.length > 0);
  if (at < 0) return null;
  const { unit, partner } = tried[at];
  const own = levels[1][unit];
  const taken = tried.slice(0, at).map((one) => one.partner);
  const free = levels[1].filter((_, i) => i > unit && !taken.includes(i));
  const counts = new Map(
    free.map(({ rows, columns }) => [rows[0], columns.filter((c) => own.columns.includes(c)).length]),
  );
  if (counts.size < free.length) return null;
  return {
    counts,
    strong: [...own.rows, ...levels[1][partner].rows],
    said: `Right: numbers in common with the list of ${rowsTitle(f, own.rows)}; that was the last frame. `,
  };
}

/** How many columns the rows below one share with it, of those that no pair has taken before. */
export function sharedBelow({ search, first, rows, columnsOf }: Facts, row: number): ReadonlyMap<number, number> {
  const before = first ? search.pairs.slice(0, search.pairs.indexOf(first.pair)) : [];
  const taken = before.map(({ partner }) => search.levels[0][partner].rows[0]);
  const below = Array.from({ length: rows }, (_, r) => r).filter((r) => r > row && !taken.includes(r));
  const own = new Set(columnsOf(row));
  return new Map(below.map((r) => [r, columnsOf(r).filter((column) => own.has(column)).length]));
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
    const steps = lengthsOf({ granularity, blocks, columns }, e).deltaIndices * 4;
    const own = sets[s].blocks.reduce((sum, { real }) => sum + real.reduce((n, one) => n + one, 0), 0);
    return { rows: granularity, lists: blocks, steps, inFull: own * numberBytes };
  });
}

/** The zeros that fill up lists of one row. */
export const zerosLeft = ({ search: { sets } }: Facts): number =>
  sets
    .flatMap(({ blocks }) => blocks)
    .reduce((sum, { rows, real }) => sum + (rows.length === 1 ? real.filter((one) => one === 0).length : 0), 0);

/** The list of one row that is drawn: the first with zeros, else the first. */
export function shownLeft({ search: { sets } }: Facts) {
  const all = sets
    .flatMap(({ blocks }, set) => blocks.map((one, block) => ({ ...one, set, block, row: one.rows[0] })))
    .filter(({ rows }) => rows.length === 1);
  return all.find(({ real }) => real.includes(0)) ?? all[0];
}

/** Whether rows share lists, and what is left over is in lists that need not be of whole turns. */
export const hasShortLists = ({ largest, min, t, search: { sets } }: Facts): boolean =>
  largest !== null && columnStep(t.encoded) < min && (sets.at(-1)?.blocks.at(-1)?.rows.length ?? 0) === 1;

const wordOf = (name: string, count: number): string => stated`${fact(name, count, 'word')}`.text;

/** Why lists of one row are not cut to whole groups of columns. */
export const shortText = (f: Facts): string =>
  `Only shared lists are whole ${wordOf('columns that leave together', f.min)}s: what is left over in a row is shorter.`;

/** Why zeros fill up a list of one row, and to how many. */
export function fillText(f: Facts): string {
  const step = columnStep(f.t.encoded);
  const isShort = step < f.min && step === f.t.encoded.lanes;
  const rule = `Lanes read equally many: zeros, hatched, fill the list up to whole ${wordOf('columns that fill lanes', step)}s.`;
  const last = `In its last turn, a lane may read one: ${wordOf('columns that leave together', f.min)}s are not needed.`;
  return [zerosLeft(f) > 0 ? rule : '', isShort ? last : ''].join(' ').trim();
}

/** The bytes of all stored zeros. */
export function zerosText({ t, bytes: { zeros } }: Facts): string {
  const each = valueBits(t.encoded) / 8;
  return `All stored zeros: ${countText(zeros / each)} \u00d7 ${each} = ${counted(zeros, 'byte')}.`;
}

/** How many more or fewer bytes than in full. */
export function againstText(bytes: number, inFull: number): string {
  if (bytes === inFull) return 'as many';
  return `${countText(Math.abs(bytes - inFull))} ${bytes > inFull ? 'more' : 'fewer'}`;
}

/** The bytes of all lists in steps, and in full. */
export function allListsText(f: Facts): string {
  const sets = setBytes(f);
  const [count, steps, inFull] = (['lists', 'steps', 'inFull'] as const).map((part) =>
    sets.reduce((sum, one) => sum + one[part], 0),
  );
  const { columns } = f.bytes;
  const { lanes } = f.t.encoded;
  const firsts = `${countText(count)} \u00d7 ${counted(lanes, 'lane')} \u00d7 ${counted(f.numberBytes, 'byte')}`;
  const sum = `${firsts} + ${counted(steps, 'byte')} of steps = ${counted(columns, 'byte')}`;
  const shared = sets.reduce((n, { rows, lists }) => n + (rows > 1 ? lists : 0), 0);
  const isMixed = shared > 0 && shared < count;
  const all = isMixed
    ? `${counted(shared, 'shared list')} + ${count - shared} of one row = ${counted(count, 'list')}`
    : counted(count, 'list');
  return `${all}. ${sum}; in full, ${countText(inFull)}.${columns > inFull ? ' Short lists take more.' : ''}`;
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
    : `${again}Ringed: beyond whole ${group}s, or its column is not in the partner row. A row without a partner keeps its list.`;
}

/** The lists of several rows and what is left over, as one sum. */
export function inListsText(f: Facts): string {
  const lengths = finalBlocks(f).map(({ columns }) => columns.length);
  const alone = lengthOf(singles(f));
  const left = alone > 0 ? ` + ${alone} left over` : '';
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

/** 'rows 0, 1', 'rows 0 to 7', '8 rows', 'row 4'. */
export function rowsTitle(f: Pick<Facts, 'rowNumber'>, rows: ArrayLike<number>): string {
  const all = Array.from(rows, f.rowNumber).toSorted((a, b) => a - b);
  if (all.length === 1) return `row ${all[0]}`;
  if (all.length === 2) return `rows ${all.join(', ')}`;
  const isRun = all.every((r, i) => r === all[0] + i);
  return isRun ? `rows ${all[0]} to ${all[all.length - 1]}` : `${all.length} rows`;
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

/** Why what two pairs do not share stays with a pair. */
export const ONLY_EQUALS =
  'Only lists of equally many rows join. What two pairs do not share stays in a list of a pair.';

/** The lists of the level before that joined to form the largest block; none if it was formed of rows. */
export const joiningLists = ({ largest, search: { levels } }: Facts): readonly Block[] =>
  (levels.at(-2) ?? []).filter((one) => one.rows.length > 1 && one.rows.every((r) => largest?.rows.includes(r)));

/** 'Columns 7 and 14 are'. */
function theseColumns(f: Facts, { columns }: Block): string {
  const all = listText(Array.from(columns, (c) => String(f.columnNumber(c))));
  return columns.length === 1 ? `Column ${all} is` : `Columns ${all} are`;
}

/** How the largest list came to be. */
export function joinedText(f: Facts, { rows }: Block): string {
  if (rows.length < 4) return `These ${counted(rows.length, 'row')} have one list now.`;
  const max = f.t.encoded.maxGranularity === rows.length ? ` No list has more than ${rows.length} rows.` : '';
  const before = joiningLists(f).length === 2 ? 'the two lists that join' : 'lists of before';
  const rest = f.leftBlock?.othersLack
    ? `${theseColumns(f, f.leftBlock.block)} only in ${rowsTitle(f, f.leftBlock.block.rows)}, pale: they wait.`
    : 'Columns that only one of them has stay in its own list.';
  return `In outline: what ${before} have in common. ${rest}${max}`;
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
    `Here: the list of ${rowsTitle(f, rows)}.`,
    `Each column has a step, the first, too, so that all are read alike: ${first}\u00a0+\u00a00\u00a0=\u00a0${first}.`,
    own < columns.length
      ? `Hatched: stored zeros, which bridge a gap over ${reachOf(t.encoded)} or fill a lane up.`
      : '',
    isCut ? 'A long list is cut: this is a part.' : '',
  ]
    .filter((one) => one !== '')
    .join(' ');
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
  return `Lists of equally many rows are one kind, here ${rows.join(', ')}.${short} A list ends where the next begins; the last of a kind needs an end, too. The table: nine numbers a kind, how many and where.`;
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
  if (all === undefined) {
    const large = saved > 0 ? null : largeBytes(context);
    const less = large && large.own < large.all ? ' A large matrix takes fewer.' : '';
    return stated`${f.rows === 1 ? 'This row takes' : 'These rows take'} *${fact('bytes against a list for each row', Math.abs(saved), 'count', unit)} ${saved > 0 ? 'less' : 'more'}* than plain lists.${less}`;
  }
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

/** The share of columns in common with a partner: of rows made to share, of random rows, of a small model. */
export function realText(): string {
  const { paired, random, nnz } = sharedPairs.wanda.all;
  return `A generator made rows share ${leftText(MADE_ALIKE)} of their columns with a partner. Random rows share ${shareText(random / nnz)}, rows of a small real model ${shareText(paired / nnz)}.`;
}

/** Says that the reason is not measured, where fewer bytes took longer. */
export function slowerText({ random, plain }: LargeTimes): string {
  if (!random || !plain || random.bytes >= plain.bytes || random.ns <= plain.ns) return '';
  return ' Why fewer bytes than plain lists took longer is not measured.';
}

/** The lanes that were timed: those of the default parameters. */
const TIMED = defaultParams(params);
export const timedLanes = ` Timed with ${TIMED.lanes} lanes of ${TIMED.vectorSize}: lists of whole ${TIMED.lanes * TIMED.vectorSize}s.`;

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
export function adviceText({ planted, random, rival, dense, kept, payingRandom }: LargeTimes): string {
  const at = `At ${leftText(kept)} kept:`;
  const below =
    payingRandom === null
      ? ''
      : ` At ${leftText(payingRandom)} kept, random rows beat ${rival ? '4-bit weights' : 'dense'}.`;
  const limit = (rival ?? dense).ns;
  const pays = (time: RecordedTime | null | undefined): boolean => (time?.ns ?? Infinity) < limit;
  if (pays(random)) return `${at} worth it for ordinary models, too. `;
  if (pays(planted) && !random) return `${at} worth it where rows were made to share columns. `;
  return `${at} not worth it for ordinary models.${below} `;
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
  /** the same matrix in plain lists */
  readonly plain?: RecordedTime;
  /** the largest share kept at which random weights are faster than 4 bits; null: none was timed */
  readonly payingRandom: number | null;
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
  const kept = wholePercent(chosen);
  const atKept = (pattern: string) => all.find((one) => one.pattern === pattern && wholePercent(one) === kept);
  const timeOf = (pattern: string): RecordedTime | null | undefined =>
    all.some((one) => one.pattern === pattern) ? (atKept(pattern)?.format ?? null) : undefined;
  const plain = atKept('uniform')?.others?.[PLAIN];
  const rival = products.find((one) => near(one) && alike(one) && one.dense4)?.dense4 ?? null;
  const limit = (rival ?? main.dense).ns;
  const paying = all.filter(({ pattern, format }) => pattern === 'uniform' && (format?.ns ?? Infinity) < limit).at(-1);
  const [shared, any] = [timeOf('planted-blocks'), timeOf('uniform')];
  return {
    slider,
    kept,
    main,
    dense: main.dense,
    rival,
    payingRandom: paying ? wholePercent(paying) : null,
    ...(shared !== undefined && { planted: shared }),
    ...(any !== undefined && { random: any }),
    ...(plain && { plain }),
  };
}

/** A timed matrix of random rows in this format and in plain lists; null if none was timed in both. */
export function largeBytes(context: FrameContext) {
  const times = largeTimes(context);
  if (!times?.random || !times.plain) return null;
  const { main, kept, plain, random } = times;
  const what = `${shapeText(main.rows, main.cols)}, random rows, ${leftText(kept)} kept`;
  return { what, all: plain.bytes, own: random.bytes };
}

function largestOfAll(all: readonly RecordedMatrix[]): RecordedMatrix | null {
  const cells = ({ rows, cols }: RecordedMatrix): number => rows * cols;
  return all.reduce<RecordedMatrix | null>((best, one) => (best && cells(best) >= cells(one) ? best : one), null);
}
