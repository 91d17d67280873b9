import { type FrameContext, wholeFact } from '../../../story/frames.ts';
import { fact, type Stated, stated } from '../../../core/text/stated.ts';
import { counted, countText } from '../../../core/text/words.ts';
import { reachOf, type EcCsrParams, valueBits } from '../params.ts';
import { type Facts, singles, LISTS_SHOWN, LANES_SHOWN } from './facts.ts';

/* Texts below the pictures of the EC-SpMV story, with numbers of the window. */

/** A count in words, 'four'; `name`: what is counted. */
const wordOf = (name: string, count: number): string => stated`${fact(name, count, 'word')}`.text;

/** Why a list of one row has stored zeros; `real`: 1 for a weight, 0 for a stored zero. */
export function filledText({ t }: Facts, real: Uint8Array): string {
  // What fills up a part comes after the last weight.
  const bridges = real.indexOf(0) < real.lastIndexOf(1);
  return bridges ? bridgedText(t.encoded) : 'Each part has equally many columns, so zeros, hatched, fill up the list.';
}

const bridgedText = (p: EcCsrParams): string => `Hatched zeros bridge a gap over ${reachOf(p)} or fill up a part.`;

/** The bytes of all stored zeros, as a product: 'All stored zeros: 3 × 2 = 6 bytes.' */
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

/** How many numbers a thread reads at a time. */
export function threadsText({ t: { encoded } }: Facts): string {
  const reads = stated`${fact('columns of a lane at once', encoded.vectorSize, 'word', ['number', 'numbers'])}`.text;
  const drawn = encoded.lanes > LANES_SHOWN ? ` ${LANES_SHOWN} of them are drawn.` : '';
  const lanesText = wordOf('lanes', encoded.lanes);
  return `Each of ${lanesText} GPU threads has a part of the list and reads ${reads} of it at a time.${drawn}`;
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
    realCount < columns.length ? bridgedText(t.encoded) : '',
    isTruncated ? 'A long list is split, and this is one piece.' : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}

/** The bytes of all column numbers with deltas (steps), list by list where these are few, and without. */
export function numberBytesText({ t, search, numbers, numberBytes, bytes }: Facts): string {
  const { lanes, deltaBits } = t.encoded;
  const blocks = search.sets.flatMap((set) => set.blocks);
  const ofList = ({ columns }: { readonly columns: ArrayLike<number> }): number =>
    lanes * numberBytes + (columns.length * deltaBits) / 8;
  const shared = blocks.filter(({ rows }) => rows.length > 1).map(ofList);
  const alone = blocks.filter(({ rows }) => rows.length === 1).reduce((sum, block) => sum + ofList(block), 0);
  const terms = [
    shared.length > 0 ? `${shared.map(countText).join(' + ')} shared` : '',
    alone > 0 ? `${countText(alone)} left over` : '',
  ].filter((text) => text !== '');
  const before = numberBytes * (numbers.levels.at(-1) ?? numbers.start);
  const addends = alone > 0 ? [...shared, alone] : shared;
  const isSum = shared.length <= LISTS_SHOWN && addends.reduce((total, addend) => total + addend, 0) === bytes.columns;
  const sum = isSum && addends.length > 1 ? `${terms.join(' + ')} = ` : '';
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
