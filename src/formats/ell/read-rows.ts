import { OverflowError } from '../../core/errors.ts';
import { f16Table, VALUE_BITS } from '../../core/number/index.ts';
import type { EllEncoded } from './layout.ts';

/** Bytes of an array of `count` elements that is written word by word. */
export function wordBytes(elements: number, bits: number): number {
  return 4 * Math.ceil((elements * bits) / 32);
}

/**
 * The cells of the ELL rows that a kernel wrote with the capacity of `e`, row by row: words of values, then of indices,
 * then a count per row. Throws OverflowError for the first row that is longer than its slots; RangeError for an invalid
 * column. O(rows * (width + cols)).
 */
export function readRows(
  { rows, cols, width, valueType, indexBits }: Pick<EllEncoded, 'rows' | 'cols' | 'width' | 'valueType' | 'indexBits'>,
  words: Uint32Array<ArrayBuffer>,
): Float32Array {
  const places = rows * width;
  const indicesAt = words.byteOffset + wordBytes(places, VALUE_BITS[valueType]);
  const countsAt = indicesAt + wordBytes(places, indexBits);
  const counts = new Uint32Array(words.buffer, countsAt, rows);
  const isLong = (count: number): boolean => count > width;
  const first = counts.findIndex(isLong);
  if (first >= 0) {
    const long = counts.reduce((sum, count) => sum + (isLong(count) ? 1 : 0), 0);
    throw new OverflowError(
      `${long} of ${rows} rows overflow, the first at token ${first}: found ${counts[first]} non-zeros, expected at most ${width}; choose TwELL, or the hybrid`,
    );
  }
  const values =
    valueType === 'f16'
      ? new Uint16Array(words.buffer, words.byteOffset, places)
      : new Float32Array(words.buffer, words.byteOffset, places);
  const indices =
    indexBits === 16
      ? new Uint16Array(words.buffer, indicesAt, places)
      : new Uint32Array(words.buffer, indicesAt, places);
  const table = f16Table();
  const cells = new Float32Array(rows * cols);
  for (let r = 0; r < rows; r++) {
    for (let at = r; at < counts[r] * rows; at += rows) {
      if (indices[at] >= cols) {
        throw new RangeError(`indices[${at}]: found column ${indices[at]}, expected at most ${cols - 1}`);
      }
      cells[r * cols + indices[at]] = valueType === 'f16' ? table[values[at]] : values[at];
    }
  }
  return cells;
}
