import { rowsPerYield } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { bf16FromF32Bits } from '../../core/number/index.ts';
import type { TwellEncoded } from './layout.ts';
import { slotsOf, tilesOf } from './params.ts';

/** The encoding while it is filled. */
type TwellArrays = Omit<TwellEncoded, 'checksums'>;
type Numbers = Pick<TwellEncoded, 'tiles' | 'slots'>;

/** Packs row by row and visits only tiles that hold something. O(rows * cols) at worst; memory: one row. */
export function* fill(m: Matrix, arrays: Omit<TwellArrays, keyof Numbers>): Generator<number, Numbers | false, void> {
  const numbers = { tiles: tilesOf(m.cols, arrays), slots: slotsOf(arrays) };
  const e = { ...arrays, ...numbers };
  const buffer = rowBuffer(m.cols);
  const bits = new Uint32Array(buffer.values.buffer);
  const packRow = e.layout === 'packed' ? packWords : packSplit;
  const pause = rowsPerYield(m.cols);
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    if (!packRow(e, r, buffer.columns, bits, n)) return false;
    if (r % pause === pause - 1) yield r + 1;
  }
  return numbers;
}

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
    const first = (row * tiles + tile) * slots;
    let count = 0;
    while (at < n && columns[at] < end) {
      if (++count === slots) return false;
      words[first + count] = (bf16FromF32Bits(bits[at]) << 16) | columns[at];
      at++;
    }
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
    const first = (row * tiles + tile) * slots;
    let count = 0;
    while (at < n && columns[at] < end) {
      if (count === slots) return false;
      values[first + count] = bf16FromF32Bits(bits[at]);
      indices[first + count] = columns[at];
      count++;
      at++;
    }
    counts[row * tiles + tile] = count;
  }
  return true;
}
