import { indexBitsFor } from '../../theory/index-bits.ts';
import { admitValues } from '../../core/encoded/admission.ts';
import { allocate, allocateIndices, lengthProblem } from '../../core/allocate.ts';
import { Seal } from '../../core/encoded/checksum.ts';
import { FormatError } from '../../core/errors.ts';
import type { Admission } from '../../core/format.ts';
import { rowsPerYield, type Steps } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { allocateFloats, storeFloats } from '../../core/number/index.ts';
import type { CsrEncoded } from './layout.ts';
import type { CsrParams } from './params.ts';

/** Rows between two rounds of hashing: few enough to be in the cache, and enough to keep the overhead negligible. */
const ROWS_PER_SEAL = 8;

/** Why a matrix of this shape cannot be held; null if it can. O(1). */
function refusal(m: Matrix, p: CsrParams): (Admission & { ok: false }) | null {
  const indexBits = indexBitsFor(p.indexBits, m);
  if (m.cols > 2 ** indexBits) {
    return {
      ok: false,
      reason: `indices: found ${m.cols} columns, expected at most ${2 ** indexBits} for ${indexBits}-bit indices`,
      remedy: 'Choose 32 index bits.',
    };
  }
  // Data and 16-bit indices are never wider than 32-bit indices.
  const reason = lengthProblem('indices', m.nnz, 4) ?? lengthProblem('indptr', m.rows + 1, 4);
  return reason ? { ok: false, reason, remedy: 'Choose a part of the matrix.' } : null;
}

/** Admits what fits into arrays, with at most 65536 columns for 16-bit indices. O(rows * cols) at worst. */
export function admits(m: Matrix, p: CsrParams): Admission {
  return refusal(m, p) ?? admitValues(m, p.valueType);
}

/**
 * Copies the rows one after the other. One pass, since the number of entries is known; O(rows * cols) at worst, memory:
 * the result and one row. Throws FormatError if the matrix is not admitted.
 */
export function* encodeSteps(m: Matrix, p: CsrParams): Steps<CsrEncoded> {
  const refused = refusal(m, p);
  if (refused) throw new FormatError(refused.reason);
  const { rows, cols, nnz } = m;
  const indexBits = indexBitsFor(p.indexBits, m);
  const data = allocateFloats('data', p.valueType, nnz);
  const indices = allocateIndices('indices', indexBits, nnz);
  const indptr = allocate('indptr', Uint32Array, rows + 1);
  const seal = new Seal({ rows, cols, nnz, ...p, indexBits, data, indices, indptr });
  const buffer = rowBuffer(cols);
  const { columns, values } = buffer;
  const pause = rowsPerYield(cols);
  // step: start
  let entry = 0;
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, buffer);
    // step: values
    storeFloats(values, n, data, entry);
    // step: indices
    for (let i = 0; i < n; i++) indices[entry + i] = columns[i];
    entry += n;
    // step: row-end
    indptr[r + 1] = entry;
    if (r % ROWS_PER_SEAL === ROWS_PER_SEAL - 1) {
      seal.add('data', entry);
      seal.add('indices', entry);
    }
    if (r % pause === pause - 1) yield { what: 'copying rows', done: r + 1, total: rows };
  }
  return yield* seal.steps(rows);
}
