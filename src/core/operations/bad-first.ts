import { type Matrix, rowBuffer } from '../matrix/index.ts';
import { type Expected, expectedOf, type Inputs, type Precision } from './operation.ts';
import { SPMV } from './spmv.ts';

/**
 * y = A x with an x that is not finite in column 0: every row that stores an entry there is not finite, and no other row
 * knows of it. A format that stores every cell multiplies its zeros as well (`storesZeros`), so there every row with a zero
 * in column 0 is NaN.
 */
export function expectedWithBadFirst(
  rounded: Matrix,
  inputs: Inputs,
  { roundings }: Precision,
  storesZeros: boolean,
): Expected {
  const expected = expectedOf(SPMV, rounded, inputs, {}, { roundings });
  if (!storesZeros) return expected;
  const buffer = rowBuffer(rounded.cols);
  for (let r = 0; r < rounded.rows; r++) {
    const n = rounded.readRow(r, buffer);
    if (n === 0 || buffer.columns[0] !== 0) expected.output[r] = Number.NaN;
  }
  return expected;
}
