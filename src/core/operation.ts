import { finish, type Steps } from './job.ts';
import type { Matrix } from './matrix/index.ts';
import { roundToF16 } from './number/index.ts';
import { F32_MAX, gamma, SMALLEST_NORMAL_F32, spmvWithBoundSteps } from './oracle.ts';
import { Random } from './random.ts';

/** Result of the f64 oracle, with the largest error that a correct f32 kernel can make per output. */
export interface Expected {
  readonly output: Float64Array;
  readonly bound: Float64Array;
}

/** A thing that kernels compute: named inputs from a seed, and the f64 oracle they are checked against. */
export interface Operation {
  readonly id: string;
  readonly title: string;
  /** dense inputs by buffer name */
  inputs(m: Matrix, seed: number): Readonly<Record<string, Float32Array>>;
  /**
   * What the oracle says, in steps. The result is asked with `roundings`: how many roundings a kernel makes on the way to
   * an output besides those of the sum (usually 1).
   */
  expectedSteps(m: Matrix, inputs: Readonly<Record<string, Float32Array>>): Steps<(roundings: number) => Expected>;
}

/** The oracle's answer to one kernel, on this thread. */
export function expectedOf(
  operation: Operation,
  m: Matrix,
  inputs: Readonly<Record<string, Float32Array>>,
  roundings: number,
): Expected {
  return finish(operation.expectedSteps(m, inputs))(roundings);
}

/**
 * y = A x. x holds f16 values between -1 and 1, so that kernels that keep x in f16 see the same numbers.
 * Bound: |y - ref| <= gamma_n * sum |a_ij x_j| + n * 2^-126 with n = entries of the row + roundings; the second term
 * because WGSL lets every subnormal be taken for zero. A row without entries is exactly 0. A row whose magnitudes add
 * up to more than f32 holds has an infinite bound: a correct kernel can overflow on the way.
 */
export const SPMV: Operation = {
  id: 'spmv',
  title: 'y = A x',
  inputs(m, seed) {
    const random = new Random(seed);
    return { x: Float32Array.from({ length: m.cols }, () => roundToF16(random.uniform() * 2 - 1)) };
  },
  *expectedSteps(m, inputs) {
    const { y, magnitude, entries } = yield* spmvWithBoundSteps(m, inputs.x);
    return (roundings) => {
      const bound = magnitude.map((sum, r) => {
        if (entries[r] === 0) return 0;
        if (sum > F32_MAX) return Number.POSITIVE_INFINITY;
        const n = entries[r] + roundings;
        return gamma(n) * sum + n * SMALLEST_NORMAL_F32;
      });
      return { output: y, bound };
    };
  },
};

export const OPERATIONS: readonly Operation[] = [SPMV];

export function operationById(id: string): Operation {
  const found = OPERATIONS.find((o) => o.id === id);
  if (!found)
    throw new RangeError(`operation: found '${id}', expected one of ${OPERATIONS.map((o) => o.id).join(', ')}`);
  return found;
}
