import { type Matrix, rowBuffer } from '../matrix/index.ts';

/** The losses of a matrix in a format: counts of overflowed and underflowed values, and the largest relative error. */
export interface Losses {
  /** finite values that are stored as infinity (or as NaN): too large for the value type */
  readonly overflow: number;
  /**
   * Non-zeros that are stored as 0: too small for f16 or bf16 or, in i8 and i4, below half a step of the scale that
   * they share with their row or group.
   */
  readonly underflow: number;
  /**
   * Largest |stored - value| / |value| of all other non-zeros, 0 if each is exact. Infinity if a zero, NaN or infinity
   * is stored as something else, which none of the formats here does.
   */
  readonly largestRelativeError: number;
}

/** Compares a matrix with what its format returns (`decode`), row by row. O(cells read); memory: two rows. */
export function lossesOf(m: Matrix, decoded: Matrix): Losses {
  const [before, after] = [rowBuffer(m.cols), rowBuffer(m.cols)];
  let overflow = 0;
  let underflow = 0;
  let largestRelativeError = 0;
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, before);
    const storedCount = decoded.readRow(r, after);
    let next = 0;
    for (let i = 0; i < n; i++) {
      const value = before.values[i];
      for (; next < storedCount && after.columns[next] < before.columns[i]; next++)
        largestRelativeError = Number.POSITIVE_INFINITY;
      if (next === storedCount || after.columns[next] !== before.columns[i]) {
        underflow++;
        continue;
      }
      const stored = after.values[next++];
      if (stored === value) continue;
      const error = relativeError(value, stored);
      if (Number.isNaN(error)) overflow++;
      else if (error > largestRelativeError) largestRelativeError = error;
    }
    // The remaining entries were zeros in the matrix.
    if (next < storedCount) largestRelativeError = Number.POSITIVE_INFINITY;
  }
  return { overflow, underflow, largestRelativeError };
}

/** Of a non-zero that is stored as a number that is not 0; NaN if a finite value overflowed. */
function relativeError(value: number, stored: number): number {
  if (Number.isFinite(value)) return Number.isFinite(stored) ? Math.abs((stored - value) / value) : Number.NaN;
  return Number.isNaN(value) && Number.isNaN(stored) ? 0 : Number.POSITIVE_INFINITY;
}
