import { OverflowError } from '../../core/errors.ts';
import { bf16Table } from '../../core/number/index.ts';
import type { Sizes } from '../../core/operations/operation.ts';
import { counted } from '../../core/text/words.ts';
import { type HybridEncoded, NONE } from './layout.ts';

/** The end of messages about a tail that is too small. */
const TAIL_REMEDY = 'the capacity of the tail; choose more row slots, or a larger tail';

/** Shape and capacities of a hybrid (short rows in `slots` slots, longer ones dense in a tail) that a kernel wrote. */
export interface ConvertedShape {
  readonly rows: number;
  readonly cols: number;
  readonly slots: number;
  readonly tailCapacity: number;
}

/** The arrays of a hybrid that a kernel wrote, as defined in src/formats/hybrid/layout.ts. */
export interface ConvertedArrays {
  readonly values: Uint16Array;
  readonly indices: Uint16Array;
  readonly counts: Uint32Array;
  /** sum of magnitudes of each row; empty if the kernel writes no statistics */
  readonly magnitudes: Float32Array;
  /** number of TwELL tiles of each row that lost non-zeros; empty likewise */
  readonly lost: Uint32Array;
  readonly tailMap: Uint32Array;
  readonly tailRows: Uint32Array;
  readonly tail: Uint16Array;
}

/** Bytes of two-byte elements, rounded up to whole u32 words. */
export function wordBytes(elements: number): number {
  return 4 * Math.ceil(elements / 2);
}

/**
 * The arrays in the output of a kernel that converts to the hybrid, one after the other in whole words.
 * `withStatistics`: whether the kernel writes `magnitudes` and `lost`. O(rows).
 */
export function convertedArrays(
  shape: ConvertedShape,
  words: Uint32Array<ArrayBuffer>,
  withStatistics: boolean,
): ConvertedArrays {
  const { rows, cols, slots, tailCapacity } = shape;
  let offset = words.byteOffset;
  const u16 = (length: number): Uint16Array => {
    const array = new Uint16Array(words.buffer, offset, length);
    offset += wordBytes(length);
    return array;
  };
  const u32 = (length: number): Uint32Array => {
    const array = new Uint32Array(words.buffer, offset, length);
    offset += 4 * length;
    return array;
  };
  const values = u16(rows * slots);
  const indices = u16(rows * slots);
  const counts = u32(rows);
  const statistics = u32(withStatistics ? 2 * rows : 0);
  const magnitudeBits = statistics.filter((_, i) => i % 2 === 0);
  return {
    values,
    indices,
    counts,
    magnitudes: new Float32Array(magnitudeBits.buffer),
    lost: statistics.filter((_, i) => i % 2 === 1),
    tailMap: u32(rows),
    tailRows: u32(tailCapacity),
    tail: u16(tailCapacity * cols),
  };
}

/** The arrays of a hybrid with the pattern of `e`, and values and tail from the output of 'hybrid/fill'. O(1). */
export function filledArrays(e: HybridEncoded, words: Uint32Array<ArrayBuffer>): ConvertedArrays {
  const { buffer, byteOffset } = words;
  const values = new Uint16Array(buffer, byteOffset, e.values.length);
  const tail = new Uint16Array(buffer, byteOffset + wordBytes(values.length), e.tail.length);
  return { ...e, values, tail, magnitudes: new Float32Array(0), lost: new Uint32Array(0) };
}

/**
 * The cells of a hybrid that a kernel wrote, row by row. Throws OverflowError if TwELL, the intermediate format, lost
 * non-zeros, or if the tail was too small; RangeError for an invalid column or tail row. O(rows * slots + tail).
 */
export function cellsOf(shape: ConvertedShape, arrays: ConvertedArrays): Float32Array {
  const { rows, cols, slots } = shape;
  rejectLost(shape, arrays);
  rejectFullTail(shape, arrays);
  const { values, indices, counts, tailMap, tailRows, tail } = arrays;
  const table = bf16Table();
  const cells = new Float32Array(rows * cols);
  for (let r = 0; r < rows; r++) {
    if (counts[r] > slots) {
      const position = tailMap[r];
      if (tailRows[position] !== r) {
        throw new RangeError(`tailMap[${r}]: found ${position}, expected the tail row of row ${r}`);
      }
      for (let c = 0; c < cols; c++) cells[r * cols + c] = table[tail[position * cols + c]];
      continue;
    }
    if (tailMap[r] !== NONE) throw new RangeError(`tailMap[${r}]: found ${tailMap[r]}, expected none`);
    for (let i = r * slots; i < r * slots + counts[r]; i++) {
      if (indices[i] >= cols) {
        throw new RangeError(`indices[${i}]: found column ${indices[i]}, expected at most ${cols - 1}`);
      }
      cells[r * cols + indices[i]] = table[values[i]];
    }
  }
  return cells;
}

/**
 * y of a feed-forward block from its kernel's output: y, then a number per token: 0 or, if the token did not fit in
 * the tail, its non-zeros. Throws OverflowError for such tokens.
 */
export function readTokens(e: ConvertedShape, words: Uint32Array<ArrayBuffer>, { width }: Sizes): Float32Array {
  const tooMany = words.subarray(e.rows * width);
  const first = tooMany.findIndex((count) => count > 0);
  if (first >= 0) {
    const tokens = tooMany.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
    throw new OverflowError(
      `${whichOverflow(tokens, e.rows, first)}: found ${tooMany[first]} non-zeros, expected at most ${e.slots} in all rows but ${e.tailCapacity}, ${TAIL_REMEDY}`,
    );
  }
  return new Float32Array(words.buffer, words.byteOffset, e.rows * width);
}

/** Throws OverflowError if TwELL, the intermediate format, lost non-zeros. */
function rejectLost({ rows }: ConvertedShape, { lost }: ConvertedArrays): void {
  const first = lost.findIndex((tileRows) => tileRows > 0);
  if (first < 0) return;
  const lossy = lost.reduce((sum, tileRows) => sum + (tileRows > 0 ? 1 : 0), 0);
  throw new OverflowError(
    `${whichOverflow(lossy, rows, first, ' of TwELL')}: found ${counted(lost[first], 'tile row')} with lost non-zeros, expected none; choose the conversion from full rows`,
  );
}

/** Throws OverflowError if not all long rows fit in the tail. */
function rejectFullTail({ rows, slots, tailCapacity }: ConvertedShape, { counts }: ConvertedArrays): void {
  let long = 0;
  let first = -1;
  for (let r = 0; r < rows; r++) {
    if (counts[r] <= slots) continue;
    if (long === tailCapacity) first = r;
    long++;
  }
  if (long <= tailCapacity) return;
  throw new OverflowError(
    `${whichOverflow(long - tailCapacity, rows, first)}: found ${long} rows with more than ${slots} non-zeros, expected at most ${tailCapacity}, ${TAIL_REMEDY}`,
  );
}

/** Which rows overflow; `format`: ' of TwELL' for its rows, '' for rows of the hybrid format. */
function whichOverflow(count: number, rows: number, first: number, format = ''): string {
  return count === 1
    ? `row ${first}${format} overflows`
    : `${count} of ${rows} rows${format} overflow, the first at row ${first}`;
}

/**
 * A dense matrix with, at every non-zero of `e`, its number in `plane`; 0 elsewhere. `plane`: a number for each slot,
 * then for each cell of the tail. O(rows * cols).
 */
export function cellsOfPlane(e: HybridEncoded, plane: Float32Array): Float32Array {
  const { rows, cols, slots, values, indices, counts, tailMap, tail } = e;
  const cells = new Float32Array(rows * cols);
  for (let r = 0; r < rows; r++) {
    const first = r * cols;
    if (tailMap[r] === NONE) {
      for (let i = r * slots; i < r * slots + counts[r]; i++) {
        if (!isZeroBf16(values[i])) cells[first + indices[i]] = plane[i];
      }
    } else {
      const cell = tailMap[r] * cols;
      for (let c = 0; c < cols; c++) if (!isZeroBf16(tail[cell + c])) cells[first + c] = plane[rows * slots + cell + c];
    }
  }
  return cells;
}

const isZeroBf16 = (bits: number): boolean => (bits & 0x7fff) === 0;
