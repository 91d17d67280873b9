import { type FrameContext, wholeFact } from '../../../story/frames.ts';
import { fact, type Stated, stated } from '../../../core/text/stated.ts';
import { capitalised, counted, countText, listText } from '../../../core/text/words.ts';
import { SET_FIELDS } from '../layout.ts';
import { reachOf, type EcCsrParams, valueBits } from '../params.ts';
import { bytesOfList, type Facts, lengthOf, singles, stepSums, LANES_SHOWN } from './facts.ts';

/* Texts below the pictures of the EC-SpMV story, with numbers of the window. */

/** A count in words, 'four'; `name`: what is counted. */
const wordOf = (name: string, count: number): string => stated`${fact(name, count, 'word')}`.text;

/** Why a list has stored zeros; `real`: 1 for a weight, 0 for a stored zero. */
export function filledText({ t }: Pick<Facts, 't'>, real: Uint8Array): string {
  const last = real.lastIndexOf(1);
  const isZero = (_: number, i: number): boolean => real[i] === 0;
  const bridging = real.subarray(0, last).filter(isZero).length;
  // What fills up a part comes after the last weight.
  const filling = real.length - 1 - last;
  if (bridging === 0)
    return filling === 1
      ? 'Each thread has equally many columns, so a zero, hatched, fills up the list.'
      : 'Each thread has equally many columns, so zeros, hatched, fill up the list.';
  const zeros = bridging === 1 ? 'A hatched zero bridges' : 'Hatched zeros bridge';
  const fills = filling === 1 ? ', and one fills up a part' : filling > 1 ? `, and ${filling} fill up parts` : '';
  return `${zeros} a gap over ${reachOf(t.encoded)}${fills}.`;
}

/** The bytes of all stored zeros: 'All stored zeros: 3 × 2 = 6 bytes.' */
export function zerosText({ bytes: { zeros }, t }: Facts): string {
  const each = valueBits(t.encoded) / 8;
  return `All stored zeros: ${countText(zeros / each)} \u00d7 ${each} = ${counted(zeros, 'byte')}.`;
}

/** The number of threads of the whole matrix, and of column numbers in each read; null if the drawing has the same. */
function threadsInAll({ t }: Facts, { wholeMatrix }: FrameContext) {
  const { lanes = 0, vectorSize = 0 } = (wholeMatrix?.params ?? {}) as Partial<EcCsrParams>;
  const isAsDrawn = lanes === t.encoded.lanes && vectorSize === t.encoded.vectorSize;
  return lanes * vectorSize === 0 || isAsDrawn ? null : { lanes, vectorSize };
}

/** Whether the drawing has other numbers of threads or of column numbers in a read than the whole matrix. */
export const isDrawnSmall = (f: Facts, context: FrameContext): boolean => threadsInAll(f, context) !== null;

/** A text about the threads of the whole matrix and their reads, if the drawing has fewer; else null. */
export function lanesInAll(f: Facts) {
  return (context: FrameContext): Stated | null => {
    const matrixThreads = threadsInAll(f, context);
    if (!matrixThreads) return null;
    const threads = fact('lanes, the matrix', matrixThreads.lanes, 'count', ['thread', 'threads']);
    const each = fact('columns of a lane at once, the matrix', matrixThreads.vectorSize, 'count', [
      'number',
      'numbers',
    ]);
    return stated`The drawing is smaller. In the whole matrix, on a GPU: ${threads}, ${each} at a time.`;
  };
}

/** Why weights are in no list of several rows. */
export function leftOverText(f: Facts): string {
  const leftOver = singles(f).filter(({ columns }) => columns.length > 0);
  if (leftOver.length === 0) return '';
  const hasPartner = (row: number): boolean => f.search.levels[1].some(({ rows }) => rows.includes(row));
  const arePaired = leftOver.every(({ rows }) => hasPartner(rows[0]));
  const isOne = lengthOf(leftOver) === 1;
  const stay = isOne
    ? 'The left-over weight, ringed, stays in its own row.'
    : 'Left-over weights, ringed, stay in their own rows.';
  const lacks = `${isOne ? 'Its column is' : 'Their columns are'} not in ${arePaired ? 'the' : 'a'} partner row`;
  return `${stay} ${lacks}, or did not fill a ${wordOf('columns that leave together', f.min)}.`;
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
  if (rows < 2 && (context.wholeMatrix?.rows ?? 1) > 1)
    return stated`The one row that is drawn has no partner here. *It keeps its own list.*`;
  if (rows < 2) return stated`One row has no partner. *It keeps its own list.*`;
  if (wholeFact(context, 'columns of several rows')?.value === 0) {
    const shared = wholeFact(context, 'columns of several rows', 'Word', COLUMN_UNIT);
    return stated`${shared ?? ''} of the matrix are in two rows. ${every}`;
  }
  if (best === null) return stated`No two rows share a column. ${every}`;
  const max = best.columns.length;
  const needed = fact('columns that leave together', min, 'word', COLUMN_UNIT);
  if (max >= min) return stated`No two paired rows share ${needed} close enough together. ${every}`;
  return stated`The best two rows share ${fact('columns of the best two rows', max, 'word')}, fewer than ${fact('columns that leave together', min, 'word')}. ${every}`;
}

/** 'rows 0, 1', 'rows 0 to 7', '8 rows', 'row 4'. */
export function rowsTitle(f: Pick<Facts, 'rowNumber'>, rows: ArrayLike<number>): string {
  const sorted = Array.from(rows, f.rowNumber).toSorted((a, b) => a - b);
  if (sorted.length === 1) return `row ${sorted[0]}`;
  if (sorted.length === 2) return `rows ${sorted.join(', ')}`;
  const isRun = sorted.every((r, i) => r === sorted[0] + i);
  return isRun ? `rows ${sorted[0]} to ${sorted[sorted.length - 1]}` : `${sorted.length} rows`;
}

/** How many threads are drawn, if not all of them; begins with a space. */
export function threadsText({ t: { encoded } }: Facts): string {
  return encoded.lanes > LANES_SHOWN ? ` ${LANES_SHOWN} of the ${encoded.lanes} threads are drawn.` : '';
}

/** What sharing saves of the bytes of column numbers, as a product. */
export function savesText({ numbers, numberBytes }: Facts): string {
  const after = numbers.levels.at(-1) ?? numbers.start;
  const product = `(${countText(numbers.start)} \u2212 ${countText(after)}) \u00d7 ${numberBytes} = ${countText(numberBytes * (numbers.start - after))}`;
  return `Sharing saves ${product} of ${counted(numberBytes * numbers.start, 'byte')} of column numbers.`;
}

/** Why the first step is 0. If the list that is drawn is too short to profit from steps, also the bytes of one that does. */
export function firstStepText(f: Facts): string {
  const { lanes, vectorSize, deltaBits } = f.t.encoded;
  const { numberBytes } = f;
  const why = 'The first step is +0, so that every column has a step.';
  const [firstBlock] = f.search.sets[0].blocks;
  const { laneBytes, plainBytes } = bytesOfList(f, firstBlock);
  const columns = LONG_ENOUGH_READS * lanes * vectorSize;
  const [stored, plain] = [lanes * numberBytes + (columns * deltaBits) / 8, columns * numberBytes];
  if (lanes * laneBytes < plainBytes || stored >= plain) return why;
  const each = stepBytes(deltaBits);
  return `${why} A list of ${columns} columns takes ${lanes} \u00d7 ${numberBytes} + ${columns} \u00d7 ${each} = ${stored} bytes instead of ${columns} \u00d7 ${numberBytes} = ${plain}.`;
}

/** How many reads of all threads a list has that is long enough to profit from steps. */
const LONG_ENOUGH_READS = 4;

/** What bookkeeping is, and what a kind of list is. The numbers of each follow, as bars. */
export function bookkeepingText({ infos }: Facts): string {
  const heights = [...new Set(infos.map(({ granularity }) => granularity))];
  const rows = heights.map((height, i) =>
    i < heights.length - 1 ? wordOf('rows', height) : stated`${fact('rows', height, 'word', ['row', 'rows'])}`.text,
  );
  const kinds = stated`${fact('kinds', infos.length, 'word', ['kind', 'kinds'])}`.text;
  // If short lists are in separate sets, they are separate kinds.
  const lengths = infos.length > heights.length ? ', long and short' : '';
  const each = stated`${fact('numbers of a kind', SET_FIELDS, 'word', ['number', 'numbers'])}`.text;
  const has = infos.length === 1 ? 'It has' : 'Each kind has';
  return `Bookkeeping says which rows a list is for, and where it begins. Lists of ${listText(rows)}${lengths}: ${kinds}. ${has} ${each}: sizes, and where its arrays begin.`;
}

/** The numbers of the bookkeeping: all of them, and their bytes, as products. */
export function bookkeepingSumText({ t: { encoded }, rows }: Facts): string {
  const { rowIndices, blockPtr, sets } = encoded;
  const all = rowIndices.length + blockPtr.length + sets.length;
  const stored = `${countText(all)} numbers \u00d7 4 = ${counted(4 * all, 'byte')}`;
  return `Together: ${stored}. Plain lists: ${rows + 1} starts and ends \u00d7 4 = ${counted(4 * (rows + 1), 'byte')}.`;
}

/** Which zeros the first stored block has, and whether it is one piece of a block that was split. */
export function partsText({ t, search }: Facts): string {
  const [{ rows, columns, real }] = search.sets[0].blocks;
  const sameHeight = search.extraction.sets
    .flatMap(({ blocks }) => blocks)
    .filter((block) => block.rows.length === rows.length);
  const realCount = real.reduce((sum, isReal) => sum + isReal, 0);
  const isTruncated = sameHeight.some(
    (block) => block.rows[0] === rows[0] && block.columns.includes(columns[0]) && block.columns.length > realCount,
  );
  return [
    realCount < columns.length ? filledText({ t }, real) : '',
    isTruncated ? 'A long list is split, and this is one piece.' : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}

/** The bytes of all column numbers with deltas (steps), and without. */
export function numberBytesText(f: Facts): string {
  const { shared, alone, fill } = stepSums(f);
  const bytesText = `Column numbers: ${counted(f.bytes.columns, 'byte')}, without steps ${countText(shared.without + alone.without)}.`;
  const filled = fill === 0 ? '' : ` ${counted(fill, 'byte')} ${fill === 1 ? 'fills' : 'fill'} up words of 4 bytes.`;
  return `${bytesText}${filled}`;
}

/** Which lists are smaller with steps, and which are larger, and why. */
export function changesText(f: Facts): string {
  const { shared, alone } = stepSums(f);
  const groups = [
    { ...shared, name: 'shared' },
    { ...alone, name: shared.each.length > 0 ? 'left-over' : '' },
  ].filter(({ each }) => each.length > 0);
  const growing = groups.filter((group) => group.with > group.without);
  const changeOf = (group: (typeof groups)[number]): string =>
    group.with < group.without ? 'shrink' : group.with > group.without ? 'grow' : 'stay as large';
  const [change] = groups.map(changeOf);
  const changeEqually = groups.length > 1 && groups.every((group) => changeOf(group) === change);
  const changes = changeEqually
    ? [`shared and left-over lists ${change}`]
    : groups.map((group) => {
        const isOne = group.each.length === 1;
        const name = `${group.name} ${isOne ? 'list' : 'lists'}`.trim();
        return isOne ? `the ${name} ${changeOf(group).replace(/^\w+/, '$&s')}` : `${name} ${changeOf(group)}`;
      });
  const zeros = growing.some(({ columns, weights }) => columns > weights) ? ', and steps of zeros' : '';
  const first = stated`${fact('lanes', f.t.encoded.lanes, 'word', ['first column', 'first columns'])}`.text;
  const why = growing.length === 0 ? '' : ` Each list stores ${first}${zeros}.`;
  return `${capitalised(changes.join(', '))}.${why}`;
}

/** The size of a delta, in words: bits or bytes. */
export function stepSize(deltaBits: number): Stated {
  return deltaBits < 8
    ? stated`${fact('bits of a step', deltaBits, 'word', ['bit', 'bits'])}`
    : stated`${fact('bytes of a step', deltaBits / 8, 'word', ['byte', 'bytes'])}`;
}

/** Bytes of a delta, as text. */
export const stepBytes = (deltaBits: number): string => (deltaBits < 8 ? '\u00bd' : String(deltaBits / 8));
