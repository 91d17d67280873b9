import quantise from '../../../shaders/common/quantise.wgsl';
import gemm from '../../../shaders/slidesparse/gemm.wgsl';
import gemmI8 from '../../../shaders/slidesparse/gemm_i8.wgsl';
import gemmI8Matrix from '../../../shaders/slidesparse/gemm_i8_subgroup_matrix.wgsl';
import lift from '../../../shaders/slidesparse/lift.wgsl';
import type { Chosen } from '../../core/kernel/choices.ts';
import { type GemmI8Buffers, gemmI8Kernel, gemmI8Plan } from '../../core/kernel/gemm-i8-plan.ts';
import { gemmI8SubgroupKernel } from '../../core/kernel/gemm-i8-subgroup-plan.ts';
import { type GemmBuffers, gemmKernel, gemmPlan, type GemmTile } from '../../core/kernel/gemm-plan.ts';
import { type DeviceFacts, splitWorkgroups, type KernelPlan, type KernelSpec } from '../../core/kernel/kernel.ts';
import { fitsLimits } from '../../core/kernel/device-limits.ts';
import { storedArrays } from '../../core/kernel/multi-pass-plan.ts';
import {
  type Activations,
  quantisedBytes,
  quantiseFits,
  quantiseParams,
  quantisePass,
  quantisePlan,
  readQuantised,
} from '../../core/kernel/quantise-plan.ts';
import { shaderFiles } from '../../core/kernel/shader.ts';
import type { Sizes } from '../../core/operations/operation.ts';
import { type SlideSparseEncoded, windowStart } from './layout.ts';
import { windowsPerGroup } from './params.ts';

/** The buffers of Y = X Wᵀ with slid weights (groups laid out as overlapping windows of 2:4, see layout.ts) in f16. */
function buffers(e: SlideSparseEncoded, tokens: number): GemmBuffers {
  return {
    tokens,
    cols: e.cols,
    rows: e.rows,
    stride: e.windowsPerRow,
    arrays: storedArrays(e, ['values', 'metadata']),
    further: [windowsPerGroup(e)],
  };
}

/** Sizes of lifted activations: a word per window, so that columns shared by two windows are stored twice. */
function lifted({ cols, windowsPerRow }: SlideSparseEncoded, tokens: number): Activations {
  return { tokens, cols, words: windowsPerRow };
}

/** The pass that quantises and lifts activations at once. */
function liftPass(e: SlideSparseEncoded, tokens: number, device: DeviceFacts, chosen?: Chosen) {
  const constants = { WINDOWS_PER_GROUP: windowsPerGroup(e) };
  return quantisePass(lifted(e, tokens), device, lift.variants.fused, constants, chosen);
}

/** Sizes of quantised activations before they are lifted: four columns to a word. */
function quantised({ cols }: SlideSparseEncoded, tokens: number): Activations {
  return { tokens, cols, words: Math.ceil(cols / 4) };
}

/** Lanes of a workgroup that lifts quantised rows in a separate pass. */
const APART_LANES = 256;

/** Quantises and lifts in two passes, for comparison with the fused one: quantised rows go through memory. */
function liftApartPlan(e: SlideSparseEncoded, tokens: number, device: DeviceFacts): KernelPlan {
  const [before, after] = [quantised(e, tokens), lifted(e, tokens)];
  return {
    buffers: [
      { role: 'params', name: 'params', data: Uint32Array.from(quantiseParams(before)) },
      { role: 'params', name: 'lift params', data: Uint32Array.from([...quantiseParams(after), before.words]) },
      { role: 'input', name: 'x', type: 'f32' },
      { role: 'scratch', name: 'quantised', bytes: quantisedBytes(before) },
      { role: 'output', name: 'y', bytes: quantisedBytes(after) },
    ],
    passes: [
      { ...quantisePass(before, device, quantise), bindings: ['params', 'x', 'quantised'] },
      {
        files: shaderFiles(lift.variants.apart),
        constants: { WORKGROUP_SIZE: APART_LANES, WINDOWS_PER_GROUP: windowsPerGroup(e) },
        bindings: ['lift params', 'quantised', 'y'],
        workgroups: splitWorkgroups(Math.ceil((tokens * Math.max(1, after.words)) / APART_LANES)),
      },
    ],
    bytes: 4 * tokens * e.cols + 2 * quantisedBytes(before) + quantisedBytes(after),
  };
}

/** The buffers of the product in i8. */
function buffersI8(e: SlideSparseEncoded, tokens: number): GemmI8Buffers {
  return {
    activations: lifted(e, tokens),
    rows: e.rows,
    stride: e.windowsPerRow,
    arrays: storedArrays(e, ['values', 'metadata', 'scales']),
  };
}

/** The plan of 'slidesparse/gemm' with any tile. */
export function slidGemmPlan(e: SlideSparseEncoded, tokens: number, tile: GemmTile): KernelPlan {
  return gemmPlan(buffers(e, tokens), gemm, [], tile);
}

/** The plan of 'slidesparse/gemm_i8' with any tile. */
export function slidGemmI8Plan(e: SlideSparseEncoded, device: DeviceFacts, tokens: number, tile: GemmTile): KernelPlan {
  return gemmI8Plan(buffersI8(e, tokens), liftPass(e, tokens, device), gemmI8, [], tile);
}

/** The outputs of a lifting kernel, in the order of the operation. */
function readLifted(e: SlideSparseEncoded, words: Uint32Array<ArrayBuffer>, { tokens }: Sizes): Float32Array {
  return readQuantised(lifted(e, tokens), words, (window) => windowStart(e, window));
}

/** The WebGPU kernels of Y = X Wᵀ with many tokens, and those that quantise and lift the activations. */
export const gemmKernels: readonly KernelSpec<SlideSparseEncoded>[] = [
  gemmKernel({
    id: 'slidesparse/gemm',
    title: 'tiles, weights slide back while being staged',
    only: { valueType: ['f16'] },
    buffers,
    plan: slidGemmPlan,
  }),
  gemmI8Kernel({
    id: 'slidesparse/gemm_i8',
    title: 'tiles, windows times lifted activations',
    buffers: buffersI8,
    plan: slidGemmI8Plan,
  }),
  gemmI8SubgroupKernel({
    id: 'slidesparse/gemm_i8_subgroup_matrix',
    title: 'matrix units, windows times lifted activations',
    buffers: buffersI8,
    shader: gemmI8Matrix,
    quantise: liftPass,
  }),
  {
    id: 'slidesparse/lift',
    title: 'quantised and lifted in one pass',
    operation: 'quantise',
    extraRoundings: 0,
    features: [],
    only: { valueType: ['i8'] },
    fits: (e, device, { tokens }) => quantiseFits(lifted(e, tokens), device),
    plan: (e, device, { tokens }) => quantisePlan(lifted(e, tokens), liftPass(e, tokens, device)),
    read: readLifted,
  },
  {
    id: 'slidesparse/lift_apart',
    title: 'quantised in one pass, lifted in a second',
    operation: 'quantise',
    extraRoundings: 0,
    features: [],
    only: { valueType: ['i8'] },
    fits(e, device, { tokens }) {
      const words = [['quantised', quantisedBytes(quantised(e, tokens))]] as const;
      const apart = fitsLimits(words, { lanes: APART_LANES, memoryBytes: 0 }, device);
      return apart.ok ? quantiseFits(lifted(e, tokens), device) : apart;
    },
    plan: (e, device, { tokens }) => liftApartPlan(e, tokens, device),
    read: readLifted,
  },
];
