import { OverflowError } from '../../core/errors.ts';
import { bf16Table } from '../../core/number/index.ts';
import type { Sizes } from '../../core/operations/operation.ts';
import { counted } from '../../core/story/words.ts';
import type { TwellEncoded } from './layout.ts';
import { overflowCount } from './overflow.ts';
import { capacityOf } from './params.ts';

/**
 * h in full, from the packed words that a kernel wrote: tokens x neurons, row by row. A tile row records how many
 * non-zeros there were, even if they did not fit: then OverflowError reports how many tile rows overflow and the first
 * of them, since the lost values are unknown here. Throws RangeError for a column outside its tile. O(words + rows *
 * cols).
 */
export function readPacked(
  e: Pick<TwellEncoded, 'rows' | 'cols' | 'tiles' | 'slots' | 'tileWidth' | 'compression' | 'layout'>,
  words: Uint32Array,
): Float32Array {
  const { rows, cols, tiles, slots, tileWidth } = e;
  const capacity = capacityOf(e);
  const table = bf16Table();
  const h = new Float32Array(rows * cols);
  let overflowing = 0;
  let first = -1;
  for (let tileRow = 0; tileRow < rows * tiles; tileRow++) {
    const count = words[tileRow * slots];
    if (count > capacity) {
      if (overflowing++ === 0) first = tileRow;
      continue;
    }
    const token = Math.floor(tileRow / tiles);
    const from = (tileRow % tiles) * tileWidth;
    const to = Math.min(from + tileWidth, cols);
    for (let i = 1; i <= count; i++) {
      const word = words[tileRow * slots + i];
      const column = word & 0xffff;
      if (column < from || column >= to) {
        throw new RangeError(`words[${tileRow * slots + i}]: found column ${column}, expected ${from} to ${to - 1}`);
      }
      h[token * cols + column] = table[word >>> 16];
    }
  }
  if (overflowing > 0) {
    throw new OverflowError(
      `token ${Math.floor(first / tiles)}, tile ${first % tiles}: found ${words[first * slots]} non-zeros, expected at most ${capacity}; ${overflowCount(overflowing, rows * tiles, 'tile row')}; choose a smaller compression, or the hybrid`,
    );
  }
  return h;
}

/**
 * The block's output, tokens x width, from the kernel's output and the number of overflowing tile rows of every token.
 * Throws OverflowError if there are any.
 */
export function readTokens(
  e: Pick<TwellEncoded, 'rows' | 'tileWidth' | 'compression' | 'layout'>,
  words: Uint32Array<ArrayBuffer>,
  { width }: Sizes,
): Float32Array {
  const lost = words.subarray(e.rows * width);
  const first = lost.findIndex((tileRows) => tileRows > 0);
  if (first >= 0) {
    const tokens = lost.reduce((sum, tileRows) => sum + (tileRows > 0 ? 1 : 0), 0);
    throw new OverflowError(
      `token ${first}: found ${counted(lost[first], 'tile row')} with more than ${capacityOf(e)} non-zeros, expected none; ${overflowCount(tokens, e.rows, 'token')}; choose a smaller compression, or the hybrid`,
    );
  }
  return new Float32Array(words.buffer, words.byteOffset, e.rows * width);
}
