import { type Cell, CsrMatrix, type Matrix, toCsr } from '../../../core/matrix/index.ts';
import { f16FromF32Bits, f16Table } from '../../../core/number/index.ts';
import type { OwnArray } from './parse-answers.ts';
import type { SentMatrix } from './module-messages.ts';

/** The type of decoded values: f16 if any array of values or of other floats is f16, else f32. */
export function valueTypeOf(arrays: readonly OwnArray[]): 'f16' | 'f32' {
  const floats = arrays.filter(({ type }) => type.kind === 'float');
  const valueArrays = floats.filter(({ byteClass }) => byteClass === 'values');
  return (valueArrays.length > 0 ? valueArrays : floats).some(({ type }) => type.bits === 16) ? 'f16' : 'f32';
}

/** A matrix in the form of a request to a module: its arrays are copied, since their memory is transferred. */
export function sentMatrix(matrix: Matrix): SentMatrix {
  const { rows, cols, indptr, indices, data } = toCsr(matrix);
  return { rows, cols, starts: indptr.slice(), columns: indices.slice(), values: data.slice() };
}

/** A matrix as a lossless format returns it: values rounded to its type, without those that become 0. O(rows + non-zeros). */
export function roundedMatrix(matrix: Matrix, valueType: 'f16' | 'f32'): CsrMatrix {
  const from = toCsr(matrix);
  if (valueType === 'f32') return new CsrMatrix(from);
  const table = f16Table();
  const bits = new Uint32Array(from.data.buffer, from.data.byteOffset, from.data.length);
  const indptr = new Uint32Array(from.rows + 1);
  const indices = new Uint32Array(from.indices.length);
  const data = new Float32Array(from.data.length);
  let n = 0;
  for (let r = 0; r < from.rows; r++) {
    for (let i = from.indptr[r]; i < from.indptr[r + 1]; i++) {
      const value = table[f16FromF32Bits(bits[i])];
      if (value === 0) continue;
      indices[n] = from.indices[i];
      data[n++] = value;
    }
    indptr[r + 1] = n;
  }
  return new CsrMatrix({ ...from, indptr, indices: indices.slice(0, n), data: data.slice(0, n) });
}

/** A difference between two matrices of one shape. */
export interface Difference extends Cell {
  readonly expected: number;
  readonly found: number;
}

/** The first differing cell, row by row; all NaN are equal. O(rows + non-zeros). */
export function firstDifference(expected: CsrMatrix, found: CsrMatrix): Difference | null {
  for (let row = 0; row < expected.rows; row++) {
    let a = expected.indptr[row];
    let b = found.indptr[row];
    const aEnd = expected.indptr[row + 1];
    const bEnd = found.indptr[row + 1];
    while (a < aEnd || b < bEnd) {
      const left = a < aEnd ? expected.indices[a] : Number.POSITIVE_INFINITY;
      const right = b < bEnd ? found.indices[b] : Number.POSITIVE_INFINITY;
      const column = Math.min(left, right);
      const expectedValue = left === column ? expected.data[a++] : 0;
      const foundValue = right === column ? found.data[b++] : 0;
      if (!Object.is(expectedValue, foundValue)) {
        return { row, col: column, expected: expectedValue, found: foundValue };
      }
    }
  }
  return null;
}
