import { regionColumns } from '../../core/bounds/bounds.ts';
import { FIRST_REGION } from '../../core/cut.ts';
import { type Highlight, type HighlightOfRows, HIGHLIGHT_ROWS, type RowColumns } from '../../core/highlight.ts';
import type { Tally } from '../../core/tally.ts';
import { popcount } from '../../core/statistics/half-words.ts';
import { fact } from '../../core/text/stated.ts';
import { blockColumns, type EcCsrParams } from './params.ts';

// What the story of EC-SpMV finds in a whole matrix: the window that it shows, and a count.

/** Maximum number of columns with weights that a reader can follow in a window (the part of the matrix in the story). */
const MAX_COLUMNS = 64;

const NONE: RowColumns = new Uint32Array(0);

/** Four bits as the four bytes of a word, 0 or 1 each: adding such words counts in four bytes at once. */
const IN_BYTES = Int32Array.from({ length: 16 }, (_, bits) =>
  [0, 1, 2, 3].reduce((word, bit) => word | (((bits >>> bit) & 1) << (8 * bit)), 0),
);
const EVERY_BYTE = 0x01010101;
/** The highest bit of a byte. A count plus HIGHEST - n has it if the count is n or more. */
const HIGHEST = 0x80;
const HIGHEST_BITS = (HIGHEST * EVERY_BYTE) | 0;

/** One of eight bytes: four in `low`, then four in `high`. */
const byteOf = (low: number, high: number, slot: number): number =>
  ((slot < 4 ? low : high) >>> (8 * (slot & 3))) & 0xff;

/**
 * Makes the search for the columns of a row that show EC-SpMV best: shared with rows below, enough for a block (lanes ×
 * vector size), and close together, or far apart if few other columns with weights lie between. O(non-zeros) for all
 * rows of a matrix.
 */
export function highlight(p: EcCsrParams, { cols }: { readonly cols: number }): HighlightOfRows {
  const enough = p.maxGranularity === 1 ? Number.POSITIVE_INFINITY : blockColumns(p);
  /** by column, bit i is 1 if row `current[i]` has a weight there */
  const slotsOf = new Uint8Array(cols);
  const current: RowColumns[] = Array.from({ length: HIGHLIGHT_ROWS }, () => NONE);
  const putRow = (next: RowColumns, slot: number): void => {
    for (const row of [current[slot], next]) for (let i = 0; i < row.length; i++) slotsOf[row[i]] ^= 1 << slot;
    current[slot] = next;
  };
  return (rows) => {
    const [row, ...below] = rows;
    if (row.length < enough) return null;
    for (let slot = 0; slot < HIGHLIGHT_ROWS; slot++) if (!rows.includes(current[slot])) putRow(NONE, slot);
    for (const next of rows) if (!current.includes(next)) putRow(next, current.indexOf(NONE));
    const others = below.flatMap((other) => (other.length < enough ? [] : current.indexOf(other)));
    const mask = others.reduce((bits, slot) => bits | (1 << slot), 0);
    const sharedBy = new Uint8Array(row.length);
    for (let i = 0; i < row.length; i++) sharedBy[i] = slotsOf[row[i]] & mask;
    const { close, far } = sharedColumns(row, sharedBy, others, enough);
    if (!far || far.score <= (close?.score ?? 0)) return close;
    let used = 0;
    for (let column = far.from; column <= far.to && used <= MAX_COLUMNS; column++) if (slotsOf[column] !== 0) used++;
    if (used > MAX_COLUMNS) return close;
    // All other rows together may share many columns of `far`, but each too few for a block.
    const inFar = sharedBy.filter((_, i) => row[i] >= far.from && row[i] <= far.to);
    const isBlock = others.some((slot) => inFar.filter((bits) => (bits >>> slot) & 1).length >= enough);
    return isBlock ? far : close;
  };
}

const SET_BITS = Uint8Array.from({ length: 256 }, (_, bits) => popcount(bits));

/**
 * The columns of `row` that other rows share most. `close`: within FIRST_REGION.cols columns, counted for the row that
 * shares most; of equals the leftmost, then the nearest row. `far`: within the widest window, counted over all rows.
 * `sharedBy`, by column of `row`, has a bit for each row that shares it; `others`: the numbers of these bits.
 */
function sharedColumns(row: RowColumns, sharedBy: Uint8Array, others: readonly number[], enough: number) {
  const wide = regionColumns(HIGHLIGHT_ROWS);
  let close: Highlight | null = null;
  // Added to the counts, sets HIGHEST in those above the best so far; 0 if FIRST_REGION is too narrow for a block.
  let missing = enough > FIRST_REGION.cols ? 0 : (HIGHEST - enough) * EVERY_BYTE;
  // Columns shared with each other row within FIRST_REGION.cols, a byte each; and with all of them within a wide window.
  let [low, high, sum] = [0, 0, 0];
  let [max, from, to] = [enough - 1, 0, -1];
  for (let first = 0, farFirst = 0, last = 0; last < row.length; last++) {
    const column = row[last];
    const bits = sharedBy[last];
    low += IN_BYTES[bits & 15];
    high += IN_BYTES[bits >>> 4];
    sum += SET_BITS[bits];
    for (; column - row[first] >= FIRST_REGION.cols; first++) {
      low -= IN_BYTES[sharedBy[first] & 15];
      high -= IN_BYTES[sharedBy[first] >>> 4];
    }
    while (column - row[farFirst] >= wide) sum -= SET_BITS[sharedBy[farFirst++]];
    if (sum > max && last - farFirst < MAX_COLUMNS) [max, from, to] = [sum, row[farFirst], column];
    if ((((low + missing) | (high + missing)) & HIGHEST_BITS) === 0) continue;
    const counts = others.map((slot) => byteOf(low, high, slot));
    const amount = Math.max(...counts); // bounded: seven rows
    const bit = 1 << others[counts.indexOf(amount)];
    let at = first;
    while ((sharedBy[at] & bit) === 0) at++;
    const isClear = 2 * amount >= FIRST_REGION.cols;
    close = {
      from: row[at],
      to: column,
      score: isClear ? Number.POSITIVE_INFINITY : amount, // infinite: no other place could show it better
      hasCase: true, // the rows do share columns
      rows: HIGHLIGHT_ROWS,
    };
    if (isClear) return { close, far: null };
    missing = (HIGHEST - amount - 1) * EVERY_BYTE;
  }
  if (to < 0) return { close, far: null };
  const amount = max > (row.length * (HIGHLIGHT_ROWS - 1)) / 2 ? Number.POSITIVE_INFINITY : max;
  return { close, far: { from, to, score: amount, hasCase: true, rows: HIGHLIGHT_ROWS } };
}

/** Counts the columns in which several rows have a weight: only these can be in a block of several rows. */
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
