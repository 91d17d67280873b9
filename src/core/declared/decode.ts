import { type EncodedMatrix, namedArrays } from '../encoded/encoded.ts';
import { FormatError } from '../errors.ts';
import { CsrMatrix } from '../matrix/index.ts';
import { f16Value, packedQ4, Q4_GROUP, Q4_ZERO } from '../number/index.ts';
import { resolved } from './card.ts';
import type { Put } from './declaration.ts';
import { matrixOfPuts } from './matrix-of-puts.ts';
import { PutRecorder } from './recorders.ts';
import { type Elements, unpacked } from './element-type.ts';
import { fieldElements, fieldsOf } from './word-fields.ts';
import { type Params, type AnyDeclaration, arraysOf, elementCount, isPacked } from './declared-arrays.ts';

// Derives `decode` and `multiply` from a declaration: runs the declared `decode` on the elements of the arrays.

/**
 * The elements of every array, and of every field of its words as 'ARRAY.FIELD', as numbers. The scales of 32 elements are
 * applied to them, the scale of a row is not. O(elements).
 */
export function elementsOf(d: AnyDeclaration, e: EncodedMatrix): Readonly<Record<string, Elements>> {
  const memory = namedArrays(e);
  return Object.fromEntries(
    arraysOf(d, e, e).flatMap((array) => {
      const { name, element, quantised } = array;
      const data = memory.get(name) ?? new Uint8Array(0);
      const length = elementCount(array, e);
      const fields = fieldsOf(array).map((field) => [
        `${name}.${field.name}`,
        fieldElements(data as Uint32Array, field),
      ]);
      // Codes of 4 bits, with a scale for every 32.
      if (quantised?.by === Q4_GROUP) {
        const scales = memory.get(quantised.scales) ?? new Uint16Array(0);
        const numberOf = (i: number): number =>
          (packedQ4(data as Uint8Array, i) - Q4_ZERO) * f16Value(scales[Math.floor(i / Q4_GROUP)]);
        return [[name, Float32Array.from({ length }, (_, i) => numberOf(i))]];
      }
      const isPlain = !isPacked(array) && (element.bits !== 16 || element.name === 'u16');
      return [[name, isPlain ? (data as Elements) : unpacked(data, element, length)], ...fields];
    }),
  );
}

/**
 * Runs the declared `decode`; `put` receives its cells, multiplied by the scale of their row if there is one. `watched` may
 * wrap arrays, to record which elements are read.
 */
export function runDecode(
  d: AnyDeclaration,
  e: EncodedMatrix,
  put: Put,
  watched: (name: string, elements: Elements) => Elements = (_, elements) => elements,
): void {
  const rowQuantisation = arraysOf(d, e, e).find(({ quantised }) => quantised?.by === 'row')?.quantised;
  const scales = rowQuantisation ? namedArrays(e).get(rowQuantisation.scales) : undefined;
  const { rows, cols, nnz } = e;
  const size = { ...resolved(d.params, e as unknown as Params, e), rows, cols, nnz };
  // Reading a field counts as reading its word.
  const arrays = Object.entries(elementsOf(d, e)).map(
    ([name, elements]) => [name, watched(name.replace(/\..*/, ''), elements)] as const,
  );
  d.decode(Object.fromEntries(arrays), size, scales ? (r, c, code) => put(r, c, Math.fround(code * scales[r])) : put);
}

/** The matrix that `decode` puts, without zeros. Throws FormatError for cells outside, out of order or put twice. */
export function decode(d: AnyDeclaration, e: EncodedMatrix): CsrMatrix {
  if (d.order === 'any') return decodeInAnyOrder(d, e);
  const { rows, cols } = e;
  let columns = new Uint32Array(Math.max(64, e.nnz));
  let values = new Float32Array(columns.length);
  const indptr = new Uint32Array(rows + 1);
  let n = 0;
  let [lastRow, lastColumn] = [0, -1];
  runDecode(d, e, (row, column, value) => {
    if (value === 0) return;
    const isAfter = row > lastRow || (row === lastRow && column > lastColumn);
    const isCell = row >>> 0 === row && column >>> 0 === column && row < rows && column < cols;
    if (!isCell || !isAfter) {
      throw new FormatError(
        `${d.id}: decode puts row ${row}, column ${column}, expected cells of ${rows} × ${cols} one after the other, row by row`,
      );
    }
    if (n === columns.length) {
      const [fullColumns, fullValues] = [columns, values];
      columns = new Uint32Array(2 * n);
      values = new Float32Array(2 * n);
      columns.set(fullColumns);
      values.set(fullValues);
    }
    columns[n] = column;
    values[n++] = value;
    indptr[row + 1]++;
    lastRow = row;
    lastColumn = column;
  });
  for (let r = 0; r < rows; r++) indptr[r + 1] += indptr[r];
  return new CsrMatrix({ rows, cols, indptr, indices: columns.subarray(0, n), data: values.subarray(0, n) });
}

/** The same for a format that declares `order: 'any'`. */
function decodeInAnyOrder(d: AnyDeclaration, e: EncodedMatrix): CsrMatrix {
  const recorder = new PutRecorder(e.rows, e.cols);
  runDecode(d, e, (row, column, value) => recorder.put(row, column, value));
  const { puts, outside } = recorder.result();
  const { matrix, repeated } = matrixOfPuts(puts, e);
  const violation = outside ?? (repeated && `row ${repeated.row}, column ${repeated.col} twice`);
  if (violation !== null)
    throw new FormatError(`${d.id}: decode puts ${violation}, expected cells of ${e.rows} × ${e.cols}, once each`);
  return matrix;
}

/** Computes y = A x with the cells that `decode` puts; adds them up in f64. */
export function multiply(d: AnyDeclaration, e: EncodedMatrix, x: Float32Array, y: Float32Array): void {
  const sums = new Float64Array(e.rows);
  runDecode(d, e, (row, column, value) => {
    if (value !== 0) sums[row] += value * x[column];
  });
  y.set(sums);
}
