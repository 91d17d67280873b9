import { requireRepresentable } from '../../core/encoded/admission.ts';
import { allocate } from '../../core/allocate.ts';
import { addChecksumSteps } from '../../core/encoded/checksum.ts';
import { rowsPerYield, type Steps } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { QuantisedMatrix } from '../../core/matrix/quantised-matrix.ts';
import { Q4_GROUP, Q4_GROUP_BYTES, Q4_ZERO, q4At, quantiseQ4 } from '../../core/number/index.ts';
import { type DenseEncoded, dataLength, denseStride, scaleCount } from './layout.ts';

/** Bits of the exponent of an f16: all of them are set if it is not finite. */
const F16_EXPONENT = 0x7c00;

/**
 * Encodes a matrix as dense 4-bit cells: row after row in groups of 32 columns. A matrix in Q4_0 (as in GGUF files) is
 * copied, any other quantised group by group. One pass, O(rows * cols); memory: the result and one row. Throws
 * FormatError for values too large for a scale in f16.
 */
export function* encodeI4Steps(m: Matrix): Steps<DenseEncoded> {
  const { rows, cols } = m;
  const stride = denseStride(cols, 'i4');
  const data = allocate('data', Uint8Array, dataLength(rows * stride, 'i4'));
  const scales = allocate('scales', Uint16Array, scaleCount(rows, stride, 'i4'));
  const pause = rowsPerYield(cols);
  const buffer = rowBuffer(cols);
  const cells = new Float32Array(stride);
  const q4 = storedQ4(m);
  const groups = stride / Q4_GROUP;
  let nnz = 0;
  for (let r = 0; r < rows; r++) {
    const first = r * groups;
    if (q4) {
      data.set(q4.data.subarray(first * Q4_GROUP_BYTES, (first + groups) * Q4_GROUP_BYTES), first * Q4_GROUP_BYTES);
      scales.set(q4.scales.subarray(first, first + groups), first);
    } else {
      readCells(m, r, buffer, cells);
      for (let g = 0; g < groups; g++) {
        scales[first + g] = quantiseQ4(
          cells.subarray(g * Q4_GROUP, (g + 1) * Q4_GROUP),
          data,
          (first + g) * Q4_GROUP_BYTES,
        );
      }
    }
    for (let g = first; g < first + groups; g++) nnz += nonZerosOf(data, scales, g);
    if (r % pause === pause - 1) yield { what: 'laying out rows', done: r + 1, total: rows };
  }
  return yield* addChecksumSteps({ rows, cols, nnz, valueType: 'i4' as const, stride, data, scales }, rows);
}

/** The arrays of a matrix in Q4_0, to be copied; null for any other matrix, or if a scale is not finite. */
export function storedQ4(m: Matrix): { readonly data: Uint8Array; readonly scales: Uint16Array } | null {
  if (!(m instanceof QuantisedMatrix) || m.cells.kind !== 'q4_0') return null;
  return m.cells.scales.every((bits) => (bits & F16_EXPONENT) !== F16_EXPONENT) ? m.cells : null;
}

/** Reads a row into `cells`, zeros included. */
function readCells(m: Matrix, row: number, buffer: ReturnType<typeof rowBuffer>, cells: Float32Array): void {
  const { columns, values } = buffer;
  const n = m.readRow(row, buffer);
  requireRepresentable(buffer, n, row, 'i4');
  cells.fill(0);
  for (let i = 0; i < n; i++) cells[columns[i]] = values[i];
}

/** Cells of a group that are not 0. */
function nonZerosOf(data: Uint8Array, scales: Uint16Array, group: number): number {
  if ((scales[group] & 0x7fff) === 0) return 0;
  let nnz = 0;
  for (let i = 0; i < Q4_GROUP; i++) nnz += q4At(data, group, i) === Q4_ZERO ? 0 : 1;
  return nnz;
}
