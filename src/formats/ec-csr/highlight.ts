import { cutColumns } from '../../core/bounds/bounds.ts';
import {
  FIRST_CUT,
  type Highlight,
  type HighlightOfRows,
  HIGHLIGHT_ROWS,
  type RowColumns,
  type Tally,
} from '../../core/highlight.ts';
import { popcount } from '../../core/statistics/half-words.ts';
import { fact } from '../../core/story/stated.ts';
import { blockColumns, type EcCsrParams } from './params.ts';

/** Columns with a weight in any row that can be read in a wide cut. */
const MAX_SEEN = 64;

const NONE: RowColumns = new Uint32Array(0);

/** For four bits, a word with a 1 in the byte of each that is set. */
const IN_BYTES = Int32Array.from({ length: 16 }, (_, bits) =>
  [0, 1, 2, 3].reduce((word, bit) => word | (((bits >>> bit) & 1) << (8 * bit)), 0),
);
const EVERY_BYTE = 0x01010101;
/** The highest bit of a byte: set where a count, plus what was missing to `enough`, reaches it. */
const HIGHEST = 0x80;
const HIGHEST_BITS = (HIGHEST * EVERY_BYTE) | 0;

const byteOf = (low: number, high: number, slot: number): number =>
  ((slot < 4 ? low : high) >>> (8 * (slot & 3))) & 0xff;

/**
 * Finds the columns of a row that show EC-SpMV best: those that it shares with rows below, enough for a block and close
 * together, or far apart if few others lie between. O(non-zeros): each row is read when it comes and when it goes.
 */
export function highlight(p: EcCsrParams, { cols }: { readonly cols: number }): HighlightOfRows {
  const enough = p.maxGranularity === 1 ? Number.POSITIVE_INFINITY : blockColumns(p);
  /** by column: a bit for each of the rows in sight that has it */
  const having = new Uint8Array(cols);
  const inSight: RowColumns[] = Array.from({ length: HIGHLIGHT_ROWS }, () => NONE);
  const put = (next: RowColumns, slot: number): void => {
    for (const row of [inSight[slot], next]) for (let i = 0; i < row.length; i++) having[row[i]] ^= 1 << slot;
    inSight[slot] = next;
  };
  return (rows) => {
    const [row, ...below] = rows;
    if (row.length < enough) return null;
    for (let slot = 0; slot < HIGHLIGHT_ROWS; slot++) if (!rows.includes(inSight[slot])) put(NONE, slot);
    for (const next of rows) if (!inSight.includes(next)) put(next, inSight.indexOf(NONE));
    const others = below.flatMap((one) => (one.length < enough ? [] : inSight.indexOf(one)));
    const mask = others.reduce((bits, slot) => bits | (1 << slot), 0);
    const sharedBy = new Uint8Array(row.length);
    for (let i = 0; i < row.length; i++) sharedBy[i] = having[row[i]] & mask;
    const { close, far } = sharedColumns(row, sharedBy, others, enough);
    if (!far || far.amount <= (close?.amount ?? 0)) return close;
    let seen = 0;
    for (let column = far.from; column <= far.to && seen <= MAX_SEEN; column++) if (having[column] !== 0) seen++;
    if (seen > MAX_SEEN) return close;
    // Shared by several rows, a few by each, is no block.
    const inCut = sharedBy.filter((_, i) => row[i] >= far.from && row[i] <= far.to);
    const isBlock = others.some((slot) => inCut.filter((bits) => (bits >>> slot) & 1).length >= enough);
    return isBlock ? far : close;
  };
}

/** Number of set bits in a byte. */
const COUNT = Uint8Array.from({ length: 256 }, (_, bits) => popcount(bits));

/**
 * The columns of a row that others share most: with one other row, close together (of equal ones the leftmost, of the
 * nearest row), and with all others, within the widest cut. `sharedBy`: by column, a bit for each row that has it.
 */
function sharedColumns(row: RowColumns, sharedBy: Uint8Array, others: readonly number[], enough: number) {
  const wide = cutColumns(HIGHLIGHT_ROWS);
  let close: Highlight | null = null;
  // Where more is needed than there is room for, no byte overflows.
  let missing = enough > FIRST_CUT.cols ? 0 : (HIGHEST - enough) * EVERY_BYTE;
  // Columns close by that each of the others has, in a byte for each; and all of them that are seen in a wide cut.
  let [low, high, sum] = [0, 0, 0];
  let [max, from, to] = [enough - 1, 0, -1];
  for (let first = 0, farFirst = 0, last = 0; last < row.length; last++) {
    const column = row[last];
    const bits = sharedBy[last];
    low += IN_BYTES[bits & 15];
    high += IN_BYTES[bits >>> 4];
    sum += COUNT[bits];
    for (; column - row[first] >= FIRST_CUT.cols; first++) {
      low -= IN_BYTES[sharedBy[first] & 15];
      high -= IN_BYTES[sharedBy[first] >>> 4];
    }
    while (column - row[farFirst] >= wide) sum -= COUNT[sharedBy[farFirst++]];
    if (sum > max && last - farFirst < MAX_SEEN) [max, from, to] = [sum, row[farFirst], column];
    if ((((low + missing) | (high + missing)) & HIGHEST_BITS) === 0) continue;
    const counts = others.map((slot) => byteOf(low, high, slot));
    const amount = Math.max(...counts); // bounded: seven rows
    const bit = 1 << others[counts.indexOf(amount)];
    let at = first;
    while ((sharedBy[at] & bit) === 0) at++;
    const isPlain = 2 * amount >= FIRST_CUT.cols;
    close = {
      from: row[at],
      to: column,
      amount: isPlain ? Number.POSITIVE_INFINITY : amount,
      happens: true,
      rows: HIGHLIGHT_ROWS,
    };
    if (isPlain) return { close, far: null };
    missing = (HIGHEST - amount - 1) * EVERY_BYTE;
  }
  if (to < 0) return { close, far: null };
  const amount = max > (row.length * (HIGHLIGHT_ROWS - 1)) / 2 ? Number.POSITIVE_INFINITY : max;
  return { close, far: { from, to, amount, happens: true, rows: HIGHLIGHT_ROWS } };
}

/** Counts the columns in which several rows have a weight: only these can be in a shared list. */
export function tally(_: EcCsrParams, { cols }: { readonly cols: number }): Tally {
  const seen = new Uint8Array(cols);
  let shared = 0;
  return {
    row(columns) {
      for (let i = 0; i < columns.length; i++) {
        const column = columns[i];
        if (seen[column] === 1) shared++;
        if (seen[column] < 2) seen[column]++;
      }
    },
    facts: () => [fact('columns of several rows', shared)],
  };
}
