import { admitValues, requireHeld } from '../../core/encoded/admission.ts';
import { allocate, lengthProblem } from '../../core/allocate.ts';
import { sealSteps } from '../../core/encoded/checksum.ts';
import { FormatError } from '../../core/errors.ts';
import type { Admission } from '../../core/format.ts';
import { rowsPerYield, type Steps } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { entryStore, storeFloats } from '../../core/number/index.ts';
import { type BitmaskEncoded, WORD_BITS } from './layout.ts';
import type { BitmaskParams } from './params.ts';

/** Why a matrix of this shape cannot be held; null if it can. O(1). */
function refusal(m: Matrix): (Admission & { ok: false }) | null {
  const words = m.rows * Math.ceil(m.cols / WORD_BITS);
  // f16 values are never wider than f32 values.
  const reason =
    lengthProblem('mask', words, 4) ?? lengthProblem('values', m.nnz, 4) ?? lengthProblem('rowPtr', m.rows + 1, 4);
  return reason ? { ok: false, reason, remedy: 'Choose a part of the matrix.' } : null;
}

/** Admits what fits into arrays and, in i8 and i4, into their values. O(rows * cols) at worst. */
export function admits(m: Matrix, p: BitmaskParams): Admission {
  let entry = 0;
  return refusal(m) ?? admitValues(m, p.valueType, () => entry++);
}

/**
 * Sets a bit per non-zero and copies the values one after the other. One pass, since the number of values is known;
 * O(rows * cols) at worst, memory: the result and one row. Throws FormatError if the matrix is not admitted.
 */
export function* encodeSteps(m: Matrix, p: BitmaskParams): Steps<BitmaskEncoded> {
  const refused = refusal(m);
  if (refused) throw new FormatError(refused.reason);
  const { rows, cols, nnz } = m;
  const wordsPerRow = Math.ceil(cols / WORD_BITS);
  const store = entryStore(p.valueType, nnz, rows);
  const { values, scales } = store;
  const mask = allocate('mask', Uint32Array, rows * wordsPerRow);
  const rowPtr = allocate('rowPtr', Uint32Array, rows + 1);
  const buffer = rowBuffer(cols);
  const { columns } = buffer;
  const pause = rowsPerYield(cols);
  // step: start
  let stored = 0;
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, buffer);
    requireHeld(buffer, n, r, p.valueType);
    const firstWord = r * wordsPerRow;
    // step: bit
    for (let i = 0; i < n; i++) mask[firstWord + (columns[i] >>> 5)] |= 1 << (columns[i] & 31);
    // step: values
    if (values instanceof Uint16Array || values instanceof Float32Array) storeFloats(buffer.values, n, values, stored);
    else {
      // step: scale
      const storeEntry = store.ofRow(r, buffer.values, n);
      for (let i = 0; i < n; i++) storeEntry(stored + i, buffer.values[i]);
    }
    stored += n;
    // step: row-end
    rowPtr[r + 1] = stored;
    if (r % pause === pause - 1) yield { what: 'setting bits', done: r + 1, total: rows };
  }
  store.finish();
  return yield* sealSteps({ rows, cols, nnz, ...p, wordsPerRow, values, mask, rowPtr, scales }, rows);
}
