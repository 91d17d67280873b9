// Matrices on their way to a module and back, and how two of them differ.

import { type Cell, CsrMatrix, type Matrix, toCsr } from '../../../src/core/matrix/index.ts';
import { f16FromF32Bits, f16Table } from '../../../src/core/number/index.ts';
import type { UserArray } from './parse-answers.ts';
import type { MatrixMessage } from './module-messages.ts';

/** The type of decoded values: f16 if an array of values (if there is none, an array of floats) is f16, else f32. */
export function valueTypeOf(arrays: readonly UserArray[]): 'f16' | 'f32' {
  const floats = arrays.filter(({ type }) => type.kind === 'float');
  const valueArrays = floats.filter(({ byteClass }) => byteClass === 'values');
  return (valueArrays.length > 0 ? valueArrays : floats).some(({ type }) => type.bits === 16) ? 'f16' : 'f32';
}

/** A matrix as a message to the module of a custom format: its arrays are copied, since their memory is transferred. */
export function matrixMessage(matrix: Matrix): MatrixMessage {
  const { rows, cols, indptr, indices, data } = toCsr(matrix);
  return { rows, cols, starts: indptr.slice(), columns: indices.slice(), values: data.slice() };
}

/** A matrix as a format's `decode` must return it: values rounded, without new zeros. O(rows + non-zeros). */
export function roundedMatrix(matrix: Matrix, valueType: 'f16' | 'f32'): CsrMatrix {
  const source = toCsr(matrix);
  if (valueType === 'f32') return new CsrMatrix(source);
  const table = f16Table();
  const bits = new Uint32Array(source.data.buffer, source.data.byteOffset, source.data.length);
  const indptr = new Uint32Array(source.rows + 1);
  const indices = new Uint32Array(source.indices.length);
  const data = new Float32Array(source.data.length);
  let n = 0;
  for (let r = 0; r < source.rows; r++) {
    for (let i = source.indptr[r]; i < source.indptr[r + 1]; i++) {
      const value = table[f16FromF32Bits(bits[i])];
      if (value === 0) continue;
      indices[n] = source.indices[i];
      data[n++] = value;
    }
    indptr[r + 1] = n;
  }
  return new CsrMatrix({ ...source, indptr, indices: indices.slice(0, n), data: data.slice(0, n) });
}

/** A cell in which a decoded matrix differs from the expected one. */
export interface Difference extends Cell {
  readonly expected: number;
  readonly actual: number;
}

/** The first cell that differs, row by row; null if none does. NaN equals NaN. O(rows + non-zeros). */
export function firstDifference(expected: CsrMatrix, actual: CsrMatrix): Difference | null {
  for (let row = 0; row < expected.rows; row++) {
    let a = expected.indptr[row];
    let b = actual.indptr[row];
    const aEnd = expected.indptr[row + 1];
    const bEnd = actual.indptr[row + 1];
    while (a < aEnd || b < bEnd) {
      const expectedColumn = a < aEnd ? expected.indices[a] : Number.POSITIVE_INFINITY;
      const actualColumn = b < bEnd ? actual.indices[b] : Number.POSITIVE_INFINITY;
      const column = Math.min(expectedColumn, actualColumn);
      const expectedValue = expectedColumn === column ? expected.data[a++] : 0;
      const actualValue = actualColumn === column ? actual.data[b++] : 0;
      if (!Object.is(expectedValue, actualValue)) {
        return { row, col: column, expected: expectedValue, actual: actualValue };
      }
    }
  }
  return null;
}
