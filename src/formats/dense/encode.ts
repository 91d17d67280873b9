import { checkValues, SUPPORTED, requireRepresentable } from '../../core/encoded/admission.ts';
import { allocate, lengthProblem } from '../../core/allocate.ts';
import { addChecksumSteps } from '../../core/encoded/checksum.ts';
import type { Support } from '../../core/format.ts';
import { rowsPerYield, type Steps } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { QuantisedMatrix } from '../../core/matrix/quantised-matrix.ts';
import { f16FromF32Bits, f16Value, i8Of, i8Scale, VALUE_BITS, type ValueType } from '../../core/number/index.ts';
import { encodeI4Steps, storedQ4 } from './encode-i4.ts';
import { type DenseEncoded, denseStride } from './layout.ts';
import type { DenseParams } from './params.ts';

/** Whether the cells fit into one array; i8 also needs finite values, i4 values below 524160. O(rows * cols). */
export function admits(m: Matrix, { valueType }: DenseParams): Support {
  const reason = lengthProblem('data', m.rows * denseStride(m.cols, valueType), VALUE_BITS[valueType] / 8);
  if (reason) return { ok: false, reason, remedy: 'Choose a narrower value type, or a part of the matrix.' };
  // Cells that are already in Q4_0 are copied without loss.
  if (valueType === 'i4' && storedQ4(m)) return SUPPORTED;
  return checkValues(m, valueType);
}

/**
 * Encodes all cells of a matrix, row after row. In i8, a row that was in Q8_0 with a single scale keeps its bytes. One
 * pass, O(rows * cols); memory: the result and one row. Throws FormatError if the cells do not fit into one array, or
 * for values that i8 or i4 cannot represent.
 */
export function* encodeSteps(m: Matrix, { valueType }: DenseParams): Steps<DenseEncoded> {
  if (valueType === 'i4') return yield* encodeI4Steps(m);
  const { rows, cols } = m;
  const stride = denseStride(cols, valueType);
  const data = allocateCells(valueType, rows * stride);
  const scales = new Float32Array(valueType === 'i8' ? rows : 0);
  const buffer = rowBuffer(cols);
  const { columns, values } = buffer;
  const bits = new Uint32Array(values.buffer);
  const pause = rowsPerYield(cols);
  let nnz = 0;
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, buffer);
    const start = r * stride;
    if (data instanceof Float32Array) {
      for (let i = 0; i < n; i++) data[start + columns[i]] = values[i];
      nnz += n;
    } else if (data instanceof Uint16Array) {
      for (let i = 0; i < n; i++) {
        const half = f16FromF32Bits(bits[i]);
        data[start + columns[i]] = half;
        nnz += (half & 0x7fff) === 0 ? 0 : 1;
      }
    } else {
      requireRepresentable(buffer, n, r, valueType);
      const scale = storedScale(m, r) ?? i8Scale(values, n);
      scales[r] = scale;
      for (let i = 0; i < n; i++) {
        const steps = i8Of(values[i], scale);
        data[start + columns[i]] = steps;
        nnz += steps === 0 ? 0 : 1;
      }
    }
    if (r % pause === pause - 1) yield { what: 'laying out rows', done: r + 1, total: rows };
  }
  return yield* addChecksumSteps({ rows, cols, nnz, valueType, stride, data, scales }, rows);
}

/** The array of the cells, of the value type. */
function allocateCells(valueType: ValueType, length: number): Float32Array | Uint16Array | Int8Array {
  if (valueType === 'f16') return allocate('data', Uint16Array, length);
  return valueType === 'f32' ? allocate('data', Float32Array, length) : allocate('data', Int8Array, length);
}

/** The scale of a row in Q8_0 if its groups share a scale, so that its bytes can be copied as i8; else null. */
function storedScale(m: Matrix, row: number): number | null {
  if (!(m instanceof QuantisedMatrix) || m.cells.kind !== 'q8_0') return null;
  const perRow = m.cells.scales.length / m.rows;
  const scales = m.cells.scales.subarray(row * perRow, (row + 1) * perRow);
  const isShared = scales.length > 0 && scales.every((bits) => bits === scales[0]);
  const scale = isShared ? f16Value(scales[0]) : 0;
  // i8 goes from -127 to 127, a byte of Q8_0 to -128.
  const fits = !m.cells.data.subarray(row * m.cols, (row + 1) * m.cols).includes(-128);
  return scale > 0 && scale < Number.POSITIVE_INFINITY && fits ? scale : null;
}
