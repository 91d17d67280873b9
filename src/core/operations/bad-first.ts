import { type Matrix, rowBuffer } from '../matrix/index.ts';
import { type Expected, expectedOf, type Inputs, type Precision } from './operation.ts';
import { SPMV } from './spmv.ts';

/**
 * y = A x with a non-finite x in column 0: every row that stores an entry there is non-finite, and no other row is
 * affected. A format that stores every cell also multiplies its zeros (`storesZeros`), so every row with a zero in
 * column 0 is NaN there.
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
