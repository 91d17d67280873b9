import { entryValue } from '../../core/number/index.ts';
import { finish } from '../../core/job.ts';
import { decode } from './decode.ts';
import { encodeSteps } from './encode.ts';
import { type MackoEncoded, storedDelta } from './layout.ts';

/** The arrays of a MACKO matrix (layout.ts) as `convertKernel`, the encoder on the GPU, wrote them. */
export interface ConvertedArrays {
  readonly values: Uint16Array | Float32Array;
  readonly deltas: Uint32Array;
  readonly indptr: Uint32Array;
}

/**
 * The arrays in the output words of `convertKernel`, as long as the arrays of `e`: if there are fewer entries, the rest is
 * 0. Throws RangeError for row starts that descend or exceed the capacity. O(rows).
 */
export function convertedArrays(e: MackoEncoded, words: Uint32Array<ArrayBuffer>): ConvertedArrays {
  const { buffer, byteOffset } = words;
  const deltasAt = byteOffset + e.values.byteLength;
  const indptr = new Uint32Array(buffer, deltasAt + e.deltas.byteLength, e.rows + 1);
  for (let r = 0; r <= e.rows; r++) {
    const min = r === 0 ? 0 : indptr[r - 1];
    const max = r === 0 ? 0 : e.indptr[e.rows];
    if (indptr[r] < min || indptr[r] > max) {
      throw new RangeError(`indptr[${r}]: found ${indptr[r]}, expected ${min} to ${max}`);
    }
  }
  const Values = e.valueType === 'f16' ? Uint16Array : Float32Array;
  return {
    values: new Values(buffer, byteOffset, e.values.length),
    deltas: new Uint32Array(buffer, deltasAt, e.deltas.length),
    indptr,
  };
}

/**
 * Verifies the output of `convertKernel` for the matrix stored in `e`, and returns its cells row by row. Throws
 * RangeError if an element of the output, padding and tail included, differs from the encoder's. O(rows * cols).
 */
export function checkedCells(e: MackoEncoded, words: Uint32Array<ArrayBuffer>): Float32Array {
  const written = convertedArrays(e, words);
  // Encoded again only if necessary: `e` may have entries for values that rounded to 0, its decoded matrix has none.
  const difference =
    differenceOf(written, e) === null ? null : differenceOf(written, finish(encodeSteps(decode(e), e)));
  if (difference !== null) throw new RangeError(difference);
  const encoded: MackoEncoded = { ...e, ...written };
  const cells = new Float32Array(e.rows * e.cols);
  for (let r = 0; r < e.rows; r++) {
    // An entry that is padding is a cell that is 0.
    let next = r * e.cols;
    for (let i = written.indptr[r]; i < written.indptr[r + 1]; i++) {
      next += storedDelta(encoded, i) + 1;
      cells[next - 1] = entryValue(encoded, r, i);
    }
  }
  return cells;
}

/** The first element that differs, in words; null if none does. Unused capacity is filled with zeros. */
function differenceOf(written: ConvertedArrays, expected: ConvertedArrays | MackoEncoded): string | null {
  for (const name of ['indptr', 'values', 'deltas'] as const) {
    const bits = bitsOf(written[name]);
    const expectedBits = bitsOf(expected[name]);
    for (let i = 0; i < bits.length; i++) {
      const expectedElement = i < expectedBits.length ? expectedBits[i] : 0;
      if (bits[i] === expectedElement || (name === 'values' && isNaNBits(bits, i) && isNaNBits(expectedBits, i)))
        continue;
      return `${name}[${i}]: found 0x${bits[i].toString(16)}, expected 0x${expectedElement.toString(16)}`;
    }
  }
  return null;
}

function bitsOf(array: MackoEncoded['values'] | Uint32Array): Uint16Array | Uint32Array {
  return array instanceof Uint16Array ? array : new Uint32Array(array.buffer, array.byteOffset, array.length);
}

/** Whether element i is NaN: the bits of NaNs may differ, since JavaScript does not distinguish them. */
function isNaNBits(values: Uint16Array | Uint32Array, i: number): boolean {
  return values instanceof Uint16Array ? (values[i] & 0x7fff) > 0x7c00 : (values[i] & 0x7fffffff) > 0x7f800000;
}
