import { type FrameContext, wholeFact } from '../../../story/frames.ts';
import { fact, type Stated, stated } from '../../../core/text/stated.ts';
import { counted, countText } from '../../../core/text/words.ts';
import { reachOf, type EcCsrParams, valueBits } from '../params.ts';
import { SET_FIELDS } from '../layout.ts';
import type { PackedBlock } from '../pack.ts';
import { bytesOfList, type Facts, lengthOf, singles, LISTS_SHOWN, LANES_SHOWN } from './facts.ts';

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
      ? 'Each part has equally many columns, so a zero, hatched, fills up the list.'
      : 'Each part has equally many columns, so zeros, hatched, fill up the list.';
  const zeros = bridging === 1 ? 'A hatched zero bridges' : 'Hatched zeros bridge';
  const fills = filling === 1 ? ', and one fills up a part' : filling > 1 ? `, and ${filling} fill up parts` : '';
  return `${zeros} a gap over ${reachOf(t.encoded)}${fills}.`;
}

/** The bytes of all stored zeros, as a product, and what fills column numbers up: 'All stored zeros: 3 × 2 = 6 bytes.' */
export function zerosText(f: Facts): string {
  const { zeros, columns } = f.bytes;
  const each = valueBits(f.t.encoded) / 8;
  const fill = fillOf(f);
  const filled = fill === 0 ? '' : ` Column numbers: ${countText(columns - fill)} + ${fill} to fill words of 4 bytes.`;
  return `All stored zeros: ${countText(zeros / each)} \u00d7 ${each} = ${counted(zeros, 'byte')}.${filled}`;
}

/** The bytes that fill the steps of each kind of list up to words of four bytes. */
const fillOf = (f: Facts): number =>
  f.search.sets
    .flatMap(({ blocks }) => blocks)
    .reduce((rest, block) => rest - f.t.encoded.lanes * bytesOfList(f, block).laneBytes, f.bytes.columns);

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
  const stay = isOne ? 'The left-over weight stays in its own row.' : 'Left-over weights stay in their own rows.';
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

/** What sharing saves of the bytes of column numbers. */
export function savesText(f: Facts): string {
  const before = f.numberBytes * f.numbers.start;
  const shared = f.numberBytes * (f.numbers.start - (f.numbers.levels.at(-1) ?? f.numbers.start));
  return `Sharing saves ${countText(shared)} of ${counted(before, 'byte')} of column numbers.`;
}

/** Why the first step is 0; and, where the list drawn is too short to profit from steps, one that is long enough. */
export function firstStepText(f: Facts): string {
  const { lanes, vectorSize, deltaBits } = f.t.encoded;
  const { numberBytes } = f;
  const why = `The first step is +0, so that each column has a step, and all are read alike. ${LARGE_SAVES}`;
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

/** The numbers of the bookkeeping, which add up to its bytes. */
export function bookkeepingText({ t: { encoded }, rows, infos }: Facts): string {
  const { rowIndices, blockPtr, sets } = encoded;
  const all = rowIndices.length + blockPtr.length + sets.length;
  const kinds = `${counted(infos.length, 'kind')} of list \u00d7 ${SET_FIELDS}`;
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

/** The bytes of all column numbers with deltas (steps), list by list where these are few, and without. */
export function numberBytesText(f: Facts): string {
  const { numbers, numberBytes, bytes } = f;
  const { lanes } = f.t.encoded;
  const blocks = f.search.sets.flatMap((set) => set.blocks);
  const ofList = (block: PackedBlock): number => lanes * bytesOfList(f, block).laneBytes;
  const shared = blocks.filter(({ rows }) => rows.length > 1).map(ofList);
  const alone = blocks.filter(({ rows }) => rows.length === 1).reduce((sum, block) => sum + ofList(block), 0);
  const each = shared.length <= LISTS_SHOWN ? shared : [shared.reduce((sum, list) => sum + list, 0)];
  const fill = fillOf(f);
  const name = shared.length > 0 ? ' left over' : '';
  const terms = [
    shared.length > 0 ? `${each.map(countText).join(' + ')} shared` : '',
    alone > 0 ? `${countText(alone)}${name}` : '',
    fill > 0 ? `${fill} to fill words of 4 bytes` : '',
  ].filter((text) => text !== '');
  const before = numberBytes * (numbers.levels.at(-1) ?? numbers.start);
  const addends = each.length + (alone > 0 ? 1 : 0) + (fill > 0 ? 1 : 0);
  const sum = addends > 1 ? `${terms.join(' + ')} = ` : '';
  const total = `${counted(bytes.columns, 'byte')}${sum === '' ? ' of column numbers' : ''}`;
  return `${sum}${total}; without steps ${countText(before)}.`;
}

/** The size of a delta, in words: bits or bytes. */
export function stepSize(deltaBits: number): Stated {
  return deltaBits < 8
    ? stated`${fact('bits of a step', deltaBits, 'word', ['bit', 'bits'])}`
    : stated`${fact('bytes of a step', deltaBits / 8, 'word', ['byte', 'bytes'])}`;
}

/** Bytes of a delta, as text. */
export const stepBytes = (deltaBits: number): string => (deltaBits < 8 ? '\u00bd' : String(deltaBits / 8));
