import unscaled from '../../../shaders/common/unscaled.wgsl';
import weightsF16 from '../../../shaders/common/weights_f16.wgsl';
import weightsF32 from '../../../shaders/common/weights_f32.wgsl';
import weightsI8 from '../../../shaders/common/weights_i8.wgsl';
import weightsWords from '../../../shaders/common/weights_words.wgsl';
import gemm from '../../../shaders/dense/gemm.wgsl';
import gemmI8 from '../../../shaders/dense/gemm_i8.wgsl';
import quantise from '../../../shaders/dense/quantise.wgsl';
import rowScales from '../../../shaders/dense/row_scales.wgsl';
import { type GemmI8Buffers, gemmI8Fits, gemmI8Plan } from '../../core/kernel/gemm-i8-plan.ts';
import { type GemmBuffers, gemmFits, gemmPlan, type GemmTile, tileForTokens } from '../../core/kernel/gemm-plan.ts';
import type { DeviceFacts, KernelPlan, KernelSpec } from '../../core/kernel/kernel.ts';
import type { ShaderModule } from '../../core/kernel/shader.ts';
import {
  type Activations,
  quantiseFits,
  quantisePass,
  quantisePlan,
  readQuantised,
} from '../../core/kernel/quantise-plan.ts';
import type { DenseEncoded } from './layout.ts';

const BYTES_PER_WORD = 4;

/** How weights of a value type are read, and what their sums are multiplied by. */
const WEIGHTS: Readonly<Record<DenseEncoded['valueType'], readonly ShaderModule[]>> = {
  f32: [weightsF32, unscaled],
  f16: [weightsF16, unscaled],
  i8: [weightsI8, rowScales],
};

function buffers(e: DenseEncoded, tokens: number): GemmBuffers {
  return {
    tokens,
    cols: e.cols,
    rows: e.rows,
    stride: e.stride,
    arrays: [{ name: 'data', data: e.data }, ...(e.valueType === 'i8' ? [{ name: 'scales', data: e.scales }] : [])],
  };
}

/** Rows of activations as long as those of the weights, so that both are read four words at a time. */
function buffersI8(e: DenseEncoded, tokens: number): GemmI8Buffers {
  const words = e.stride / BYTES_PER_WORD;
  return {
    activations: { tokens, cols: e.cols, words },
    rows: e.rows,
    stride: words,
    arrays: [
      { name: 'data', data: e.data },
      { name: 'scales', data: e.scales },
    ],
  };
}

/** Quantised rows as short as they can be. */
function quantised({ cols }: DenseEncoded, tokens: number): Activations {
  return { tokens, cols, words: Math.ceil(cols / BYTES_PER_WORD) };
}

/** The plan of 'dense/gemm' with any tile. */
export function denseGemmPlan(e: DenseEncoded, tokens: number, tile: GemmTile): KernelPlan {
  return gemmPlan(buffers(e, tokens), gemm, WEIGHTS[e.valueType], tile);
}

/** The plan of 'dense/gemm_i8' with any tile. */
export function denseGemmI8Plan(e: DenseEncoded, device: DeviceFacts, tokens: number, tile: GemmTile): KernelPlan {
  const b = buffersI8(e, tokens);
  return gemmI8Plan(b, quantisePass(b.activations, device, quantise), gemmI8, [weightsWords], tile);
}

/** Products with many tokens, and what they need of the activations. */
export const gemmKernels: readonly KernelSpec<DenseEncoded>[] = [
  {
    id: 'dense/gemm',
    title: 'tiles, sums in f32',
    operation: 'gemm',
    roundings: 2,
    features: [],
    fits: (e, device, { tokens }) => gemmFits(buffers(e, tokens), device, tileForTokens(tokens, e.rows, device)),
    plan: (e, device, { tokens }) => denseGemmPlan(e, tokens, tileForTokens(tokens, e.rows, device)),
  },
  {
    id: 'dense/gemm_i8',
    title: 'tiles, exact integer sums',
    operation: 'gemm-i8',
    roundings: 4,
    features: [],
    only: { valueType: ['i8'] },
    fits: (e, device, { tokens }) => gemmI8Fits(buffersI8(e, tokens), device, tileForTokens(tokens, e.rows, device)),
    plan: (e, device, { tokens }) => denseGemmI8Plan(e, device, tokens, tileForTokens(tokens, e.rows, device)),
  },
  {
    id: 'dense/quantise',
    title: 'four bytes to a word',
    operation: 'quantise',
    roundings: 0,
    features: [],
    only: { valueType: ['i8'] },
    fits: (e, device, { tokens }) => quantiseFits(quantised(e, tokens), device),
    plan(e, device, { tokens }) {
      const a = quantised(e, tokens);
      return quantisePlan(a, quantisePass(a, device, quantise));
    },
    read: (e, words, { tokens }) => readQuantised(quantised(e, tokens), words, (word) => BYTES_PER_WORD * word),
  },
];
