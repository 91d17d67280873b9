import { regionColumns } from '../../core/bounds/bounds.ts';
import { FIRST_REGION } from '../../core/cut.ts';
import { type Highlight, type HighlightOfRows, HIGHLIGHT_ROWS, type RowColumns } from '../../core/highlight.ts';
import type { Tally } from '../../core/tally.ts';
import { popcount } from '../../core/statistics/half-words.ts';
import { fact } from '../../core/text/stated.ts';
import { blockColumns, type EcCsrParams } from './params.ts';

// What the story of EC-SpMV looks for in a whole matrix: the window that it shows, and the number of shared columns.
//
// To find the window fast, eight counters are packed into two words, one byte per row. For example, the bits 0101 (rows 0
// and 2 have a weight in a column) become the word 0x00010001; adding this word counts the column for both rows at once.
// A counter cannot overflow into the next byte: it counts columns within FIRST_REGION, at most 32, and the largest number
// that is added for a comparison is 0x80 - 1; 32 + 127 is less than 256.

/** Maximum number of columns with weights that a reader can follow in a window (the part of the matrix in the story). */
const MAX_COLUMNS = 64;

const NO_COLUMNS: RowColumns = new Uint32Array(0);

/** By four bits: the four bytes of a word, each 0 or 1 as its bit. */
const SPREAD_TO_BYTES = Int32Array.from({ length: 16 }, (_, bits) =>
  [0, 1, 2, 3].reduce((word, bit) => word | (((bits >>> bit) & 1) << (8 * bit)), 0),
);

/** A word with 1 in every byte. */
const EVERY_BYTE = 0x01010101;
const BYTE_TOP_BIT = 0x80;
/** A word with the highest bit of every byte. */
const TOP_BITS = (BYTE_TOP_BIT * EVERY_BYTE) | 0;

/** The word to add to packed counters, which then have the highest bit in each byte that counted `least` or more. */
const atLeast = (least: number): number => (BYTE_TOP_BIT - least) * EVERY_BYTE;

/** Counter number `slot` of eight: four in the bytes of `low`, then four in the bytes of `high`. */
const counterOf = (low: number, high: number, slot: number): number =>
  ((slot < 4 ? low : high) >>> (8 * (slot & 3))) & 0xff;

/**
 * Makes the search for the columns of a row that show EC-SpMV best: shared with rows below, enough for a block (lanes ×
 * vector size), and close together, or far apart if few other columns with weights lie between. O(non-zeros) for all
 * rows of a matrix.
 */
export function highlight(p: EcCsrParams, { cols }: { readonly cols: number }): HighlightOfRows {
  // Without blocks of several rows, no number of shared columns is enough.
  const enough = p.maxGranularity === 1 ? Number.POSITIVE_INFINITY : blockColumns(p);
  /** the rows that are searched now, each in a slot of its own until it is no longer among them */
  const rowInSlot: RowColumns[] = Array.from({ length: HIGHLIGHT_ROWS }, () => NO_COLUMNS);
  /** by column: bit `slot` is 1 if the row in that slot has a weight there */
  const slotBits = new Uint8Array(cols);
  const replaceRow = (next: RowColumns, slot: number): void => {
    for (const row of [rowInSlot[slot], next]) for (let i = 0; i < row.length; i++) slotBits[row[i]] ^= 1 << slot;
    rowInSlot[slot] = next;
  };
  return (rows) => {
    const [row, ...below] = rows;
    if (row.length < enough) return null;
    for (let slot = 0; slot < HIGHLIGHT_ROWS; slot++) if (!rows.includes(rowInSlot[slot])) replaceRow(NO_COLUMNS, slot);
    for (const next of rows) if (!rowInSlot.includes(next)) replaceRow(next, rowInSlot.indexOf(NO_COLUMNS));
    const otherSlots = below.flatMap((other) => (other.length < enough ? [] : rowInSlot.indexOf(other)));
    const mask = otherSlots.reduce((bits, slot) => bits | (1 << slot), 0);
    const sharedBy = new Uint8Array(row.length);
    for (let i = 0; i < row.length; i++) sharedBy[i] = slotBits[row[i]] & mask;
    const { close, far } = sharedColumns(row, sharedBy, otherSlots, enough);
    if (!far || far.score <= (close?.score ?? 0)) return close;
    let columnsWithWeights = 0;
    for (let column = far.from; column <= far.to && columnsWithWeights <= MAX_COLUMNS; column++)
      if (slotBits[column] !== 0) columnsWithWeights++;
    if (columnsWithWeights > MAX_COLUMNS) return close;
    // All other rows together may share many columns of `far`, but each too few for a block.
    const sharedInFar = sharedBy.filter((_, i) => row[i] >= far.from && row[i] <= far.to);
    const isBlock = otherSlots.some((slot) => sharedInFar.filter((bits) => (bits >>> slot) & 1).length >= enough);
    return isBlock ? far : close;
  };
}

const SET_BITS = Uint8Array.from({ length: 256 }, (_, bits) => popcount(bits));

/**
 * Finds the columns of `row` that other rows share most. `close`: columns within FIRST_REGION.cols, scored by the one row
 * that shares most of them; ties: the leftmost columns, then the nearest row. `far`: columns within the widest window,
 * scored by all rows together. `sharedBy`, by column of `row`, has bit s if the row in slot s shares the column;
 * `otherSlots`: the slots of the other rows, the nearest first.
 */
function sharedColumns(row: RowColumns, sharedBy: Uint8Array, otherSlots: readonly number[], enough: number) {
  const widestWindow = regionColumns(HIGHLIGHT_ROWS);
  let close: Highlight | null = null;
  // Added to the counters, it marks those that are better than `close`; 0 marks none: FIRST_REGION is too narrow for a block.
  let toBeat = enough > FIRST_REGION.cols ? 0 : atLeast(enough);
  // Packed counters of the columns that each other row shares within FIRST_REGION.cols: slots 0 to 3, and 4 to 7.
  let [low, high] = [0, 0];
  // Columns shared within the widest window, added up over all other rows; and the largest such sum with its columns.
  let sum = 0;
  let [maxSum, from, to] = [enough - 1, 0, -1];
  for (let first = 0, farFirst = 0, last = 0; last < row.length; last++) {
    const column = row[last];
    const bits = sharedBy[last];
    low += SPREAD_TO_BYTES[bits & 15];
    high += SPREAD_TO_BYTES[bits >>> 4];
    sum += SET_BITS[bits];
    for (; column - row[first] >= FIRST_REGION.cols; first++) {
      low -= SPREAD_TO_BYTES[sharedBy[first] & 15];
      high -= SPREAD_TO_BYTES[sharedBy[first] >>> 4];
    }
    while (column - row[farFirst] >= widestWindow) sum -= SET_BITS[sharedBy[farFirst++]];
    if (sum > maxSum && last - farFirst < MAX_COLUMNS) [maxSum, from, to] = [sum, row[farFirst], column];
    if ((((low + toBeat) | (high + toBeat)) & TOP_BITS) === 0) continue;
    const counts = otherSlots.map((slot) => counterOf(low, high, slot));
    const sharedCount = Math.max(...counts); // bounded: at most seven rows
    const nearestBit = 1 << otherSlots[counts.indexOf(sharedCount)];
    let firstShared = first;
    while ((sharedBy[firstShared] & nearestBit) === 0) firstShared++;
    const isClear = 2 * sharedCount >= FIRST_REGION.cols;
    close = {
      from: row[firstShared],
      to: column,
      score: isClear ? Number.POSITIVE_INFINITY : sharedCount, // infinite: no other window could show it better
      hasCase: true, // the rows do share columns
      rows: HIGHLIGHT_ROWS,
    };
    if (isClear) return { close, far: null };
    toBeat = atLeast(sharedCount + 1);
  }
  if (to < 0) return { close, far: null };
  const allShared = row.length * (HIGHLIGHT_ROWS - 1); // if every other row had all columns of this row
  const score = maxSum > allShared / 2 ? Number.POSITIVE_INFINITY : maxSum;
  return { close, far: { from, to, score, hasCase: true, rows: HIGHLIGHT_ROWS } };
}

/** Counts the columns in which several rows have a weight: only these can be in a block of several rows. */
export function tally(_: EcCsrParams, { cols }: { readonly cols: number }): Tally {
  /** by column: 0, 1 or 2 rows, where 2 stands for more as well */
  const rowsSeen = new Uint8Array(cols);
  let sharedColumnCount = 0;
  return {
    row(columns) {
      for (let i = 0; i < columns.length; i++) {
        const column = columns[i];
        if (rowsSeen[column] === 1) sharedColumnCount++;
        if (rowsSeen[column] < 2) rowsSeen[column]++;
      }
    },
    facts: () => [fact('columns of several rows', sharedColumnCount)],
  };
}
