import { roundToF16 } from '../number/index.ts';
import type { Matrix } from '../matrix/index.ts';
import type { Operation } from './operation.ts';
import { spmvWithBoundSteps, sumBound } from '../oracle.ts';
import { Random } from '../number/random.ts';

/** Activations of one token. */
function token(m: Pick<Matrix, 'cols'>, seed: number): Float32Array {
  const random = new Random(seed);
  return Float32Array.from({ length: m.cols }, () => roundToF16(random.uniform() * 2 - 1));
}

/**
 * y = A x. x holds f16 values between -1 and 1, so that kernels that keep x in f16 see the same numbers. One output per
 * row, with the bound of `sumBound`.
 */
export const SPMV: Operation = {
  id: 'spmv',
  title: 'y = A x',
  summary: 'A weight matrix times one token, as a language model does for every token it writes.',
  sizes: {},
  inputs: (m, _sizes, seed) => ({ x: token(m, seed) }),
  varied: (m, _inputs, _sizes, seed) => ({ x: token(m, seed) }),
  *expectedSteps(m, inputs) {
    const { y, magnitude, entries } = yield* spmvWithBoundSteps(m, inputs.x);
    return (roundings) => ({ output: y, bound: magnitude.map((sum, r) => sumBound(sum, entries[r], roundings)) });
  },
};
