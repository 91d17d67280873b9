import { checksum } from '../../core/checksum.ts';
import type { EncodedMatrix, Violation } from '../../core/format.ts';
import { f16Value } from '../../core/number/index.ts';
import { type MackoParams, reachOf } from './params.ts';

/** Entries that one lane reads at a time, and what `values` is rounded up to. */
export const GROUP = 8;

/**
 * A matrix in MACKO form: row r occupies entries [indptr[r], indptr[r + 1]).
 *
 * | array  | dtype                   | length                               | meaning |
 * |--------|-------------------------|--------------------------------------|---------|
 * | values | u16 (f16 bits), f32, i8 | entries, rounded up to a multiple of 8 | non-zeros in row-major order; 0 for padding and for the tail |
 * | deltas | u32                     | ceil(entries * deltaBits / 32)       | column gap - 1 of entry i at bit i * deltaBits, low bits first; rows are not aligned |
 * | indptr | u32                     | rows + 1                             | first entry of each row, in entries |
 * | scales | f32                     | rows for i8, else 0                  | value of one i8 step in that row |
 *
 * The column of an entry is the sum of (stored + 1) over the row's entries up to it, minus 1.
 * Source: MACKO paper, section 3; authors' code for f16 with 4 bits. The other widths and types are ours.
 */
export interface MackoEncoded extends EncodedMatrix, MackoParams {
  readonly values: Uint16Array | Float32Array | Int8Array;
  readonly deltas: Uint32Array;
  readonly indptr: Uint32Array;
  readonly scales: Float32Array;
  /** hash of deltas and indptr as they were encoded; not part of the stored bytes */
  readonly checksum: number;
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

/** The number that entry i of `row` stands for. */
export function entryValue(e: MackoEncoded, row: number, i: number): number {
  switch (e.valueType) {
    case 'f16':
      return f16Value(e.values[i]);
    case 'f32':
      return e.values[i];
    case 'i8':
      return Math.fround(e.values[i] * e.scales[row]);
  }
}

/** Checks lengths ('cheap') or every element ('full', O(entries)). Stops after the first 20 violations. */
export function validate(e: MackoEncoded, level: 'cheap' | 'full'): readonly Violation[] {
  const found = lengthViolations(e);
  if (level === 'cheap' || found.length > 0) return found;
  rowViolations(e, found);
  if (found.length === 0) tailViolations(e, found);
  if (found.length === 0 && checksum(e.deltas, e.indptr) !== e.checksum) {
    found.push({
      array: 'deltas',
      index: null,
      message: 'deltas and indptr: they still describe a matrix, but not the one that was encoded',
    });
  }
  return found;
}

function lengthViolations(e: MackoEncoded): Violation[] {
  const found: Violation[] = [];
  const expect = (array: string, actual: number, expected: number, what: string): void => {
    if (actual !== expected) {
      found.push({ array, index: null, message: `${array}: found ${actual}, expected ${what} = ${expected}` });
    }
  };
  expect('indptr', e.indptr.length, e.rows + 1, 'rows + 1 elements');
  if (found.length > 0) return found;
  const entries = entryCount(e);
  expect('values', e.values.length, Math.ceil(entries / GROUP) * GROUP, `${entries} entries rounded up to ${GROUP}`);
  expect(
    'deltas',
    e.deltas.length,
    Math.ceil((entries * e.deltaBits) / 32),
    `${entries} x ${e.deltaBits} bits in words`,
  );
  expect('scales', e.scales.length, e.valueType === 'i8' ? e.rows : 0, 'one scale per row for i8, else none');
  expect('indptr', e.indptr[0], 0, 'indptr[0]');
  if (e.nnz > entries) {
    found.push({
      array: 'indptr',
      index: e.rows,
      message: `indptr[rows]: found ${entries}, expected at least nnz = ${e.nnz}`,
    });
  }
  return found;
}

const LIMIT = 20;

function rowViolations(e: MackoEncoded, found: Violation[]): void {
  const full = reachOf(e.deltaBits) - 1;
  let mustBeValues = 0;
  for (let r = 0; r < e.rows && found.length < LIMIT; r++) {
    const start = e.indptr[r];
    const end = e.indptr[r + 1];
    if (end < start) {
      const message = `indptr[${r + 1}]: found ${end}, expected at least indptr[${r}] = ${start}`;
      found.push({ array: 'indptr', index: r + 1, message });
      return;
    }
    let column = -1;
    for (let i = start; i < end; i++) {
      const stored = storedDelta(e, i);
      column += stored + 1;
      // Padding is a zero with the largest delta, and never the last entry of its row.
      if (e.values[i] !== 0 || stored !== full || i === end - 1) mustBeValues++;
      if (column >= e.cols) {
        const message = `deltas of row ${r}: entry ${i} is at column ${column}, expected below ${e.cols}`;
        found.push({ array: 'deltas', index: i, message });
        break;
      }
    }
  }
  if (found.length === 0 && mustBeValues > e.nnz) {
    const message = `entries that cannot be padding: found ${mustBeValues}, expected at most nnz = ${e.nnz}`;
    found.push({ array: 'deltas', index: null, message });
  }
}

function tailViolations(e: MackoEncoded, found: Violation[]): void {
  const entries = entryCount(e);
  for (let i = entries; i < e.values.length; i++) {
    if (e.values[i] !== 0) {
      found.push({ array: 'values', index: i, message: `values[${i}]: found ${e.values[i]} in the tail, expected 0` });
    }
  }
  const usedBits = (entries * e.deltaBits) % 32;
  const last = e.deltas.length - 1;
  if (usedBits > 0 && e.deltas[last] >>> usedBits !== 0) {
    const message = `deltas[${last}]: found bits set above bit ${usedBits}, expected 0 in the tail`;
    found.push({ array: 'deltas', index: last, message });
  }
}
