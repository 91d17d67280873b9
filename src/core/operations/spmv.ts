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
import { Random } from '../number/random.ts';
import { activations } from './gemm.ts';

/** Keeps the positions of zeros independent of the values. */
const ZEROS_SEED = 0x5eed;

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

/** An x of `SPMV` in which a part is 0: `zeros` in 100 of its values, evenly spread at random. */
function withZeros(m: Pick<Matrix, 'cols'>, zeros: number, seed: number): Float32Array {
  const random = new Random(seed ^ ZEROS_SEED);
  const x = activations(m, 1, seed);
  // Chooses exactly this many: each value with the probability (zeros still to choose) / (values from here on).
  let remaining = Math.round((m.cols * zeros) / 100);
  for (let c = 0; c < m.cols; c++) {
    if (random.below(m.cols - c) < remaining) {
      x[c] = remaining % 2 === 0 ? 0 : -0;
      remaining--;
    }
  }
  return x;
}

/**
 * y = A x for an x with zeros, as after ReLU, or where small inputs are left out. Every kernel of y = A x computes it as
 * well (`isKernelOf`). `zeros`: how many in 100 values of x are 0, half of them -0.
 */
export const SPMV_ZEROS: Operation = {
  ...SPMV,
  id: 'spmv-zeros',
  title: 'y = A x, zeros in x',
  summary: 'The same for a token of which many inputs are 0.',
  sizes: {
    zeros: { label: 'zeros in x, %', meaning: 'Share of the inputs that are 0.', default: 50, min: 0, max: 100 },
  },
  inputs: (m, { zeros }, seed) => ({ x: withZeros(m, zeros, seed) }),
  varied: (m, _inputs, { zeros }, seed) => ({ x: withZeros(m, zeros, seed) }),
};

/** Whether a kernel computes the operation with this id: its own, or a special case of it. */
export function isKernelOf(kernel: { readonly operation: string }, operation: string): boolean {
  return kernel.operation === operation || (operation === SPMV_ZEROS.id && kernel.operation === SPMV.id);
}

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
