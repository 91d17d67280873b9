import gemm from '../../../shaders/slidesparse/gemm.wgsl';
import gemmI8 from '../../../shaders/slidesparse/gemm_i8.wgsl';
import lift from '../../../shaders/slidesparse/lift.wgsl';
import { type GemmI8Buffers, gemmI8Fits, gemmI8Plan } from '../../core/kernel/gemm-i8-plan.ts';
import { type GemmBuffers, gemmFits, gemmPlan, type GemmTile, tileForTokens } from '../../core/kernel/gemm-plan.ts';
import type { DeviceFacts, KernelPlan, KernelSpec, PassPlan } from '../../core/kernel/kernel.ts';
import {
  type Activations,
  quantiseFits,
  quantisePass,
  quantisePlan,
  readQuantised,
} from '../../core/kernel/quantise-plan.ts';
import { type SlideSparseEncoded, windowStart } from './layout.ts';
import { windowsPerGroup } from './params.ts';

function buffers(e: SlideSparseEncoded, tokens: number): GemmBuffers {
  return {
    tokens,
    cols: e.cols,
    rows: e.rows,
    stride: e.windowsPerRow,
    arrays: [
      { name: 'values', data: e.values },
      { name: 'metadata', data: e.metadata },
    ],
    further: [windowsPerGroup(e)],
  };
}

/** Lifted activations: a word per window. */
function lifted({ cols, windowsPerRow }: SlideSparseEncoded, tokens: number): Activations {
  return { tokens, cols, words: windowsPerRow };
}

function liftPass(e: SlideSparseEncoded, tokens: number, device: DeviceFacts): Omit<PassPlan, 'bindings'> {
  return quantisePass(lifted(e, tokens), device, lift, { WINDOWS_PER_GROUP: windowsPerGroup(e) });
}

function buffersI8(e: SlideSparseEncoded, tokens: number): GemmI8Buffers {
  return {
    activations: lifted(e, tokens),
    rows: e.rows,
    stride: e.windowsPerRow,
    arrays: [
      { name: 'values', data: e.values },
      { name: 'metadata', data: e.metadata },
      { name: 'scales', data: e.scales },
    ],
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

/** Products with many tokens, and what they need of the activations. */
export const gemmKernels: readonly KernelSpec<SlideSparseEncoded>[] = [
  {
    id: 'slidesparse/gemm',
    title: 'tiles, weights slide back while being staged',
    operation: 'gemm',
    roundings: 2,
    features: [],
    only: { valueType: ['f16'] },
    fits: (e, device, { tokens }) => gemmFits(buffers(e, tokens), device, tileForTokens(tokens, e.rows, device)),
    plan: (e, device, { tokens }) => slidGemmPlan(e, tokens, tileForTokens(tokens, e.rows, device)),
  },
  {
    id: 'slidesparse/gemm_i8',
    title: 'tiles, windows times lifted activations',
    operation: 'gemm-i8',
    arithmetic: 'i8',
    roundings: 4,
    features: [],
    only: { valueType: ['i8'] },
    fits: (e, device, { tokens }) => gemmI8Fits(buffersI8(e, tokens), device, tileForTokens(tokens, e.rows, device)),
    plan: (e, device, { tokens }) => slidGemmI8Plan(e, device, tokens, tileForTokens(tokens, e.rows, device)),
  },
  {
    id: 'slidesparse/lift',
    title: 'quantised and lifted in one pass',
    operation: 'quantise',
    roundings: 0,
    features: [],
    only: { valueType: ['i8'] },
    fits: (e, device, { tokens }) => quantiseFits(lifted(e, tokens), device),
    plan: (e, device, { tokens }) => quantisePlan(lifted(e, tokens), liftPass(e, tokens, device)),
    read: (e, words, { tokens }) => readQuantised(lifted(e, tokens), words, (window) => windowStart(e, window)),
  },
];
