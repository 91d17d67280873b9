import dotPeakWgsl from '../../shaders/common/dot_peak.wgsl';
import type { KernelPlan } from '../core/kernel/kernel.ts';
import { shaderFiles } from '../core/kernel/shader.ts';

const WORKGROUP_SIZE = 256;
const STEPS = 64;
/** Several times what the largest devices run at once. */
const WORKGROUPS = 4096;
/** 16 dot products of two chains of vec4, with four multiply-adds each. */
const PER_STEP = 16 * 8 * 4;

/** Multiply-adds of one run of `dotPeakPlan`. */
export const DOT_PEAK_MULTIPLY_ADDS = WORKGROUPS * WORKGROUP_SIZE * STEPS * PER_STEP;

/**
 * A kernel of nothing but dot products of four bytes with sums in i32: the peak of arithmetic in i8. `shown`: for a
 * smaller test run, the invocation whose sum is its output, and its number of steps.
 */
export function dotPeakPlan(shown?: { readonly invocation: number; readonly steps: number }): KernelPlan {
  const steps = shown?.steps ?? STEPS;
  return {
    buffers: [{ role: 'output', name: 'sink', bytes: 16 }],
    passes: [
      {
        files: shaderFiles(dotPeakWgsl),
        constants: { WORKGROUP_SIZE, STEPS: steps, ...(shown ? { SHOWN: shown.invocation } : {}) },
        bindings: ['sink'],
        workgroups: [shown ? Math.floor(shown.invocation / WORKGROUP_SIZE) + 1 : WORKGROUPS, 1, 1],
      },
    ],
    bytes: 0,
  };
}
