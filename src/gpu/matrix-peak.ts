import matrixPeakWgsl from '../../shaders/common/matrix_peak.wgsl';
import { matricesPiece } from '../core/kernel/gemm-i8-plan.ts';
import type { DeviceFacts, KernelPlan } from '../core/kernel/kernel.ts';
import { shaderFiles } from '../core/kernel/shader.ts';

const WORKGROUP_SIZE = 256;
const SUBGROUP = 32;
const STEPS = 512;
/** Several times what the largest devices run at once. */
const WORKGROUPS = 2048;
/** Eight products of 16 × 16 sums of 32 bytes. */
const PER_STEP = 8 * 16 * 16 * 32;

/** Multiply-adds of one run of `matrixPeakPlan`. */
export const MATRIX_PEAK_MULTIPLY_ADDS = WORKGROUPS * (WORKGROUP_SIZE / SUBGROUP) * STEPS * PER_STEP;

/**
 * A kernel of nothing but products of subgroup matrices of bytes, with sums in i32: the peak for kernels that use them.
 * For devices that have such matrices.
 */
export function matrixPeakPlan(device: DeviceFacts): KernelPlan {
  return {
    buffers: [{ role: 'output', name: 'sink', bytes: 16 }],
    passes: [
      {
        files: shaderFiles(matrixPeakWgsl, [matricesPiece(device)]),
        constants: { WORKGROUP_SIZE, STEPS },
        bindings: ['sink'],
        workgroups: [WORKGROUPS, 1, 1],
      },
    ],
    bytes: 0,
  };
}
