import { type FrameContext, wholeFact } from '../../../story/frames.ts';
import { fact, type Stated, stated } from '../../../core/text/stated.ts';
import { counted, countText } from '../../../core/text/words.ts';
import { reachOf, type EcCsrParams, valueBits } from '../params.ts';
import { SET_FIELDS } from '../layout.ts';
import { bytesOfList, type Facts, lengthOf, singles, stepSums, LISTS_SHOWN, LANES_SHOWN } from './facts.ts';

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

/** The bytes of all stored zeros, and their steps: 'All stored zeros: 3 × 2 = 6 bytes. Steps ...: 9 + 3 for zeros = 12.' */
export function zerosText(f: Facts): string {
  const { zeros } = f.bytes;
  const each = valueBits(f.t.encoded) / 8;
  const { shared, alone } = stepSums(f);
  const lists = shared.each.length > 0 ? 'left-over lists' : 'all lists';
  const added = alone.columns - alone.weights;
  const name = added === 1 ? 'zero' : 'zeros';
  const steps = `${countText(alone.weights)} + ${countText(added)} for ${name} = ${countText(alone.columns)}`;
  return `All stored zeros: ${countText(zeros / each)} \u00d7 ${each} = ${counted(zeros, 'byte')}. Steps of ${lists}: ${steps}.`;
}

/** How many column numbers a GPU reads at a time in the whole matrix, where the window has another number. */
export function lanesInAll({ min }: Facts) {
  return ({ whole }: FrameContext): Stated | null => {
    const { lanes = 0, vectorSize = 0 } = (whole?.params ?? {}) as Partial<EcCsrParams>;
    if (lanes * vectorSize === 0 || lanes * vectorSize === min) return null;
    const threads = fact('lanes, the matrix', lanes, 'count', ['thread', 'threads']);
    const each = fact('columns of a lane at once, the matrix', vectorSize);
    const together = fact('columns that leave together, the matrix', lanes * vectorSize, 'count', [
      'number',
      'numbers',
    ]);
    return stated`Drawn small: in the whole matrix, ${threads} \u00d7 ${each} = ${together} at a time.`;
  };
}

/** Why weights are in no list of several rows. */
export function leftOverText(f: Facts): string {
  const alone = singles(f).filter(({ columns }) => columns.length > 0);
  if (alone.length === 0) return '';
  const hasPartner = (row: number): boolean => f.search.levels[1].some(({ rows }) => rows.includes(row));
  const isPaired = alone.every(({ rows }) => hasPartner(rows[0]));
  const isOne = lengthOf(alone) === 1;
  const stay = isOne
    ? 'The left-over weight, ringed, stays in its own row.'
    : 'Left-over weights, ringed, stay in their own rows.';
  const lacks = `${isOne ? 'Its column is' : 'Their columns are'} not in ${isPaired ? 'the' : 'a'} partner row`;
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
  if (rows < 2 && (context.whole?.rows ?? 1) > 1)
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

/** Why the first step is 0; and, where the list drawn is too short to profit from steps, one that is long enough. */
export function firstStepText(f: Facts): string {
  const { lanes, vectorSize, deltaBits } = f.t.encoded;
  const { numberBytes } = f;
  const why = `The first step is +0, so that every column has a step. ${LARGE_SAVES}`;
  const [drawn] = f.search.sets[0].blocks;
  const { laneBytes, plainBytes } = bytesOfList(f, drawn);
  const columns = LONG_ENOUGH * lanes * vectorSize;
  const [stored, plain] = [lanes * numberBytes + (columns * deltaBits) / 8, columns * numberBytes];
  if (lanes * laneBytes < plainBytes || stored >= plain) return why;
  const each = stepBytes(deltaBits);
  return `${why} A list of ${columns} columns takes ${lanes} \u00d7 ${numberBytes} + ${columns} \u00d7 ${each} = ${stored} bytes instead of ${columns} \u00d7 ${numberBytes} = ${plain}.`;
}

const LARGE_SAVES = 'In a large random matrix, steps save more than sharing.';

/** Reads of all threads, in a list that is long enough to profit from steps. */
const LONG_ENOUGH = 4;

const ARRAYS_OF_KIND = 'Its arrays: row numbers, starts, first columns, steps, weights.';

/** What bookkeeping is. The picture of a kind follows, with its numbers. */
export function bookkeepingText(): string {
  const each = fact('numbers of a kind', SET_FIELDS, 'Word', ['number describes', 'numbers describe']);
  return `Bookkeeping says which rows a list is for, and where it begins. A kind is all lists for equally many rows. ${stated`${each} it.`.text} ${ARRAYS_OF_KIND}`;
}

/** The numbers of the bookkeeping, which add up to its bytes. */
export function bookkeepingSumText({ t: { encoded }, rows, infos }: Facts): string {
  const { rowIndices, blockPtr, sets } = encoded;
  const all = rowIndices.length + blockPtr.length + sets.length;
  const kinds = `${counted(infos.length, 'kind')} \u00d7 ${SET_FIELDS}`;
  return `EC-SpMV: ${counted(rowIndices.length, 'row number')} + ${blockPtr.length} starts and ends + ${kinds} = ${all} numbers; ${all} \u00d7 4 = ${countText(4 * all)} bytes. Plain lists: ${rows + 1} starts and ends \u00d7 4 = ${countText(4 * (rows + 1))}.`;
}

/** Which zeros the first block has, and whether it is one piece of a block. */
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

/** The bytes of all column numbers with deltas (steps) and without, and of shared lists, list by list where these are few. */
export function numberBytesText(f: Facts): string {
  const { shared, alone, fill } = stepSums(f);
  const all = `Column numbers: ${counted(f.bytes.columns, 'byte')}, without steps ${countText(shared.without + alone.without)}.`;
  const isSum = shared.each.length > 1 && shared.each.length <= LISTS_SHOWN;
  const sum = isSum
    ? ` Shared lists: ${shared.each.map(countText).join(' + ')} = ${counted(shared.with, 'byte')}.`
    : '';
  const filled = fill === 0 ? '' : ` ${counted(fill, 'byte')} ${fill === 1 ? 'fills' : 'fill'} up words of 4 bytes.`;
  return `${all}${sum}${filled}`;
}

/** The bytes of all lists of one row with steps, as a sum, and why they grow if they do. */
export function aloneBytesText(f: Facts): string {
  const { shared, alone } = stepSums(f);
  const count = alone.each.length;
  if (count === 0) return '';
  const each = f.t.encoded.lanes * f.numberBytes;
  const name = shared.each.length > 0 ? 'left-over list' : 'list';
  const stores = stated`stores ${fact('lanes', f.t.encoded.lanes, 'word', ['first column', 'first columns'])}`.text;
  const short = count === 1 ? 'One grows, since it is short: it' : 'They grow, since they are short: each';
  const why = alone.with > alone.without ? ` ${short} ${stores}.` : '';
  const bytesOf = (columns: number): string => countText((columns * f.t.encoded.deltaBits) / 8);
  // Steps of half a byte are counted together: half a byte alone is no number of bytes.
  const ofZeros = f.t.encoded.deltaBits < 8 ? 0 : alone.columns - alone.weights;
  const steps = `${bytesOf(alone.columns - ofZeros)} for steps${ofZeros > 0 ? ` + ${bytesOf(ofZeros)} for steps of zeros` : ''}`;
  const sum = `${countText(count)} \u00d7 ${each} for first columns + ${steps} = ${counted(alone.with, 'byte')}`;
  return `${counted(count, name)}: ${sum}.${why}`;
}

/** The size of a delta, in words: bits or bytes. */
export function stepSize(deltaBits: number): Stated {
  return deltaBits < 8
    ? stated`${fact('bits of a step', deltaBits, 'word', ['bit', 'bits'])}`
    : stated`${fact('bytes of a step', deltaBits / 8, 'word', ['byte', 'bytes'])}`;
}

/** Bytes of a delta, as text. */
export const stepBytes = (deltaBits: number): string => (deltaBits < 8 ? '\u00bd' : String(deltaBits / 8));
