import { allocate } from '../allocate.ts';
import { f16Bits, f16Table } from './f16.ts';
import { packedQ4, packQ4, Q4_GROUP, Q4_ZERO } from './q4.ts';
import { allocateFloats, floatAt, floatsOf } from './float-arrays.ts';
import { i8Of, i8Scale, type ValueType } from './value-type.ts';

/** The type of stored values: floats without scales, i8 with a scale per row, i4 with a scale per 32 entries. */
export type EntryType = ValueType | 'i4';

/** Values and scales of the entries of a matrix, in row-major order. */
export interface EntryArrays {
  /** f16 bits in u16, f32, i8, or two i4 in a u8 as `packQ4` stores them */
  readonly values: Uint16Array | Float32Array | Int8Array | Uint8Array;
  /** for i8 an f32 per row, for i4 f16 bits per 32 entries; empty for floats */
  readonly scales: Float32Array | Uint16Array;
}

/** Number of scales for `entries` entries in `rows` rows. */
export function scaleCount(entries: number, rows: number, valueType: EntryType): number {
  if (valueType === 'i4') return Math.ceil(entries / Q4_GROUP);
  return valueType === 'i8' ? rows : 0;
}

/** The number that entry `i`, in row `row`, stores. */
export function entryValue({ values, scales }: EntryArrays, row: number, i: number): number {
  if (values instanceof Uint8Array)
    return (packedQ4(values, i) - Q4_ZERO) * f16Table()[scales[Math.floor(i / Q4_GROUP)]];
  return values instanceof Int8Array ? Math.fround(values[i] * scales[row]) : floatAt(values, i);
}

/** All stored numbers as f32; `rowPtr[r]` is the first entry of row r. An f32 array is returned, not copied. */
export function entryNumbers(e: EntryArrays, rowPtr: Uint32Array, entries: number): Float32Array {
  const { values } = e;
  if (values instanceof Uint16Array || values instanceof Float32Array) return floatsOf(values);
  const numbers = new Float32Array(entries);
  let row = 0;
  for (let i = 0; i < entries; i++) {
    while (i >= rowPtr[row + 1]) row++;
    numbers[i] = entryValue(e, row, i);
  }
  return numbers;
}

/**
 * Arrays for entries, and functions that fill them; `positions`: how many entries `values` has space for. `rowStore`
 * expects a row, the first `n` of `numbers`, and returns a function that stores a value as an entry. Call that function
 * by ascending entry, and `finish` at the end. Throws FormatError for too many entries.
 */
export function entryStore(valueType: EntryType, entries: number, rows: number, positions = entries) {
  const values: EntryArrays['values'] =
    valueType === 'i4'
      ? allocate('values', Uint8Array, Math.ceil(positions / 2))
      : valueType === 'i8'
        ? allocate('values', Int8Array, positions)
        : allocateFloats('values', valueType, positions);
  const scaleLength = scaleCount(entries, rows, valueType);
  const scales = valueType === 'i4' ? new Uint16Array(scaleLength) : new Float32Array(scaleLength);
  const q4 = values instanceof Uint8Array && scales instanceof Uint16Array ? packQ4(values, scales) : null;
  return {
    values,
    scales,
    rowStore(row: number, numbers: Float32Array, n: number): (entry: number, value: number) => void {
      if (q4) return q4.put;
      const scale = valueType === 'i8' ? (scales[row] = i8Scale(numbers, n)) : 1;
      return (entry, value) => {
        values[entry] = valueType === 'i8' ? i8Of(value, scale) : valueType === 'f16' ? f16Bits(value) : value;
      };
    },
    finish: (): void => q4?.finish(),
  };
}
