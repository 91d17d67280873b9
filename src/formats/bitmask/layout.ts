import type { EncodedMatrix, Violation } from '../../core/format.ts';
import { type EntryArrays, type EntryType, scaleCount, VALUE_BITS } from '../../core/number/index.ts';
import { Violations } from '../../core/encoded/violations.ts';

/**
 * One bit per cell and the non-zeros behind each other. Cell (i, j) has bit j % 32 of
 * mask[i * wordsPerRow + floor(j / 32)]; the value of a set bit is values[rowPtr[i] + set bits before it in the row].
 *
 * | array | dtype | length | meaning |
 * |---|---|---|---|
 * | values | f16 bits in u16, f32, i8 | nnz | non-zeros in row-major order |
 * | values | two i4 in a u8 | ceil(nnz / 2) | value i in half i % 2 of byte floor(i / 2), the lower first; 8 means 0 |
 * | mask | u32 | rows * wordsPerRow | 1 where a value is stored; 0 past the last column of a row |
 * | rowPtr | u32 | rows + 1 | values before row i |
 * | scales | f32 | rows for i8, 0 for floats | value of one i8 step in that row |
 * | scales | f16 bits in u16 | ceil(nnz / 32) for i4 | value of one step of values 32 i to 32 i + 31, of either sign |
 *
 * A value that rounds to 0 keeps its bit.
 */
export interface BitmaskEncoded extends EncodedMatrix, EntryArrays {
  readonly valueType: EntryType;
  /** ceil(cols / 32): a row is a whole number of words */
  readonly wordsPerRow: number;
  readonly mask: Uint32Array;
  readonly rowPtr: Uint32Array;
}

/** Bits of a mask word. */
export const WORD_BITS = 32;

/** Number of set bits. Source: Warren, Hacker's Delight, section 5-1. */
export function popcount(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Position of the lowest set bit; `word` is not 0. Fast for 32-bit integers with a sign: pass `word | 0`. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** The checks of `validate` per array besides length and checksum. */
export const rules = {
  values: null,
  mask: 'as many bits as the row has values; 0 past the last column',
  rowPtr: 'from 0 to nnz, never descending',
  scales: 'finite; above 0 for i8',
} as const;

/**
 * 'cheap' O(1): the lengths. 'full' O(rows * wordsPerRow): offsets ascend and end at nnz, the bits of every row are as
 * many as its values, no bit lies past the last column, and every array is the one that was encoded.
 */
export function validate(e: BitmaskEncoded, level: 'cheap' | 'full'): readonly Violation[] {
  const v = new Violations();
  const { rows, cols, nnz, wordsPerRow, valueType, values, mask, rowPtr, scales } = e;
  v.expect('mask', null, 'wordsPerRow', wordsPerRow, Math.ceil(cols / WORD_BITS), 'cols / 32 rounded up');
  const bytes = Math.ceil((nnz * VALUE_BITS[valueType]) / 8);
  v.expect('values', null, 'bytes of values', values.byteLength, bytes, `${nnz} of ${VALUE_BITS[valueType]} bits`);
  v.expect('mask', null, 'length of mask', mask.length, rows * wordsPerRow, 'rows * wordsPerRow');
  v.expect('rowPtr', null, 'length of rowPtr', rowPtr.length, rows + 1, 'rows + 1');
  v.expect('scales', null, 'length of scales', scales.length, scaleCount(nnz, rows, valueType));
  if (level === 'cheap' || v.found.length > 0) return v.found;

  v.offsets('rowPtr', rowPtr, nnz, 'nnz');
  const lastBits = cols % WORD_BITS;
  for (let r = 0; r < rows && !v.full; r++) {
    let bits = 0;
    for (let w = r * wordsPerRow; w < (r + 1) * wordsPerRow; w++) bits += popcount(mask[w]);
    v.expect('mask', r * wordsPerRow, `set bits in row ${r}`, bits, rowPtr[r + 1] - rowPtr[r], 'values of the row');
    const last = (r + 1) * wordsPerRow - 1;
    if (lastBits > 0 && mask[last] >>> lastBits !== 0) {
      v.add('mask', last, `mask[${last}]: found bits set past column ${cols - 1}, expected 0 there`);
    }
  }
  v.scales(scales);
  v.unchanged(e);
  return v.found;
}
