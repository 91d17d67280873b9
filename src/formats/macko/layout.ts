import { storedAs } from '../../core/declared/card.ts';
import type { Counts, Layout } from '../../core/declared/declaration.ts';
import type { EncodedMatrix } from '../../core/encoded/encoded.ts';
import { type EntryArrays, scaleCount, type SlotOf } from '../../core/number/index.ts';
import { counted } from '../../core/story/words.ts';
import { type DeltaBits, type MackoParams, reachOf } from './params.ts';

/** Entries that one lane reads at a time, to a multiple of which `values` is padded. */
export const GROUP = 8;

/**
 * A matrix in MACKO form: row r occupies entries [indptr[r], indptr[r + 1]).
 *
 * The column of an entry is the sum of (stored + 1) over the row's entries up to it, minus 1.
 * Source: MACKO paper, section 3; authors' code for f16 with 4 bits. The other widths and types are ours.
 */
export interface MackoEncoded extends EncodedMatrix, EntryArrays, MackoParams {
  readonly deltas: Uint32Array;
  readonly indptr: Uint32Array;
}

/** Number of entries: non-zeros and padding, without the tail. */
export function entryCount(e: MackoEncoded): number {
  return e.indptr[e.rows];
}

/** The stored delta (column gap - 1) of entry i. */
export function storedDelta(e: { deltas: Uint32Array; deltaBits: number }, i: number): number {
  const bit = i * e.deltaBits;
  return (e.deltas[Math.floor(bit / 32)] >>> (bit % 32)) & (2 ** e.deltaBits - 1);
}

/** '2 columns are skipped', 'No column is skipped'. */
export function skippedText(skip: number): string {
  return skip === 0 ? 'No column is skipped' : `${counted(skip, 'column')} ${skip === 1 ? 'is' : 'are'} skipped`;
}

/** The columns that the entries from `begin` to before `end` of a row pass: the sum of their column gaps. */
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

/** Places in `values` for so many entries: a multiple of `GROUP`. */
export function placesFor(entries: number): number {
  return Math.ceil(entries / GROUP) * GROUP;
}

/** Padding entries: a gap of g needs ceil(g / 2^k) - 1 of them. O(widest gap). */
export function paddingOf(gaps: ArrayLike<number>, deltaBits: DeltaBits): number {
  const reach = reachOf(deltaBits);
  let padding = 0;
  for (let gap = reach + 1; gap < gaps.length; gap++) padding += gaps[gap] * Math.floor((gap - 1) / reach);
  return padding;
}

/** Entries of an encoding, or of a matrix whose gaps were counted; null of others. */
function entriesIn({ rows, nnz, gaps, encoded }: Counts, deltaBits: DeltaBits): number | null {
  if (encoded?.indptr instanceof Uint32Array) return encoded.indptr[rows];
  return gaps ? nnz + paddingOf(gaps, deltaBits) : null;
}

/** The entries of a matrix one after the other, stored zeros counted. */
function slotsOf(deltaBits: DeltaBits): SlotOf {
  let entry = 0;
  let at = { row: -1, column: -1 };
  return (row, column) => {
    entry += (column - (row === at.row ? at.column : -1) - 1) >>> deltaBits;
    at = { row, column };
    return entry++;
  };
}

export type MackoArray = 'values' | 'deltas' | 'indptr' | 'scales';

export const arrays: Layout<MackoArray, MackoParams>['arrays'] = ({ deltaBits, valueType }) => {
  const ifKnown = (of: (entries: number) => number) => (counts: Counts) => {
    const entries = entriesIn(counts, deltaBits);
    return entries === null ? null : of(entries);
  };
  const bridges = (e: EncodedMatrix): readonly string[] => {
    const padding = entryCount(e as MackoEncoded) - e.nnz;
    return padding > 0 ? [counted(padding, 'padding entry', 'padding entries')] : [];
  };
  return {
    values: {
      ...storedAs(valueType, 'scales', () => slotsOf(deltaBits)),
      role: 'values',
      length: ifKnown(placesFor),
      lengthSays: 'entries, rounded up to a multiple of 8',
      padding: {
        says: (e) => [
          ...bridges(e),
          ...(entryCount(e as EncodedMatrix as MackoEncoded) % GROUP > 0 ? ['the tail'] : []),
        ],
      },
      meaning: 'non-zeros in row-major order; 0 for padding and for the tail; as i4, 8 means 0',
    },
    deltas: {
      type: `u${deltaBits}`,
      inWords: true,
      role: 'indices',
      length: ifKnown((entries) => entries),
      lengthSays: 'entries',
      padding: { says: bridges },
      meaning: 'column gap - 1 of each entry; rows are not aligned',
    },
    indptr: { type: 'u32', role: 'metadata', offsetsInto: 'deltas', meaning: 'first entry of row i' },
    scales: {
      type: valueType === 'i4' ? 'f16' : 'f32',
      role: 'metadata',
      length:
        valueType === 'i4'
          ? ifKnown((entries) => scaleCount(entries, 0, 'i4'))
          : ({ rows }) => scaleCount(0, rows, valueType),
      lengthSays: valueType === 'i4' ? 'entries / 32, rounded up, for i4' : 'rows for i8',
      meaning: 'value of one step of i8 in a row, or of i4 in 32 entries, of either sign',
    },
  };
};
