import gemmRows from '../../../shaders/common/gemm_rows.wgsl?raw';
import unscaled from '../../../shaders/common/unscaled.wgsl?raw';
import weightsF16 from '../../../shaders/common/weights_f16.wgsl?raw';
import weightsF32 from '../../../shaders/common/weights_f32.wgsl?raw';
import weightsI8 from '../../../shaders/common/weights_i8.wgsl?raw';
import weightsWords from '../../../shaders/common/weights_words.wgsl?raw';
import gemm from '../../../shaders/dense/gemm.wgsl?raw';
import gemmI8 from '../../../shaders/dense/gemm_i8.wgsl?raw';
import quantise from '../../../shaders/dense/quantise.wgsl?raw';
import rowScales from '../../../shaders/dense/row_scales.wgsl?raw';
import { type GemmI8Buffers, gemmI8Fits, gemmI8Plan } from '../../core/kernel/gemm-i8-plan.ts';
import { type GemmBuffers, gemmFits, gemmPlan, type GemmTile, tileForTokens } from '../../core/kernel/gemm-plan.ts';
import type { DeviceFacts, KernelPlan, KernelSpec, ShaderFile } from '../../core/kernel/kernel.ts';
import {
  type Activations,
  quantiseFits,
  quantisePass,
  quantisePlan,
  readQuantised,
} from '../../core/kernel/quantise-plan.ts';
import type { DenseEncoded } from './layout.ts';

const BYTES_PER_WORD = 4;

const GEMM_ROWS: ShaderFile = { path: 'common/gemm_rows.wgsl', code: gemmRows };
const UNSCALED: ShaderFile = { path: 'common/unscaled.wgsl', code: unscaled };
const ROW_SCALES: ShaderFile = { path: 'dense/row_scales.wgsl', code: rowScales };
const QUANTISE: ShaderFile = { path: 'dense/quantise.wgsl', code: quantise };

/** How weights of a value type are read, and what their sums are multiplied by. */
const WEIGHTS: Readonly<Record<DenseEncoded['valueType'], readonly ShaderFile[]>> = {
  f32: [{ path: 'common/weights_f32.wgsl', code: weightsF32 }, UNSCALED],
  f16: [{ path: 'common/weights_f16.wgsl', code: weightsF16 }, UNSCALED],
  i8: [{ path: 'common/weights_i8.wgsl', code: weightsI8 }, ROW_SCALES],
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
  const files = [GEMM_ROWS, ...WEIGHTS[e.valueType], { path: 'dense/gemm.wgsl', code: gemm }];
  return gemmPlan(buffers(e, tokens), files, tile);
}

/** The plan of 'dense/gemm_i8' with any tile. */
export function denseGemmI8Plan(e: DenseEncoded, device: DeviceFacts, tokens: number, tile: GemmTile): KernelPlan {
  const b = buffersI8(e, tokens);
  const words = { path: 'common/weights_words.wgsl', code: weightsWords };
  const files = [GEMM_ROWS, words, ROW_SCALES, { path: 'dense/gemm_i8.wgsl', code: gemmI8 }];
  return gemmI8Plan(b, quantisePass(b.activations, device, QUANTISE), files, tile);
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
      return quantisePlan(a, quantisePass(a, device, QUANTISE));
    },
    read: (e, words, { tokens }) => readQuantised(quantised(e, tokens), words, (word) => BYTES_PER_WORD * word),
  },
];
