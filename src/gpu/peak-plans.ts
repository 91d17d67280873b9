import dotPeakWgsl from '../../shaders/common/dot_peak.wgsl';
import fmaPeakWgsl from '../../shaders/common/fma_peak.wgsl';
import matrixPeakWgsl from '../../shaders/common/matrix_peak.wgsl';
import { matricesPiece } from '../core/kernel/gemm-i8-plan.ts';
import type { DeviceFacts, KernelPlan } from '../core/kernel/kernel.ts';
import { shaderFiles } from '../core/kernel/shader.ts';

/**
 * Kernels of nothing but one kind of arithmetic, whose speed is its peak. Each dispatches several times as many workgroups
 * as the largest devices run at once.
 */

const WORKGROUP_SIZE = 256;

const FMA_STEPS = 512;
const FMA_WORKGROUPS = 4096;
/** Eight chains of vec4. */
const FMA_PER_STEP = 32;

/** Multiply-adds of one run of `fmaPeakPlan`. */
export const FMA_PEAK_MULTIPLY_ADDS = FMA_WORKGROUPS * WORKGROUP_SIZE * FMA_STEPS * FMA_PER_STEP;

/** A kernel of nothing but multiply-adds in f32: the peak of arithmetic. */
export function fmaPeakPlan(): KernelPlan {
  return {
    buffers: [{ role: 'output', name: 'sink', bytes: 16 }],
    passes: [
      {
        files: shaderFiles(fmaPeakWgsl),
        constants: { WORKGROUP_SIZE, STEPS: FMA_STEPS },
        bindings: ['sink'],
        workgroups: [FMA_WORKGROUPS, 1, 1],
      },
    ],
    bytes: 0,
  };
}

const DOT_STEPS = 64;
const DOT_WORKGROUPS = 4096;
/** 16 dot products of two chains of vec4, with four multiply-adds each. */
const DOT_PER_STEP = 16 * 8 * 4;

/** Multiply-adds of one run of `dotPeakPlan`. */
export const DOT_PEAK_MULTIPLY_ADDS = DOT_WORKGROUPS * WORKGROUP_SIZE * DOT_STEPS * DOT_PER_STEP;

/**
 * A kernel of nothing but dot products of four bytes with sums in i32: the peak of arithmetic in i8. `shown`: for a
 * smaller test run, the invocation whose sum is its output, and its number of steps.
 */
export function dotPeakPlan(shown?: { readonly invocation: number; readonly steps: number }): KernelPlan {
  const steps = shown?.steps ?? DOT_STEPS;
  return {
    buffers: [{ role: 'output', name: 'sink', bytes: 16 }],
    passes: [
      {
        files: shaderFiles(dotPeakWgsl),
        constants: { WORKGROUP_SIZE, STEPS: steps, ...(shown ? { SHOWN: shown.invocation } : {}) },
        bindings: ['sink'],
        workgroups: [shown ? Math.floor(shown.invocation / WORKGROUP_SIZE) + 1 : DOT_WORKGROUPS, 1, 1],
      },
    ],
    bytes: 0,
  };
}

const SUBGROUP = 32;
const MATRIX_STEPS = 512;
const MATRIX_WORKGROUPS = 2048;
/** Eight products of 16 × 16 sums of 32 bytes. */
const MATRIX_PER_STEP = 8 * 16 * 16 * 32;

/** Multiply-adds of one run of `matrixPeakPlan`. */
export const MATRIX_PEAK_MULTIPLY_ADDS =
  MATRIX_WORKGROUPS * (WORKGROUP_SIZE / SUBGROUP) * MATRIX_STEPS * MATRIX_PER_STEP;

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
        constants: { WORKGROUP_SIZE, STEPS: MATRIX_STEPS },
        bindings: ['sink'],
        workgroups: [MATRIX_WORKGROUPS, 1, 1],
      },
    ],
    bytes: 0,
  };
}
