import gemm from '../../../shaders/slidesparse/gemm_i8.wgsl?raw';
import gemmDense from '../../../shaders/slidesparse/gemm_dense_i8.wgsl?raw';
import gemmSlid from '../../../shaders/slidesparse/gemm_slid_i8.wgsl?raw';
import type { NamedArray } from '../../core/format.ts';
import type { KernelPlan, ShaderFile } from '../../core/kernel.ts';
import { type Activations, type ActivationPass, lifting, quantising } from './activation-kernels.ts';
import type { SlideSparseEncoded } from './layout.ts';

/** Tokens, and rows of weights, of a workgroup. */
const TILE = 64;

/** A dense i8 matrix: `stride` bytes from one row to the next, a multiple of 4, and a scale per row. */
export interface DenseI8 {
  readonly rows: number;
  readonly cols: number;
  readonly stride: number;
  readonly data: Int8Array;
  readonly scales: Float32Array;
}

/**
 * Y = X W^T for f32 activations X (tokens x cols) and dense i8 weights W (rows x cols): X is quantised in a first pass,
 * products and sums are exact integers, and each is scaled by token and row once. y: tokens x rows, f32. The baseline.
 */
export function denseGemmPlan(w: DenseI8, tokens: number): KernelPlan {
  if (w.stride % 4 !== 0) throw new RangeError(`stride: found ${w.stride} bytes, expected a multiple of 4`);
  const a: Activations = { tokens, cols: w.cols };
  const file: ShaderFile = { path: 'slidesparse/gemm_dense_i8.wgsl', code: gemmDense };
  return gemmPlan(a, quantising(a), file, {
    rows: w.rows,
    stride: w.stride / 4,
    scales: w.scales,
    arrays: [{ name: 'weights', data: w.data }],
  });
}

/**
 * The same for slid i8 weights: X is quantised and lifted in the first pass, and each window of weights is put together
 * to a word beside its lifted activations. Throws RangeError for weights in f16.
 */
export function slidGemmPlan(e: SlideSparseEncoded, tokens: number): KernelPlan {
  if (e.valueType !== 'i8') throw new RangeError(`values: found ${e.valueType}, expected i8`);
  const a: Activations = { tokens, cols: e.cols };
  const file: ShaderFile = { path: 'slidesparse/gemm_slid_i8.wgsl', code: gemmSlid };
  return gemmPlan(a, lifting(a, e.halfGroup), file, {
    rows: e.rows,
    stride: e.windowsPerRow,
    scales: e.scales,
    arrays: [
      { name: 'weights', data: e.values },
      { name: 'metadata', data: e.metadata },
    ],
  });
}

interface Weights {
  readonly rows: number;
  readonly stride: number;
  readonly scales: Float32Array;
  /** weights first; what follows is bound behind y */
  readonly arrays: readonly { readonly name: string; readonly data: NamedArray }[];
}

function gemmPlan({ tokens, cols }: Activations, first: ActivationPass, weights: ShaderFile, w: Weights): KernelPlan {
  const [values, ...trailing] = w.arrays;
  const outputBytes = 4 * tokens * w.rows;
  const weightBytes = w.arrays.reduce((sum, { data }) => sum + data.byteLength, 0) + w.scales.byteLength;
  return {
    buffers: [
      // The first pass reads the first three alone.
      { role: 'params', name: 'params', data: Uint32Array.of(...first.params, w.rows, w.stride) },
      { role: 'input', name: 'x', type: 'f32' },
      { role: 'scratch', name: 'activations', bytes: first.bytes },
      { role: 'sparse', name: 'scales', data: w.scales },
      ...w.arrays.map(({ name, data }) => ({ role: 'sparse', name, data }) as const),
      { role: 'output', name: 'y', bytes: outputBytes },
    ],
    passes: [
      { ...first.pass, bindings: ['params', 'x', 'activations'] },
      {
        files: [weights, { path: 'slidesparse/gemm_i8.wgsl', code: gemm }],
        constants: {},
        bindings: ['params', 'activations', 'scales', values.name, 'y', ...trailing.map(({ name }) => name)],
        workgroups: [Math.max(1, Math.ceil(w.rows / TILE)), Math.max(1, Math.ceil(tokens / TILE)), 1],
      },
    ],
    bytes: 4 * tokens * cols + weightBytes + outputBytes,
  };
}
