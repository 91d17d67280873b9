import type { EncodedMatrix, Violation } from '../../core/format.ts';
import { type EntryArrays, packedQ4, Q4_ZERO, scaleCount, VALUE_BITS } from '../../core/number/index.ts';
import { Violations } from '../../core/encoded/violations.ts';
import { type MackoParams, reachOf } from './params.ts';

/** Entries that one lane reads at a time, to a multiple of which `values` is padded. */
export const GROUP = 8;

/**
 * A matrix in MACKO form: row r occupies entries [indptr[r], indptr[r + 1]).
 *
 * | array  | dtype                   | length                               | meaning |
 * |--------|-------------------------|--------------------------------------|---------|
 * | values | u16 (f16 bits), f32, i8 | entries, rounded up to a multiple of 8 | non-zeros in row-major order; 0 for padding and for the tail |
 * | values | two i4 in a u8          | the same, / 2                        | entry i in half i % 2 of byte floor(i / 2), the lower first; 8 means 0 |
 * | deltas | u32                     | ceil(entries * deltaBits / 32)       | column gap - 1 of entry i at bit i * deltaBits, low bits first; rows are not aligned |
 * | indptr | u32                     | rows + 1                             | first entry of each row, in entries |
 * | scales | f32                     | rows for i8, 0 for floats            | value of one i8 step in that row |
 * | scales | f16 bits in u16         | ceil(entries / 32) for i4            | value of one step of entries 32 i to 32 i + 31, of either sign |
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

/** Whether the value of entry i, or of the tail past the last entry, is stored as 0. */
function isStoredZero({ values }: Pick<MackoEncoded, 'values'>, i: number): boolean {
  return values instanceof Uint8Array ? packedQ4(values, i) === Q4_ZERO : values[i] === 0;
}

/** The checks of `validate` per array besides length and checksum. */
export const rules = {
  values: 'at most nnz of them that cannot be padding; 0 past the last entry',
  deltas: 'columns below cols; 0 past the last entry',
  indptr: 'from 0, never descending',
  scales: 'finite; above 0 for i8',
} as const;

/** Checks lengths ('cheap') or every element ('full', O(entries)). */
export function validate(e: MackoEncoded, level: 'cheap' | 'full'): readonly Violation[] {
  const violations = new Violations();
  checkLengths(e, violations);
  if (level === 'cheap' || violations.found.length > 0) return violations.found;
  violations.offsets('indptr', e.indptr, entryCount(e), 'entries');
  if (violations.found.length === 0) checkColumns(e, violations);
  if (violations.found.length === 0) checkTails(e, violations);
  violations.scales(e.scales);
  violations.unchanged(e);
  return violations.found;
}

function checkLengths(e: MackoEncoded, v: Violations): void {
  v.expect('indptr', null, 'indptr', e.indptr.length, e.rows + 1, 'rows + 1 elements');
  if (v.found.length > 0) return;
  const entries = entryCount(e);
  const values = (placesFor(entries) * VALUE_BITS[e.valueType]) / 8 / e.values.BYTES_PER_ELEMENT;
  v.expect('values', null, 'values', e.values.length, values, `${entries} entries rounded up to ${GROUP}`);
  const words = Math.ceil((entries * e.deltaBits) / 32);
  v.expect('deltas', null, 'deltas', e.deltas.length, words, `${entries} × ${e.deltaBits} bits in words`);
  v.expect('scales', null, 'length of scales', e.scales.length, scaleCount(entries, e.rows, e.valueType));
  if (e.nnz > entries) v.add('indptr', e.rows, `indptr[rows]: found ${entries}, expected at least nnz = ${e.nnz}`);
}

function checkColumns(e: MackoEncoded, v: Violations): void {
  const { deltas, deltaBits } = e;
  const full = reachOf(deltaBits) - 1;
  const mask = 2 ** deltaBits - 1;
  let mustBeValues = 0;
  let word = 0;
  let bit = 0;
  for (let r = 0; r < e.rows && !v.full; r++) {
    const end = e.indptr[r + 1];
    let column = -1;
    for (let i = e.indptr[r]; i < end; i++) {
      const stored = (deltas[word] >>> bit) & mask;
      bit += deltaBits;
      if (bit === 32) {
        bit = 0;
        word++;
      }
      column += stored + 1;
      // Padding is a zero with the largest delta, and never the last entry of its row.
      if (!isStoredZero(e, i) || stored !== full || i === end - 1) mustBeValues++;
    }
    if (column >= e.cols) {
      v.add('deltas', end - 1, `deltas of row ${r}: the last entry is at column ${column}, expected below ${e.cols}`);
    }
  }
  if (v.found.length === 0 && mustBeValues > e.nnz) {
    v.add('deltas', null, `entries that cannot be padding: found ${mustBeValues}, expected at most nnz = ${e.nnz}`);
  }
}

function checkTails(e: MackoEncoded, v: Violations): void {
  const entries = entryCount(e);
  for (let i = entries; i < placesFor(entries); i++) {
    if (!isStoredZero(e, i)) v.add('values', i, `values[${i}] in the tail: found a value other than 0, expected 0`);
  }
  const usedBits = (entries * e.deltaBits) % 32;
  const last = e.deltas.length - 1;
  if (usedBits > 0) v.expect('deltas', last, `deltas[${last}] above bit ${usedBits}`, e.deltas[last] >>> usedBits, 0);
}
