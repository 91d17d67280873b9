import { addChecksumSteps } from '../../core/encoded/checksum.ts';
import { requireRepresentable } from '../../core/encoded/admission.ts';
import { allocate } from '../../core/allocate.ts';
import { FormatError } from '../../core/errors.ts';
import { rowsPerYield, type Steps } from '../../core/job.ts';
import { DenseMatrix, type Matrix, type RowBuffer, rowBuffer } from '../../core/matrix/index.ts';
import { entryStore, f16FromF32Bits } from '../../core/number/index.ts';
import { encodeDenseSteps } from './dense-rows.ts';
import { type MackoEncoded, paddedLength } from './layout.ts';
import type { MackoParams } from './params.ts';

/**
 * Encodes a matrix to the same arrays as the declared encoder (encoding.ts), but faster: one pass over the rows counts
 * the entries, another fills the arrays. Dense cells with the default parameters use WebAssembly (dense-rows.ts), with
 * the same result. O(rows * cols) at worst; memory: the result and one row. Throws FormatError above 2^32 - 1 entries.
 */
export function* encodeSteps(m: Matrix, { deltaBits, valueType }: MackoParams): Steps<MackoEncoded> {
  const { rows, cols, nnz } = m;
  if (m instanceof DenseMatrix && deltaBits === 4 && valueType === 'f16') {
    const encoded = yield* encodeDenseSteps(m);
    if (encoded)
      return yield* addChecksumSteps(
        { rows, cols, nnz, deltaBits, valueType, ...encoded, scales: new Float32Array(0) },
        rows,
      );
  }
  const buffer = rowBuffer(cols);
  const indptr = new Uint32Array(rows + 1);
  const rowsPerStep = rowsPerYield(cols);
  let entries = 0;
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, buffer);
    requireRepresentable(buffer, n, r, valueType);
    entries += n + paddingOf(buffer.columns, n, deltaBits);
    if (entries >= 2 ** 32) {
      throw new FormatError(
        `row ${r}: found more than ${2 ** 32 - 1} entries, expected entry numbers that fit in 32 bits`,
      );
    }
    indptr[r + 1] = entries;
    if (r % rowsPerStep === 0) yield { what: 'counting rows', done: r, total: 2 * rows };
  }
  const store = entryStore(valueType, entries, rows, paddedLength(entries));
  const { values, scales } = store;
  const deltas = allocate('deltas', Uint32Array, Math.ceil((entries * deltaBits) / 32));
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, buffer);
    if (values instanceof Uint16Array) fillF16(buffer, n, values, indptr[r], deltas, deltaBits);
    else fillRow(buffer, n, indptr[r], deltas, deltaBits, store.rowStore(r, buffer.values, n));
    if (r % rowsPerStep === 0) yield { what: 'packing rows', done: rows + r, total: 2 * rows };
  }
  store.finish();
  return yield* addChecksumSteps({ rows, cols, nnz, deltaBits, valueType, values, deltas, indptr, scales }, 2 * rows);
}

/** Number of stored zeros of a row: a gap of g columns needs ceil(g / 2^deltaBits) - 1. */
function paddingOf(columns: Uint32Array, n: number, deltaBits: number): number {
  let padding = 0;
  let previous = -1;
  for (let i = 0; i < n; i++) {
    padding += (columns[i] - previous - 1) >>> deltaBits;
    previous = columns[i];
  }
  return padding;
}

/** Writes a row of f16 values to entries from `entry` on. The current word of deltas is a local variable, for speed. */
function fillF16(
  { columns, values: numbers }: RowBuffer,
  n: number,
  values: Uint16Array,
  entry: number,
  deltas: Uint32Array,
  deltaBits: number,
): void {
  const bits = new Uint32Array(numbers.buffer, numbers.byteOffset, n);
  const reach = 1 << deltaBits;
  let wordIndex = Math.floor((entry * deltaBits) / 32);
  let bit = (entry * deltaBits) % 32;
  let word = bit === 0 ? 0 : deltas[wordIndex];
  let previous = -1;
  for (let i = 0; i < n; i++) {
    let gap = columns[i] - previous;
    previous = columns[i];
    while (gap > reach) {
      word |= (reach - 1) << bit;
      entry++;
      gap -= reach;
      bit += deltaBits;
      if (bit === 32) {
        deltas[wordIndex++] = word;
        word = bit = 0;
      }
    }
    values[entry++] = f16FromF32Bits(bits[i]);
    word |= (gap - 1) << bit;
    bit += deltaBits;
    if (bit === 32) {
      deltas[wordIndex++] = word;
      word = bit = 0;
    }
  }
  if (bit !== 0) deltas[wordIndex] = word;
}

/** Like `fillF16`, for the other value types: `store` receives an entry and its value. */
function fillRow(
  { columns, values: numbers }: RowBuffer,
  n: number,
  entry: number,
  deltas: Uint32Array,
  deltaBits: number,
  store: (entry: number, value: number) => void,
): void {
  const reach = 1 << deltaBits;
  let previous = -1;
  const pack = (delta: number): void => {
    const bit = entry * deltaBits;
    deltas[Math.floor(bit / 32)] |= delta << (bit % 32);
    entry++;
  };
  for (let i = 0; i < n; i++) {
    let gap = columns[i] - previous;
    previous = columns[i];
    for (; gap > reach; gap -= reach) pack(reach - 1);
    store(entry, numbers[i]);
    pack(gap - 1);
  }
}
