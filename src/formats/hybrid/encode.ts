import { admitValues } from '../../core/encoded/admission.ts';
import { sealSteps } from '../../core/encoded/checksum.ts';
import { allocate, lengthProblem } from '../../core/allocate.ts';
import { FormatError } from '../../core/errors.ts';
import type { Admission } from '../../core/format.ts';
import { rowsPerYield, type Steps } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { bf16FromF32Bits } from '../../core/number/index.ts';
import { type HybridEncoded, NONE } from './layout.ts';
import { type HybridParams, MAX_COLUMNS, slotsOf, tailCapacityOf } from './params.ts';
import { rowCounts, tailRefusal } from './routing.ts';

type Refusal = Admission & { readonly ok: false };

/** Why a matrix of this shape cannot be held, whatever its non-zeros; null if it can. O(1). */
function shapeRefusal({ rows, cols }: Matrix, p: HybridParams): Refusal | null {
  if (cols > MAX_COLUMNS) {
    return {
      ok: false,
      reason: `indices: found ${cols} columns, expected at most ${MAX_COLUMNS} for 16-bit indices`,
      remedy: 'Choose the split layout of TwELL, or a part of the matrix.',
    };
  }
  const reason =
    lengthProblem('values', rows * slotsOf(cols, p), 2) ??
    lengthProblem('tail', tailCapacityOf(rows, cols, p) * cols, 2);
  return reason
    ? { ok: false, reason, remedy: 'Choose fewer row slots, a smaller tail or a part of the matrix.' }
    : null;
}

/** Admits matrices whose long rows the tail has room for. O(rows * cols) at worst. */
export function admits(m: Matrix, p: HybridParams): Admission {
  return shapeRefusal(m, p) ?? tailRefusal(rowCounts(m), m.cols, p) ?? admitValues(m, p.valueType);
}

/**
 * Routes every row by its count and stores it, in one pass: both parts have a fixed capacity.
 * O(rows * cols) at worst; memory: the result and one row. Throws FormatError if the tail is full.
 */
export function* encodeSteps(m: Matrix, p: HybridParams): Steps<HybridEncoded> {
  const { rows, cols, nnz } = m;
  const refused = shapeRefusal(m, p);
  if (refused) throw new FormatError(refused.reason);
  const slots = slotsOf(cols, p);
  const tailCapacity = tailCapacityOf(rows, cols, p);
  const values = allocate('values', Uint16Array, rows * slots);
  const indices = allocate('indices', Uint16Array, rows * slots);
  const counts = allocate('counts', Uint32Array, rows);
  const tailMap = allocate('tailMap', Uint32Array, rows).fill(NONE);
  const tailRows = allocate('tailRows', Uint32Array, tailCapacity).fill(NONE);
  // step: room
  const tail = allocate('tail', Uint16Array, tailCapacity * cols);
  const buffer = rowBuffer(cols);
  const { columns } = buffer;
  const bits = new Uint32Array(buffer.values.buffer);
  const pause = rowsPerYield(cols);
  let tailUsed = 0;
  for (let r = 0; r < rows; r++) {
    // step: count
    const n = m.readRow(r, buffer);
    counts[r] = n;
    if (n <= slots) {
      for (let i = 0; i < n; i++) {
        // step: slot
        values[r * slots + i] = bf16FromF32Bits(bits[i]);
        indices[r * slots + i] = columns[i];
      }
    } else {
      if (tailUsed === tailCapacity) {
        // The sentence of `admits`, which counts all rows that are too long.
        const refusal = tailRefusal(rowCounts(m), cols, p);
        if (refusal) throw new FormatError(refusal.reason);
      }
      // step: route
      tailMap[r] = tailUsed;
      tailRows[tailUsed] = r;
      // step: tail
      for (let i = 0; i < n; i++) tail[tailUsed * cols + columns[i]] = bf16FromF32Bits(bits[i]);
      tailUsed++;
    }
    if (r % pause === pause - 1) yield { what: 'routing rows', done: r + 1, total: rows };
  }
  const arrays = { values, indices, counts, tailMap, tailRows, tail };
  return yield* sealSteps({ rows, cols, nnz, ...p, slots, tailCapacity, tailUsed, ...arrays }, rows);
}
