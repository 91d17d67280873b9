/* A fast encoder of dense matrices in MACKO with f16 values and 4-bit deltas: the WebAssembly module dense-rows.wat. */

import { allocate } from '../../core/allocate.ts';
import { FormatError } from '../../core/errors.ts';
import type { Steps } from '../../core/job.ts';
import type { DenseMatrix } from '../../core/matrix/index.ts';
import { wasmModule } from '../../core/wasm/wasm-module.ts';
import { DENSE_ROWS_MODULE } from './dense-rows-module.ts';
import { GROUP, type MackoEncoded } from './layout.ts';

/**
 * Exports of dense-rows.wat. `rows` and `cells` (of a row) are counts, the other arguments addresses. `encode` returns the end
 * of the deltas.
 */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  encode(source: number, rows: number, cells: number, values: number, deltas: number, counts: number): number;
  pack(from: number, end: number, to: number): void;
}

const PAGE_BYTES = 65536;
/** Cells that are encoded at a time: together with their results less than the L2 cache of a core. */
const BATCH_CELLS = 2 ** 16;
/** Cells between pauses for other work of the thread: a few ms. */
const YIELD_CELLS = 2 ** 20;
/** Deltas of 4 bits in a byte, and in a word. */
const DELTAS_PER_BYTE = 2;
const DELTAS_PER_WORD = 8;
/** Elements up to which the result is copied, so that it does not keep a larger buffer. */
const COPIED_ELEMENTS = 2 ** 20;
/** Cells that the module encodes at once. The cells of a row are padded to a multiple of this number. */
const WRITE_CELLS = 8;
/** Bytes that the module may write past an output. */
const SLACK = 16;
/**
 * Two tables at the start of the memory. For each mask of non-zeros among 8 cells, the first has the 16 byte indices that move
 * the non-zeros' f16 values to the front; the second, which begins at DELTAS_TABLE, has the 8 deltas between them.
 */
const TABLE_BYTES = 6144;
const DELTAS_TABLE = 4096;
const INDICES_PER_MASK = 16;
/** The widest column gap that a delta of 4 bits can store; wider gaps need padding. */
const REACH = 16;

const openModule = wasmModule<Exports>(DENSE_ROWS_MODULE);

/** The WebAssembly module, with its tables filled; null without SIMD. */
function openWithTables(): Exports | null {
  const wasm = openModule();
  if (wasm === null) return null;
  const tables = new Uint8Array(wasm.memory.buffer, 0, TABLE_BYTES);
  for (let mask = 0; mask < 2 ** WRITE_CELLS; mask++) {
    let count = 0;
    let previous = -1;
    for (let cell = 0; cell < WRITE_CELLS; cell++) {
      if (((mask >> cell) & 1) === 0) continue;
      tables[INDICES_PER_MASK * mask + 2 * count] = 2 * cell;
      tables[INDICES_PER_MASK * mask + 2 * count + 1] = 2 * cell + 1;
      tables[DELTAS_TABLE + WRITE_CELLS * mask + count] = previous < 0 ? 0 : cell - previous - 1;
      previous = cell;
      count++;
    }
    // Bytes past the last cell are 0: indices above 15 give zeros.
    tables.fill(0x80, INDICES_PER_MASK * mask + 2 * count, INDICES_PER_MASK * (mask + 1));
  }
  return wasm;
}

/**
 * Encodes a dense matrix in MACKO, with f16 values and deltas of four bits, by WebAssembly with SIMD in one pass over
 * the cells: the same arrays as from encode.ts. Null without SIMD. O(cells); memory: the result, and address space for
 * as much padding as there could be, which is never written to. Throws FormatError if entries do not fit a u32.
 */
export function* encodeDenseSteps(m: DenseMatrix): Steps<Pick<MackoEncoded, 'values' | 'deltas' | 'indptr'> | null> {
  const { rows, cols, nnz } = m;
  const wasm = cols > 0 ? openWithTables() : null;
  if (wasm === null) return null;
  const stride = WRITE_CELLS * Math.ceil(cols / WRITE_CELLS);
  const batchRows = Math.max(1, Math.min(rows, Math.floor(BATCH_CELLS / stride)));
  // An upper bound of a batch's entries (all cells, and padding), with deltas of the batch before and slack.
  const maxDeltas = batchRows * (stride + Math.ceil(stride / REACH)) + DELTAS_PER_WORD + SLACK;
  const source = TABLE_BYTES;
  const counts = source + 4 * batchRows * stride;
  const valuesAt = counts + 4 * batchRows;
  const deltasAt = SLACK * Math.ceil((valuesAt + 2 * maxDeltas) / SLACK);
  const packedAt = SLACK * Math.ceil((deltasAt + maxDeltas) / SLACK);
  const missingPages = Math.ceil(
    (packedAt + maxDeltas / DELTAS_PER_BYTE + SLACK - wasm.memory.buffer.byteLength) / PAGE_BYTES,
  );
  if (missingPages > 0) growOrThrow(wasm, missingPages);
  // Layout of the module's memory: tables, cells of a batch, counts, values, deltas as bytes, packed deltas.
  const { buffer } = wasm.memory;
  const cells = new Float32Array(buffer, source, batchRows * stride);
  const bytes = new Uint8Array(buffer);

  // The amount of padding is known only at the end: at most one entry for every REACH zeros.
  const maxEntries = nnz + Math.floor((rows * cols - nnz) / REACH);
  const values = allocate('values', Uint16Array, Math.ceil(maxEntries / GROUP) * GROUP);
  const deltas = allocate('deltas', Uint32Array, Math.ceil(maxEntries / DELTAS_PER_WORD));
  const indptr = new Uint32Array(rows + 1);
  let entries = 0;
  let deltaWords = 0;
  let cellsSinceYield = 0;
  /** deltas that the batch before left at deltasAt: less than a word */
  let carried = 0;
  for (let row = 0; row < rows; row += batchRows) {
    const rowCount = Math.min(batchRows, rows - row);
    if (stride === cols) cells.set(m.data.subarray(row * cols, (row + rowCount) * cols));
    else {
      for (let r = 0; r < rowCount; r++) {
        cells.set(m.data.subarray((row + r) * cols, (row + r + 1) * cols), r * stride);
        cells.fill(0, r * stride + cols, (r + 1) * stride);
      }
    }
    const end = wasm.encode(source, rowCount, stride, valuesAt, deltasAt + carried, counts);
    const entriesOfRows = new Uint32Array(buffer, counts, rowCount);
    const entriesBefore = entries;
    for (let r = 0; r < rowCount; r++) {
      entries += entriesOfRows[r];
      if (entries >= 2 ** 32) {
        throw new FormatError(
          `row ${row + r}: found more than ${2 ** 32 - 1} entries, expected entry numbers that fit in 32 bits`,
        );
      }
      indptr[row + r + 1] = entries;
    }
    const unpacked = end - deltasAt;
    const isLast = row + rowCount === rows;
    // An incomplete word waits for the next batch; the last one is padded with zeros.
    const packed = isLast
      ? DELTAS_PER_WORD * Math.ceil(unpacked / DELTAS_PER_WORD)
      : unpacked - (unpacked % DELTAS_PER_WORD);
    bytes.fill(0, end, end + SLACK);
    wasm.pack(deltasAt, deltasAt + packed, packedAt);
    values.set(new Uint16Array(buffer, valuesAt, entries - entriesBefore), entriesBefore);
    deltas.set(new Uint32Array(buffer, packedAt, packed / DELTAS_PER_WORD), deltaWords);
    deltaWords += packed / DELTAS_PER_WORD;
    carried = unpacked - Math.min(unpacked, packed);
    bytes.copyWithin(deltasAt, deltasAt + packed, deltasAt + packed + carried);
    cellsSinceYield += rowCount * stride;
    if (cellsSinceYield >= YIELD_CELLS) {
      cellsSinceYield = 0;
      yield { what: 'packing rows', done: row + rowCount, total: rows };
    }
  }
  return { values: trimmed(values, Math.ceil(entries / GROUP) * GROUP), deltas: trimmed(deltas, deltaWords), indptr };
}

/** The first `length` elements: as a copy if a copy is cheap, so that their buffer contains nothing else. */
function trimmed<A extends Uint16Array | Uint32Array>(array: A, length: number): A {
  return (length <= COPIED_ELEMENTS ? array.slice(0, length) : array.subarray(0, length)) as A;
}

/** Adds pages of 64 KiB to the memory. Throws FormatError if there are none. */
function growOrThrow(wasm: Exports, pages: number): void {
  try {
    wasm.memory.grow(pages);
  } catch {
    throw new FormatError(
      `row: needs ${((pages * PAGE_BYTES) / 1e9).toFixed(2)} GB for the cells of a row, which could not be allocated; expected that much free memory`,
    );
  }
}
