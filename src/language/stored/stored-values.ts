import { FormatError } from '../../core/errors.ts';
import {
  f16FromF32Bits,
  f16Table,
  f16Value,
  i8Of,
  i8Scale,
  Q4_BORDER,
  Q4_GROUP,
  Q4_GROUP_BYTES,
  Q4_ZERO,
  q4At,
  quantiseQ4,
} from '../../core/number/index.ts';
import type { StoredType } from './recipe.ts';

/**
 * Replaces the cells of a matrix, row-major, by the values that formats store for them: f16, a byte times a scale per row, or
 * 4 bits times a scale per 32 columns. Zeros stay zeros. Throws FormatError for values that i8 and i4 cannot hold. O(cells).
 */
export function toStoredValues(cells: Float32Array, cols: number, type: StoredType): void {
  if (type === 'f16') {
    const table = f16Table();
    const bits = new Uint32Array(cells.buffer, cells.byteOffset, cells.length);
    for (let i = 0; i < cells.length; i++) cells[i] = table[f16FromF32Bits(bits[i])];
    return;
  }
  const border = type === 'i8' ? Number.POSITIVE_INFINITY : Q4_BORDER;
  const wrong = cells.findIndex((value) => !(Math.abs(value) < border));
  if (wrong >= 0) {
    const place = `row ${Math.floor(wrong / cols)}, column ${wrong % cols}`;
    throw new FormatError(`weights: found ${cells[wrong]} at ${place}, expected values that ${type} can hold`);
  }
  for (let start = 0; start < cells.length; start += cols) {
    const row = cells.subarray(start, start + cols);
    if (type === 'i8') toI8(row);
    else toI4(row);
  }
}

function toI8(row: Float32Array): void {
  const scale = i8Scale(row, row.length);
  for (let c = 0; c < row.length; c++) row[c] = i8Of(row[c], scale) * scale;
}

const group = new Float32Array(Q4_GROUP);
const codes = new Uint8Array(Q4_GROUP_BYTES);

/** A last group of fewer columns is filled up with zeros, as the dense format does. */
function toI4(row: Float32Array): void {
  for (let from = 0; from < row.length; from += Q4_GROUP) {
    const cells = row.subarray(from, from + Q4_GROUP);
    group.fill(0);
    group.set(cells);
    const scale = f16Value(quantiseQ4(group, codes, 0));
    for (let i = 0; i < cells.length; i++) cells[i] = (q4At(codes, 0, i) - Q4_ZERO) * scale;
  }
}
