import { cellUnit, unitText } from '../../../core/story/cell-unit.ts';
import type { StorageLedger } from '../../../core/encoded/ledger.ts';
import { rowBuffer } from '../../../core/matrix/index.ts';
import {
  type FrameContext,
  type FrameSlider,
  type RecordedMatrix,
  type RecordedTime,
  wholeFact,
} from '../../../core/story/frames.ts';
import { leftText } from '../../../core/story/rounded.ts';
import { fact, type Stated, stated } from '../../../core/story/stated.ts';
import { counted, countText, shapeText } from '../../../core/story/words.ts';
import { wholePercent, throughKept } from '../../../core/story/flow/verdict.ts';
import { stepEncoded } from '../../../core/declared/story/trace.ts';
import type { Block } from '../extract.ts';
import { encoding } from '../encoding.ts';
import { baseBits, blockColumnsInMemory, setInfos } from '../layout.ts';
import { blockColumns, reachOf, type EcCsrParams, valueBits } from '../params.ts';
import { type EcCsrTrace, type Pair, type Search, searchOf, spanOfBlock } from './levels.ts';

/** Two rows, and the columns that both have. */
interface SharedColumns {
  readonly rows: readonly [number, number];
  readonly columns: readonly number[];
}

/** The first pair of rows in the story; of its columns, those that go to blocks (`taken`), and others (`left`). */
export interface FirstPair extends SharedColumns {
  readonly pair: Pair;
  readonly taken: readonly number[];
  readonly left: readonly number[];
}

/** A block inside the largest: of some of its rows. */
export interface InnerBlock {
  readonly block: Block;
  /** none of the other rows of the largest block has any of these columns */
  readonly othersLack: boolean;
}

/** What the frames say and draw of a window, the part of a matrix that the story shows. */
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
  const has = columns.map((own) => new Set(own));
  const common = (a: number, b: number): readonly number[] => columns[a].filter((col) => has[b].has(col));
  const best = bestOf(rows, common);
  const largest = largestOf(search);
  const first = firstOf(search, largest);
  const { entries, totalBytes } = encoding.storage(encoded);
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
    innerBlock: largest && innerBlockOf(search, largest, has),
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
    /** columns with a weight in all rows, if there are two or more; and in all rows of the largest block */
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
function purposesOf(entries: StorageLedger['entries'], weights: number): Purposes {
  const bytesOf = (...names: readonly string[]): number =>
    entries.reduce((sum, { array, bytes }) => sum + (names.includes(array) ? bytes : 0), 0);
  return {
    weights,
    zeros: bytesOf('values') - weights,
    columns: bytesOf('baseIndices', 'deltaIndices'),
    bookkeeping: bytesOf('rowIndices', 'blockPtr', 'sets'),
  };
}

export const totalOf = ({ weights, zeros, columns, bookkeeping }: Purposes): number =>
  weights + zeros + columns + bookkeeping;

/** The two rows that share the most columns; null if none share any. */
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

/** The first round's pair that shares most and gives a block; if possible one inside the largest block. */
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

/** How many columns each row below `row` shares with it; without rows that an earlier pair has taken. */
export function sharedBelow({ search, first, rows, columnsOf }: Facts, row: number): ReadonlyMap<number, number> {
  const before = first ? search.pairs.slice(0, search.pairs.indexOf(first.pair)) : [];
  const taken = before.map(({ partner }) => search.levels[0][partner].rows[0]);
  const below = Array.from({ length: rows }, (_, r) => r).filter((r) => r > row && !taken.includes(r));
  const own = new Set(columnsOf(row));
  return new Map(below.map((r) => [r, columnsOf(r).filter((column) => own.has(column)).length]));
}

/** The block of the last level with the most columns; null if no two rows form one. */
function largestOf({ levels }: Search): Block | null {
  if (levels.length === 1) return null;
  return levels[levels.length - 1].reduce((best, one) => (best.columns.length >= one.columns.length ? best : one));
}

/** The largest of the blocks with fewer of these rows; if possible one whose columns the other rows lack. */
function innerBlockOf({ extraction }: Search, { rows }: Block, has: readonly ReadonlySet<number>[]): InnerBlock | null {
  const inside = new Set(rows);
  const found = extraction.sets
    .filter(({ granularity }) => granularity > 1 && granularity < rows.length)
    .flatMap(({ blocks }) => blocks)
    .filter((block) => block.rows.every((row) => inside.has(row)))
    .map((block): InnerBlock => {
      const others = Array.from(rows).filter((row) => !block.rows.includes(row));
      return { block, othersLack: others.every((row) => block.columns.every((col) => !has[row].has(col))) };
    });
  const weight = ({ block, othersLack }: InnerBlock): number =>
    (othersLack ? 1e8 : 0) + block.rows.length * 1e4 + block.columns.length;
  return found.reduce<InnerBlock | null>((best, one) => (best && weight(best) >= weight(one) ? best : one), null);
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

/** Stored blocks of several rows; and of single rows, with the columns that are left over. */
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

/** How many zeros fill up lists of one row. */
export const zerosLeft = ({ search: { sets } }: Facts): number =>
  sets
    .flatMap(({ blocks }) => blocks)
    .reduce((sum, { rows, real }) => sum + (rows.length === 1 ? real.filter((one) => one === 0).length : 0), 0);

/** The list of one row to draw: the first with zeros, else the first. */
export function rowListToDraw({ search: { sets } }: Facts) {
  const all = sets
    .flatMap(({ blocks }, set) => blocks.map((one, block) => ({ ...one, set, block, row: one.rows[0] })))
    .filter(({ rows }) => rows.length === 1);
  return all.find(({ real }) => real.includes(0)) ?? all[0];
}

/** A count in words, 'four'; `name`: what is counted. */
const wordOf = (name: string, count: number): string => stated`${fact(name, count, 'word')}`.text;

export const FILLED = 'Each part has equally many columns, so zeros, hatched, fill up the list.';

export function zerosText({ t, bytes: { zeros } }: Facts): string {
  const each = valueBits(t.encoded) / 8;
  return `All stored zeros: ${countText(zeros / each)} \u00d7 ${each} = ${counted(zeros, 'byte')}.`;
}

/** How many column numbers a GPU reads at a time in the whole matrix, where the window has another number. */
export function lanesInAll({ min }: Facts) {
  return ({ whole }: FrameContext): Stated | null => {
    const { lanes = 0, vectorSize = 0 } = (whole?.params ?? {}) as Partial<EcCsrParams>;
    if (lanes * vectorSize === 0 || lanes * vectorSize === min) return null;
    const together = fact('columns that leave together, the matrix', lanes * vectorSize, 'word', ['number', 'numbers']);
    return stated`Drawn small: in the whole matrix, a GPU reads ${together} at a time.`;
  };
}

/** Why weights are in no list of several rows. */
export function leftOverText(f: Facts): string {
  const alone = singles(f).filter(({ columns }) => columns.length > 0);
  if (alone.length === 0) return '';
  const hasPartner = (row: number): boolean => f.search.levels[1].some(({ rows }) => rows.includes(row));
  const isPaired = alone.every(({ rows }) => hasPartner(rows[0]));
  const lacks = isPaired ? 'Their columns are not in the partner row' : 'Their columns are not in a partner row';
  return `${lacks}, or did not fill a ${wordOf('columns that leave together', f.min)}.`;
}

const COLUMN_UNIT = ['column', 'columns'] as const;

/** How many columns of the whole matrix are in more than one row. */
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

/** The lists of the level before that joined to form the largest block; none if it was formed of rows. */
export const joiningLists = ({ largest, search: { levels } }: Facts): readonly Block[] =>
  (levels.at(-2) ?? []).filter((one) => one.rows.length > 1 && one.rows.every((r) => largest?.rows.includes(r)));

/** The block of columns that only one of two joining lists has; null where a question about it has no plain answer. */
export function ownColumns(f: Facts): Block | null {
  const joining = joiningLists(f);
  if (joining.length !== 2 || !f.innerBlock?.othersLack) return null;
  const { block } = f.innerBlock;
  const isOf = (one: Block): boolean =>
    hasRows(one, block) && block.columns.every((column) => one.columns.includes(column));
  return joining.some(isOf) ? block : null;
}

export const hasRows = ({ rows }: Block, other: Block): boolean =>
  rows.length === other.rows.length && other.rows.every((row) => rows.includes(row));

/** How many numbers a thread reads at a time. */
export function threadsText({ t: { encoded } }: Facts): string {
  const reads = stated`${fact('columns of a lane at once', encoded.vectorSize, 'word', ['number', 'numbers'])}`.text;
  const drawn = encoded.lanes > LANES_SHOWN ? ` ${LANES_SHOWN} of them are drawn.` : '';
  const all = wordOf('lanes', encoded.lanes);
  return `Each of ${all} GPU threads has a part of the list and reads ${reads} of it at a time.${drawn}`;
}

/** Which zeros the first block has, and whether it is one piece of a block. */
export function partsText({ t, search }: Facts): string {
  const [{ rows, columns, real }] = search.sets[0].blocks;
  const ofRows = search.extraction.sets
    .flatMap(({ blocks }) => blocks)
    .filter((one) => one.rows.length === rows.length);
  const own = real.reduce((sum, one) => sum + one, 0);
  const isCut = ofRows.some(
    (one) => one.rows[0] === rows[0] && one.columns.includes(columns[0]) && one.columns.length > own,
  );
  return [
    own < columns.length ? `Hatched zeros bridge a gap over ${reachOf(t.encoded)} or fill up a part.` : '',
    isCut ? 'A long list is cut, and this is one piece.' : '',
  ]
    .filter((one) => one !== '')
    .join(' ');
}

/** The bytes of all column numbers with deltas (steps), list by list where these are few, and without. */
export function numberBytesText({ t, search, numbers, numberBytes, bytes }: Facts): string {
  const { lanes, deltaBits } = t.encoded;
  const blocks = search.sets.flatMap((set) => set.blocks);
  const ofList = ({ columns }: { readonly columns: ArrayLike<number> }): number =>
    lanes * numberBytes + (columns.length * deltaBits) / 8;
  const shared = blocks.filter(({ rows }) => rows.length > 1).map(ofList);
  const alone = blocks.filter(({ rows }) => rows.length === 1).reduce((sum, one) => sum + ofList(one), 0);
  const terms = [
    shared.length > 0 ? `${shared.map(countText).join(' + ')} shared` : '',
    alone > 0 ? `${countText(alone)} left over` : '',
  ].filter((one) => one !== '');
  const before = numberBytes * (numbers.levels.at(-1) ?? numbers.start);
  const addends = alone > 0 ? [...shared, alone] : shared;
  const isSum = shared.length <= LISTS_SHOWN && addends.reduce((sum, one) => sum + one, 0) === bytes.columns;
  const sum = isSum && addends.length > 1 ? `${terms.join(' + ')} = ` : '';
  const all = `${counted(bytes.columns, 'byte')}${sum === '' ? ' of column numbers' : ''}`;
  return `${sum}${all}; without steps ${countText(before)}.`;
}

/** Lists of a picture or a sum, at most. */
export const LISTS_SHOWN = 4;

/** Most lanes of a list that are drawn. */
export const LANES_SHOWN = 4;

/** The size of a delta, in words: bits or bytes. */
export function stepSize(deltaBits: number): Stated {
  return deltaBits < 8
    ? stated`${fact('bits of a step', deltaBits, 'word', ['bit', 'bits'])}`
    : stated`${fact('bytes of a step', deltaBits / 8, 'word', ['byte', 'bytes'])}`;
}

/** Bytes of a delta, as text. */
export const stepBytes = (deltaBits: number): string => (deltaBits < 8 ? '\u00bd' : String(deltaBits / 8));

/** Bytes with a list for each row, and where each list begins. */
const plainBytes = (rows: number, nnz: number, weight: number, number: number): Purposes => ({
  weights: nnz * weight,
  zeros: 0,
  columns: nnz * number,
  bookkeeping: 4 * (rows + 1),
});

/** Bytes of a matrix with a list for each row (`plain`), and in EC-CSR (`own`). */
interface TwoWays {
  readonly what: string;
  readonly plain: Purposes;
  readonly own: Purposes;
}

/** 8192 × 8192 random weights with seed 1, 30 % kept, with the default parameters; few stored zeros count as weights. */
export const LARGE: TwoWays = {
  what: `${shapeText(8192, 8192)}, random rows, ${leftText(0.3)} kept`,
  plain: plainBytes(8192, 20_138_765, 2, 2),
  own: { weights: 40_531_712, zeros: 0, columns: 15_429_632, bookkeeping: 324_576 },
};

/** The bytes of the window (`cut`) and of the whole matrix or, where that is no larger, of `LARGE`. */
export function twoWays({ rows, numbers, numberBytes, bytes, t }: Facts, { whole }: Pick<FrameContext, 'whole'>) {
  const weight = valueBits(t.encoded) / 8;
  const cut: TwoWays = {
    what: 'these rows',
    plain: plainBytes(rows, numbers.start, weight, numberBytes),
    own: bytes,
  };
  if (!whole || whole.ledger.totalBytes <= bytes.total) return { cut, larger: LARGE };
  const larger: TwoWays = {
    what: `the whole matrix, ${shapeText(whole.rows, whole.cols)}`,
    plain: plainBytes(whole.rows, whole.nnz, weight, baseBits(whole) / 8),
    own: purposesOf(whole.ledger.entries, whole.nnz * weight),
  };
  return { cut, larger };
}

const savedBy = ({ plain, own }: TwoWays): number => totalOf(plain) - totalOf(own);
const gains = (saved: number): string => (saved > 0 ? 'saves' : 'loses');

/** How many bytes the window saves or loses against a list for each row, and the whole matrix. */
export function gainStated(f: Facts, context: FrameContext): Stated {
  const { cut, larger } = twoWays(f, context);
  const saved = savedBy(cut);
  const unit = ['byte', 'bytes'] as const;
  if (larger === LARGE) {
    const less = saved > 0 ? '' : '; a large matrix takes fewer';
    return stated`${f.rows === 1 ? 'This row takes' : 'These rows take'} *${fact('bytes against a list for each row', Math.abs(saved), 'count', unit)} ${saved > 0 ? 'less' : 'more'}* than plain lists${less}.`;
  }
  const inAll = savedBy(larger);
  const by = fact('bytes less than a list for each row, the matrix', Math.abs(inAll), 'count', unit);
  const than = saved > 0 ? '' : ' to plain lists';
  if (saved <= 0 && inAll <= 0) return stated`*This cut loses${than}, and so does the whole matrix: ${by}.*`;
  return stated`*This cut ${gains(saved)}${than}, ${saved > 0 === inAll > 0 ? 'and' : 'but'} the whole matrix ${gains(inAll)} ${by}.*`;
}

/** Why random rows and those of a real model gain nothing; undefined where random ones gain, or were not timed. */
export function sharingText({ random, plain, rival, dense }: LargeTimes): string | undefined {
  if (!random || random.ns < (rival ?? dense).ns) return undefined;
  const costs =
    'Fewer bytes are read, but a row in several lists has several sums to add. Random rows share too little to pay for that. ';
  return `${plain && plain.ns < random.ns ? costs : ''}Rows of a real model share hardly more than random ones.`;
}

/** What the recorded times say, as a headline. */
export function worthText({ planted, random, plain, rival, dense, kept: left }: LargeTimes): Stated {
  const kept = fact('share kept that was timed', left, 'left');
  const limit = (rival ?? dense).ns;
  const than = rival ? '4-bit rounding' : 'dense';
  const pays = (time: RecordedTime | null | undefined): boolean => (time?.ns ?? Infinity) < limit;
  if (pays(planted) && random && !pays(random)) {
    const unless = 'unless rows were made to share columns';
    return plain && plain.ns < random.ns
      ? stated`With ${kept} kept, *plain lists are faster*, ${unless}.`
      : stated`*Not worth it with ${kept} kept*, ${unless}.`;
  }
  if (pays(random)) return stated`*Faster than ${than} with ${kept} kept*, even if rows share columns by chance.`;
  if (pays(planted)) return stated`*Faster than ${than} if rows share columns.* Others were not timed.`;
  return planted
    ? stated`*Not worth it here*: rows that share columns lose to ${than}, too.`
    : stated`*Random rows lose* to ${than} with ${kept} kept. Rows that share: not timed.`;
}

/** The first load of all lanes of the first block, v columns each or one, and the products made with it. */
export function firstLoad({ t: { encoded: e }, infos: [info], search: { sets } }: Facts) {
  const all = blockColumnsInMemory(e, info, 0);
  const columns = all.slice(0, e.lanes * (all.length >= e.lanes * e.vectorSize ? e.vectorSize : 1));
  return { columns, rows: Array.from(sets[0].blocks[0].rows), products: columns.length * info.granularity };
}

/** Recorded times of large matrices of one shape, at the density that the slider chooses. */
export interface LargeTimes {
  readonly slider: FrameSlider | null;
  readonly kept: number; // from 0 to 1
  /** one of the matrices, and its time of dense */
  readonly main: RecordedMatrix;
  readonly dense: RecordedTime;
  /** dense with 4 bits */
  readonly rival: RecordedTime | null;
  /** rows that share columns; null: not timed at this density; absent: at none */
  readonly planted?: RecordedTime | null;
  /** weights at random places */
  readonly random?: RecordedTime | null;
  /** the same matrix in plain lists */
  readonly plain?: RecordedTime;
}

/** The format that has a plain list for each row. */
const PLAIN = 'csr';

const DENSITY = 0.3;

/** Times of y = A x for the largest matrices, chosen at about 30 % kept: rows that share, else random; null if none. */
export function largeTimes(context: FrameContext): LargeTimes | null {
  const products = (context.recordedTimes?.matrices ?? []).filter(
    ({ operation, tokens, dense }) => operation === 'spmv' && tokens === 1 && dense !== null,
  );
  const timed = (pattern: string): readonly RecordedMatrix[] =>
    products.filter((one) => one.pattern === pattern && one.format !== null);
  const [planted, random] = [timed('planted-blocks'), timed('uniform')];
  const near = ({ density }: RecordedMatrix): boolean => Math.abs(density - DENSITY) < 0.02;
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
  const [shared, any] = [timeOf('planted-blocks'), timeOf('uniform')];
  return {
    slider,
    kept,
    main,
    dense: main.dense,
    rival,
    ...(shared !== undefined && { planted: shared }),
    ...(any !== undefined && { random: any }),
    ...(plain && { plain }),
  };
}

function largestOfAll(all: readonly RecordedMatrix[]): RecordedMatrix | null {
  const cells = ({ rows, cols }: RecordedMatrix): number => rows * cols;
  return all.reduce<RecordedMatrix | null>((best, one) => (best && cells(best) >= cells(one) ? best : one), null);
}
