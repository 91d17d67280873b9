import { admitValues } from '../../core/encoded/admission.ts';
import { sealSteps } from '../../core/encoded/checksum.ts';
import { allocate, lengthProblem } from '../../core/allocate.ts';
import { FormatError } from '../../core/errors.ts';
import type { Admission } from '../../core/format.ts';
import { rowsPerYield, type Steps } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { bf16FromF32Bits } from '../../core/number/index.ts';
import type { TwellEncoded } from './layout.ts';
import { overflowOf, overflowRefusal } from './overflow.ts';
import { capacityOf, PACKED_COLUMNS, slotsOf, tilesOf, type TwellParams } from './params.ts';

type Refusal = Admission & { readonly ok: false };

/** Why a matrix of this shape cannot be held, whatever its non-zeros; null if it can. O(1). */
function shapeRefusal({ rows, cols }: Matrix, p: TwellParams): Refusal | null {
  if (p.layout === 'packed' && cols > PACKED_COLUMNS) {
    return {
      ok: false,
      reason: `words: found ${cols} columns, expected at most ${PACKED_COLUMNS} for the 16 bits of a column`,
      remedy: 'Choose the split layout.',
    };
  }
  const array = p.layout === 'packed' ? 'words' : 'indices';
  const reason = lengthProblem(array, rows * tilesOf(cols, p) * slotsOf(p), 4);
  return reason ? { ok: false, reason, remedy: 'Choose a higher compression or a part of the matrix.' } : null;
}

/** The refusal of a matrix with a tile row that is too full; null if there is none. O(rows * cols) at worst. */
function overflowing(m: Matrix, p: TwellParams): Refusal | null {
  const overflow = overflowOf(m, p.tileWidth, capacityOf(p));
  return overflow ? overflowRefusal(overflow, m.cols, p) : null;
}

/** Admits matrices of which no tile row holds more non-zeros than it has slots. O(rows * cols) at worst. */
export function admits(m: Matrix, p: TwellParams): Admission {
  return shapeRefusal(m, p) ?? overflowing(m, p) ?? admitValues(m, p.valueType);
}

/**
 * Packs every tile row separately, in one pass: the position of a slot does not depend on anything that comes later.
 * O(rows * cols) at worst; memory: the result and one row. Throws FormatError with row, tile, count and slots if a tile
 * row overflows.
 */
export function* encodeSteps(m: Matrix, p: TwellParams): Steps<TwellEncoded> {
  const { rows, cols, nnz } = m;
  const refused = shapeRefusal(m, p);
  if (refused) throw new FormatError(refused.reason);
  const slots = slotsOf(p);
  const tiles = tilesOf(cols, p);
  const places = rows * tiles * slots;
  const isPacked = p.layout === 'packed';
  const words = allocate('words', Uint32Array, isPacked ? places : 0);
  const values = allocate('values', Uint16Array, isPacked ? 0 : places);
  const indices = allocate('indices', Uint32Array, isPacked ? 0 : places);
  const counts = allocate('counts', Uint32Array, isPacked ? 0 : rows * tiles);
  const e = { rows, cols, nnz, ...p, tiles, slots, words, values, indices, counts };
  const buffer = rowBuffer(cols);
  const bits = new Uint32Array(buffer.values.buffer);
  const packRow = isPacked ? packWords : packSplit;
  const pause = rowsPerYield(cols);
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, buffer);
    if (!packRow(e, r, buffer.columns, bits, n)) {
      // The sentence of `admits`, which counts all tile rows that overflow.
      const refusal = overflowing(m, p);
      if (refusal) throw new FormatError(refusal.reason);
    }
    if (r % pause === pause - 1) yield { what: 'packing tiles', done: r + 1, total: rows };
  }
  return yield* sealSteps(e, rows);
}

/** The encoding while it is filled. */
type TwellArrays = Omit<TwellEncoded, 'checksums'>;

/** Packs a row of n non-zeros into words; false if a tile has more of them than words after the count. */
function packWords(
  { words, slots, tiles, tileWidth }: TwellArrays,
  row: number,
  columns: Uint32Array,
  bits: Uint32Array,
  n: number,
): boolean {
  let at = 0;
  while (at < n) {
    const tile = Math.floor(columns[at] / tileWidth);
    const end = (tile + 1) * tileWidth;
    // step: tile-packed
    const first = (row * tiles + tile) * slots;
    let count = 0;
    while (at < n && columns[at] < end) {
      // step: overflow-packed
      if (++count === slots) return false;
      // step: slot-packed
      words[first + count] = (bf16FromF32Bits(bits[at]) << 16) | columns[at];
      at++;
    }
    // step: count-packed
    words[first] = count;
  }
  return true;
}

/** Packs a row of n non-zeros into values, indices and counts; false if a tile has more of them than slots. */
function packSplit(
  { values, indices, counts, slots, tiles, tileWidth }: TwellArrays,
  row: number,
  columns: Uint32Array,
  bits: Uint32Array,
  n: number,
): boolean {
  let at = 0;
  while (at < n) {
    const tile = Math.floor(columns[at] / tileWidth);
    const end = (tile + 1) * tileWidth;
    // step: tile-split
    const first = (row * tiles + tile) * slots;
    let count = 0;
    while (at < n && columns[at] < end) {
      // step: overflow-split
      if (count === slots) return false;
      // step: slot-split
      values[first + count] = bf16FromF32Bits(bits[at]);
      indices[first + count] = columns[at];
      count++;
      at++;
    }
    // step: count-split
    counts[row * tiles + tile] = count;
  }
  return true;
}
