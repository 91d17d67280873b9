import { rowsPerYield } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { bf16FromF32Bits } from '../../core/number/index.ts';
import type { TwellEncoded } from './layout.ts';
import { capacityOf, slotsOf, tilesOf } from './params.ts';

/** The encoded matrix while its arrays are filled. */
type TwellArrays = Omit<TwellEncoded, 'checksums'>;
type Sizes = Pick<TwellEncoded, 'tiles' | 'slots'>;

/** Fills the arrays like encoding.ts, but faster. Returns false if a tile of a row overflows. O(rows * cols). */
export function* encodeRows(m: Matrix, arrays: Omit<TwellArrays, keyof Sizes>): Generator<number, Sizes | false, void> {
  const sizes = { tiles: tilesOf(m.cols, arrays), slots: slotsOf(arrays) };
  const e = { ...arrays, ...sizes };
  const buffer = rowBuffer(m.cols);
  const bits = new Uint32Array(buffer.values.buffer);
  const pause = rowsPerYield(m.cols);
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    if (!packRow(e, r, buffer.columns, bits, n)) return false;
    if (r % pause === pause - 1) yield r + 1;
  }
  return sizes;
}

/** Packs a row of n non-zeros into the arrays of the layout; false if the row has too many for one of its tiles. */
function packRow(e: TwellArrays, row: number, columns: Uint32Array, bits: Uint32Array, n: number): boolean {
  const { words, values, indices, counts, slots, tiles, tileWidth } = e;
  const isPacked = e.layout === 'packed';
  const capacity = capacityOf(e);
  let at = 0;
  while (at < n) {
    const tile = Math.floor(columns[at] / tileWidth);
    const end = (tile + 1) * tileWidth;
    const first = (row * tiles + tile) * slots;
    let count = 0;
    for (; at < n && columns[at] < end; at++) {
      if (count === capacity) return false;
      const value = bf16FromF32Bits(bits[at]);
      if (isPacked) words[first + 1 + count] = (value << 16) | columns[at];
      else {
        values[first + count] = value;
        indices[first + count] = columns[at];
      }
      count++;
    }
    if (isPacked) words[first] = count;
    else counts[row * tiles + tile] = count;
  }
  return true;
}
