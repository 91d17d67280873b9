import { type Matrix, rowBuffer } from '../matrix/index.ts';
import type { Steps } from '../job.ts';
import {
  type Expected,
  expectedOf,
  type ExpectedWith,
  type Inputs,
  type Operation,
  type Precision,
} from './operation.ts';
import { type PartSharing, spmvWithBoundSteps, sumBound } from '../oracle.ts';
import { activations } from './gemm.ts';

/**
 * y = A x, which a language model computes for each token that it writes. x contains f16 values between -1 and 1, so
 * that kernels that keep x in f16 see the same numbers. One output per row, with the error bound of `sumBound`.
 */
export const SPMV: Operation = {
  id: 'spmv',
  title: 'y = A x',
  summary: 'A weight matrix times one token: writing.',
  sizes: {},
  inputs: (m, _sizes, seed) => ({ x: activations(m, 1, seed) }),
  varied: (m, _inputs, _sizes, seed) => ({ x: activations(m, 1, seed) }),
  *expectedSteps(m, inputs) {
    const [expected] = yield* expectedOfAll(m, [inputs]);
    return expected;
  },
  expectedOfAllSteps: expectedOfAll,
};

/** The expected y and its error bound for each of several inputs x, in one pass over the matrix. */
function* expectedOfAll(
  m: Matrix,
  inputsList: readonly Inputs[],
  sharing?: PartSharing,
): Steps<readonly ExpectedWith[]> {
  const xs = inputsList.map(({ x }) => x);
  const results = yield* spmvWithBoundSteps(m, xs, sharing);
  return results.map(({ y, magnitude, entries }): ExpectedWith => {
    return (roundings) => ({ output: y, bound: magnitude.map((sum, r) => sumBound(sum, entries[r], roundings)) });
  });
}

/**
 * The expected y = A x if x[0] is not finite: rows with an entry in column 0 are not finite, others are unaffected. A
 * stored 0 times x[0] is NaN: in rows where the format rounded the entry of `given` to 0 (`rounded` lacks the entry),
 * and in every row if the kernel multiplies all cells (`storesZeros`).
 */
export function expectedWithNonFiniteFirst(
  given: Matrix,
  rounded: Matrix,
  inputs: Inputs,
  { extraRoundings, storesZeros = false }: Precision & { readonly storesZeros?: boolean },
): Expected {
  const expected = expectedOf(SPMV, rounded, inputs, {}, { extraRoundings });
  const buffer = rowBuffer(rounded.cols);
  const hasFirst = (m: Matrix, r: number): boolean => m.readRow(r, buffer) > 0 && buffer.columns[0] === 0;
  for (let r = 0; r < rounded.rows; r++) {
    if ((storesZeros || hasFirst(given, r)) && !hasFirst(rounded, r)) expected.output[r] = Number.NaN;
  }
  return expected;
}
