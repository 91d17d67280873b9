import { indexBitsFor } from '../../theory/index-bits.ts';
import { admitValues } from '../../core/encoded/admission.ts';
import { allocate, allocateIndices, lengthProblem } from '../../core/allocate.ts';
import { sealSteps } from '../../core/encoded/checksum.ts';
import { FormatError } from '../../core/errors.ts';
import type { Admission } from '../../core/format.ts';
import { rowsPerYield, type Steps } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { allocateFloats, storeFloats } from '../../core/number/index.ts';
import type { EllEncoded } from './layout.ts';
import type { EllParams } from './params.ts';

/** Why a matrix with this longest row cannot be held; null if it can. O(1). */
function refusal(m: Matrix, width: number, p: EllParams): (Admission & { ok: false }) | null {
  const indexBits = indexBitsFor(p.indexBits, m);
  if (m.cols > 2 ** indexBits) {
    return {
      ok: false,
      reason: `indices: found ${m.cols} columns, expected at most ${2 ** indexBits} for ${indexBits}-bit indices`,
      remedy: 'Choose 32 index bits.',
    };
  }
  // Values and 16-bit indices are never wider than 32-bit indices.
  const reason = lengthProblem(`indices of ${m.rows} rows with ${width} slots`, m.rows * width, 4);
  return reason ? { ok: false, reason, remedy: 'Choose a format that does not pad every row to the longest.' } : null;
}

/** Admits what fits into arrays when every row is as long as the longest. O(rows * cols) at worst. */
export function admits(m: Matrix, p: EllParams): Admission {
  const buffer = rowBuffer(m.cols);
  let width = 0;
  for (let r = 0; r < m.rows; r++) width = Math.max(width, m.readRow(r, buffer));
  return refusal(m, width, p) ?? admitValues(m, p.valueType);
}

/**
 * Counts the rows, then fills the slots. Two passes, O(rows * cols) at worst; memory: the result and one row. Throws
 * FormatError if the matrix is not admitted.
 */
export function* encodeSteps(m: Matrix, p: EllParams): Steps<EllEncoded> {
  const { rows, cols, nnz } = m;
  const buffer = rowBuffer(cols);
  const { columns, values: rowValues } = buffer;
  const pause = rowsPerYield(cols);
  const counts = allocate('counts', Uint32Array, rows);
  let width = 0;
  for (let r = 0; r < rows; r++) {
    // step: count
    counts[r] = m.readRow(r, buffer);
    width = Math.max(width, counts[r]);
    if (r % pause === pause - 1) yield { what: 'counting rows', done: r + 1, total: 2 * rows };
  }
  const refused = refusal(m, width, p);
  if (refused) throw new FormatError(refused.reason);
  const indexBits = indexBitsFor(p.indexBits, m);
  // step: allocate
  const values = allocateFloats('values', p.valueType, width * rows);
  const indices = allocateIndices('indices', indexBits, width * rows);
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, buffer);
    storeFloats(rowValues, n, values, r, rows);
    // step: slot
    for (let s = 0; s < n; s++) indices[s * rows + r] = columns[s];
    if (r % pause === pause - 1) yield { what: 'filling slots', done: rows + r + 1, total: 2 * rows };
  }
  return yield* sealSteps({ rows, cols, nnz, ...p, indexBits, width, values, indices, counts }, 2 * rows);
}
