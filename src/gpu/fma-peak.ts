import fmaPeakWgsl from '../../shaders/common/fma_peak.wgsl';
import type { KernelPlan } from '../core/kernel/kernel.ts';
import { shaderFiles } from '../core/kernel/shader.ts';

const WORKGROUP_SIZE = 256;
const STEPS = 512;
/** Several times what the largest devices run at once. */
const WORKGROUPS = 4096;
/** Eight chains of vec4. */
const PER_STEP = 32;

/** Multiply-adds of one run of `fmaPeakPlan`. */
export const FMA_PEAK_MULTIPLY_ADDS = WORKGROUPS * WORKGROUP_SIZE * STEPS * PER_STEP;

/** A kernel of nothing but multiply-adds in f32: the peak of arithmetic. */
export function fmaPeakPlan(): KernelPlan {
  return {
    buffers: [{ role: 'output', name: 'sink', bytes: 16 }],
    passes: [
      {
        files: shaderFiles(fmaPeakWgsl),
        constants: { WORKGROUP_SIZE, STEPS },
        bindings: ['sink'],
        workgroups: [WORKGROUPS, 1, 1],
      },
    ],
    bytes: 0,
  };
}
