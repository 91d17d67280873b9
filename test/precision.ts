// The accuracy that is required of each kernel: how much of its error bound it may use.

import type { KernelCard } from '../src/core/kernel/kernel.ts';
import { expectedFor, type ExpectedWith, type Precision } from '../src/core/operations/operation.ts';
import { UNIT_ROUNDOFF_BF16 } from '../src/core/oracle.ts';

// The bound is for the worst order and the worst signs of all roundings. In long sums they mostly cancel, so a correct kernel
// stays far below it: a kernel that loses bits uses a larger share and is found here, although it does not exceed the bound.

/**
 * Outputs whose bound allows for at least this many roundings. In shorter sums correct kernels use up to half of it.
 */
const LONG_SUM = 32;

/** The pinned values of a kernel. */
interface PinnedPrecision {
  /** the roundings of its bound (`KernelSpec.extraRoundings`) */
  readonly roundings: number;
  /**
   * maximum share of the bound, in %, used in long sums, over the awkward matrices of contract/kernels.gpu.test.ts with all
   * parameters that it supports; 0: every output is exact. Twice the value on a software GPU, rounded up, and at most
   * 10: another order of the same sum may use more. `--reporter=verbose` lists the measured values.
   */
  readonly max: number;
}

/**
 * h * u is rounded to bf16 between two passes, and so is h of a whole block. That accounts for nearly all of the bound,
 * and with the few dozen neurons of the test matrices, a third to nine tenths of it are used, so only the bound itself
 * is required. Their components are pinned with the gate, `dense/down` and the kernels that keep h * u in f32.
 */
export const ROUNDED_BETWEEN_PASSES = [
  'dense/up_down',
  'dense/forward',
  'dense/forward_storing',
  'twell/forward_subgroup',
  'twell/forward_workgroup',
  'hybrid/forward_subgroup',
  'hybrid/forward_workgroup',
  'hybrid/forward_storing_subgroup',
  'hybrid/forward_storing_workgroup',
];

/** For kernels with a lane for each row, which add one product after the other. */
const LANE_PER_ROW: PinnedPrecision = { roundings: 1, max: 9 };

/** The pinned values of a kernel; undefined if they are missing. */
export function pinnedOf({ id }: Pick<KernelCard, 'id'>): PinnedPrecision | undefined {
  return Object.hasOwn(PRECISION, id) ? PRECISION[id] : id.endsWith('/spmv_scalar') ? LANE_PER_ROW : undefined;
}

/** Pinned values by the kernel's id. */
export const PRECISION: Readonly<Record<string, PinnedPrecision>> = {
  'dense/spmv_subgroup': { roundings: 2, max: 4 },
  'dense/spmv_workgroup': { roundings: 2, max: 2 },
  'dense/spmv_digits_subgroup': { roundings: 5, max: 0.7 },
  'dense/spmv_digits_workgroup': { roundings: 5, max: 2 },
  'dense/spmv_columns': { roundings: 2, max: 3 },
  'dense/gemm': { roundings: 2, max: 10 },
  'dense/gemm_few': { roundings: 2, max: 3 },
  'dense/gemm_few_ahead': { roundings: 2, max: 3 },
  'dense/gemm_split': { roundings: 3, max: 5 },
  'dense/gemm_i8': { roundings: 4, max: 2 },
  'dense/gemm_i8_subgroup_matrix': { roundings: 4, max: 2 },
  'dense/quantise': { roundings: 0, max: 0 },
  'dense/gate': { roundings: 1, max: 2 },
  'dense/up_down': { roundings: 2, max: 100 },
  'dense/down': { roundings: 1, max: 10 },
  'dense/forward': { roundings: 2, max: 100 },
  'dense/forward_storing': { roundings: 2, max: 100 },
  'dense/backward': { roundings: 3, max: 10 },
  'dense/backward_stored': { roundings: 3, max: 10 },
  'dense/update': { roundings: 2, max: 0.5 },
  'dense/sampled_product': { roundings: 1, max: 9 },
  'csr/spmv_staged': { roundings: 1, max: 2 },
  'csr/spmv_subgroup': { roundings: 1, max: 2 },
  'csr/spmv_workgroup': { roundings: 1, max: 2 },
  'csr/gemm_pairs': { roundings: 2, max: 3 },
  'csr/gemm_fours': { roundings: 2, max: 3 },
  'csr/gemm_subgroup': { roundings: 2, max: 6 },
  'csr/gemm_subgroup_x16': { roundings: 2, max: 6 },
  'csr/gemm_workgroup': { roundings: 2, max: 3 },
  'bsr/spmv_subgroup': { roundings: 2, max: 3 },
  'bsr/spmv_workgroup': { roundings: 2, max: 2 },
  'bsr/gemm_subgroup': { roundings: 2, max: 5 },
  'bsr/gemm_workgroup': { roundings: 2, max: 3 },
  'ell/spmv_slices': { roundings: 1, max: 2 },
  'bitmask/spmv_staged': { roundings: 2, max: 2 },
  'bitmask/spmv_subgroup': { roundings: 2, max: 2 },
  'bitmask/spmv_workgroup': { roundings: 2, max: 2 },
  'bitmask/gemm_subgroup_x16': { roundings: 2, max: 6 },
  'bitmask/gemm_workgroup': { roundings: 2, max: 3 },
  'macko/spmv_staged': { roundings: 2, max: 2 },
  'macko/spmv_staged_x16': { roundings: 2, max: 2 },
  'macko/spmv_rows': { roundings: 2, max: 2 },
  'macko/spmv_rows_x16': { roundings: 2, max: 2 },
  'macko/spmv_panels': { roundings: 2, max: 2 },
  'macko/spmv_subgroup_x16': { roundings: 2, max: 2 },
  'macko/spmv_subgroup': { roundings: 2, max: 2 },
  'macko/spmv_workgroup': { roundings: 2, max: 2 },
  'macko/gemm_pairs': { roundings: 2, max: 3 },
  'macko/gemm_fours': { roundings: 2, max: 2 },
  'macko/gemm_subgroup': { roundings: 2, max: 6 },
  'macko/gemm_subgroup_x16': { roundings: 2, max: 6 },
  'macko/gemm_workgroup': { roundings: 2, max: 3 },
  'macko/gemm_expanded': { roundings: 3, max: 10 },
  'macko/convert': { roundings: 1, max: 0 },
  'ec-csr/spmv_staged': { roundings: 1, max: 2 },
  'ec-csr/spmv_subgroup': { roundings: 1, max: 2 },
  'ec-csr/spmv_owned_rows': { roundings: 1, max: 2 },
  'ec-csr/spmv_workgroup': { roundings: 1, max: 3 },
  'twell/spmv_subgroup': { roundings: 1, max: 2 },
  'twell/spmv_workgroup': { roundings: 1, max: 2 },
  'twell/gate': { roundings: 1, max: 2 },
  'twell/gate_converted': { roundings: 1, max: 2 },
  'twell/up_down_subgroup': { roundings: 3, max: 0.2 },
  'twell/up_down_workgroup': { roundings: 3, max: 0.2 },
  'twell/down': { roundings: 2, max: 3 },
  'twell/forward_subgroup': { roundings: 3, max: 100 },
  'twell/forward_workgroup': { roundings: 3, max: 100 },
  'twell/convert': { roundings: 1, max: 0 },
  'twell/unpack': { roundings: 1, max: 0 },
  'hybrid/spmv_subgroup': { roundings: 1, max: 2 },
  'hybrid/spmv_workgroup': { roundings: 1, max: 2 },
  'hybrid/up_down_subgroup': { roundings: 3, max: 0.2 },
  'hybrid/up_down_workgroup': { roundings: 3, max: 0.2 },
  'hybrid/up_down_storing_subgroup': { roundings: 3, max: 0.2 },
  'hybrid/up_down_storing_workgroup': { roundings: 3, max: 0.2 },
  'hybrid/forward_subgroup': { roundings: 3, max: 100 },
  'hybrid/forward_workgroup': { roundings: 3, max: 100 },
  'hybrid/forward_storing_subgroup': { roundings: 3, max: 100 },
  'hybrid/forward_storing_workgroup': { roundings: 3, max: 100 },
  'hybrid/down': { roundings: 2, max: 4 },
  'hybrid/backward_subgroup': { roundings: 4, max: 10 },
  'hybrid/backward_workgroup': { roundings: 4, max: 10 },
  'hybrid/backward_stored_subgroup': { roundings: 4, max: 10 },
  'hybrid/backward_stored_workgroup': { roundings: 4, max: 10 },
  'hybrid/sampled_product_subgroup': { roundings: 1, max: 5 },
  'hybrid/sampled_product_workgroup': { roundings: 1, max: 5 },
  'hybrid/convert': { roundings: 1, max: 0 },
  'hybrid/convert_from_twell': { roundings: 1, max: 0 },
  'hybrid/fill': { roundings: 1, max: 0 },
  'hybrid/unpack': { roundings: 1, max: 0 },
  'hybrid/transpose': { roundings: 1, max: 0 },
  'slidesparse/spmv_subgroup': { roundings: 3, max: 2 },
  'slidesparse/spmv_natural': { roundings: 3, max: 2 },
  'slidesparse/spmv_workgroup': { roundings: 3, max: 2 },
  'slidesparse/gemm': { roundings: 2, max: 3 },
  'slidesparse/gemm_i8': { roundings: 4, max: 2 },
  'slidesparse/gemm_i8_subgroup_matrix': { roundings: 4, max: 2 },
  'slidesparse/lift': { roundings: 0, max: 0 },
  'slidesparse/lift_apart': { roundings: 0, max: 0 },
};

/** The largest share of the bound among the outputs that are long sums; 0 if there are none. */
export function shareOfLongSums(found: Float32Array, expected: ExpectedWith, precision: Precision): number {
  const { extraRoundings, outputType } = precision;
  // Rounding an output to bf16 has a bound that a correct kernel attains: it is subtracted from the error.
  const { output, bound, sample } = expectedFor(expected, { extraRoundings });
  // The difference of the two bounds is the share of one rounding, so their ratio counts the roundings of an output.
  const boundWithOneMore = expected(extraRoundings + 1).bound;
  let worst = 0;
  for (let i = 0; i < output.length; i++) {
    const roundings = bound[i] / (boundWithOneMore[i] - bound[i]);
    const value = found[sample ? sample.at[i] : i];
    // Sums with an intermediate overflow are ignored.
    if (!Number.isFinite(output[i]) || !Number.isFinite(value) || !(roundings >= LONG_SUM)) continue;
    const outputRounding = outputType === 'bf16' ? halfStepOfBf16(Math.abs(output[i]) + bound[i]) : 0;
    const error = Math.abs(value - output[i]) - outputRounding;
    if (error > worst * bound[i]) worst = error / bound[i];
  }
  return worst;
}

/** The maximum error of rounding a number of this magnitude to bf16. */
function halfStepOfBf16(magnitude: number): number {
  return UNIT_ROUNDOFF_BF16 * 2 ** Math.max(-126, Math.floor(Math.log2(magnitude)));
}
