import type { EncodedMatrix } from '../../core/encoded/encoded.ts';
import type { EntryArrays } from '../../core/number/index.ts';
import type { MackoParams } from './params.ts';

/** Entries that a lane reads at a time; the length of `values` is a multiple of it. */
export const GROUP = 8;

/**
 * A matrix in MACKO form: row r occupies entries [indptr[r], indptr[r + 1]).
 *
 * The column of an entry is the sum of (stored delta + 1) over the row's entries up to it, minus 1.
 * Source: MACKO paper, section 3; authors' code for f16 with 4-bit deltas. Other widths and types are not in the paper.
 */
export interface MackoEncoded extends EncodedMatrix, EntryArrays, MackoParams {
  /** a delta of `deltaBits` bits per entry, packed */
  readonly deltas: Uint32Array;
  readonly indptr: Uint32Array;
}

/** Number of entries: non-zeros, and zeros in gaps too wide for one delta; not those that pad `values` at its end. */
export function entryCount(e: MackoEncoded): number {
  return e.indptr[e.rows];
}

/** Length of `values` for a number of entries: the next multiple of `GROUP`. */
export function paddedLength(entries: number): number {
  return Math.ceil(entries / GROUP) * GROUP;
}

/** The stored delta (column gap - 1) of entry i. */
export function storedDelta(e: { deltas: Uint32Array; deltaBits: number }, i: number): number {
  const bit = i * e.deltaBits;
  return (e.deltas[Math.floor(bit / 32)] >>> (bit % 32)) & (2 ** e.deltaBits - 1);
}

/** How many columns the entries from `begin` to before `end` of a row pass: the sum of their column gaps. */
export function passedColumns(e: MackoEncoded, begin: number, end: number): number {
  const { deltas, deltaBits } = e;
  const perWord = 32 / deltaBits;
  const mask = 2 ** deltaBits - 1;
  let sum = end - begin;
  for (let i = begin; i < end;) {
    const from = i % perWord;
    const to = Math.min(perWord, from + end - i);
    const word = deltas[(i - from) / perWord];
    for (let j = from; j < to; j++) sum += (word >>> (j * deltaBits)) & mask;
    i += to - from;
  }
  return sum;
}
