import gemmDense from '../../../shaders/slidesparse/gemm_dense_f16.wgsl?raw';
import gemmSlid from '../../../shaders/slidesparse/gemm_slid_f16.wgsl?raw';
import gemmTile from '../../../shaders/slidesparse/gemm_tile_f16.wgsl?raw';
import type { NamedArray } from '../../core/format.ts';
import type { KernelPlan, ShaderFile } from '../../core/kernel.ts';
import type { SlideSparseEncoded } from './layout.ts';
import { windowsPerGroup } from './params.ts';

/** Tokens, and rows of weights, of a workgroup. */
const TILE = 64;

/** A dense f16 matrix as bits: `stride` values from one row to the next, a multiple of 2, zeros behind the last column. */
export interface DenseF16 {
  readonly rows: number;
  readonly cols: number;
  readonly stride: number;
  readonly data: Uint16Array;
}

/** Y = X W^T for f32 activations X (tokens x cols) and dense f16 weights, sums in f32. y: tokens x rows. The baseline. */
export function denseGemmF16Plan(w: DenseF16, tokens: number): KernelPlan {
  if (w.stride % 2 !== 0) throw new RangeError(`stride: found ${w.stride} values, expected a multiple of 2`);
  return planOf(
    { tokens, cols: w.cols, rows: w.rows, stride: w.stride / 2 },
    [{ name: 'weights', data: w.data }],
    { path: 'slidesparse/gemm_dense_f16.wgsl', code: gemmDense },
    {},
  );
}

/**
 * The same for slid f16 weights: two products per window instead of four, activations lifted while they are staged.
 * Throws RangeError for weights in i8.
 */
export function slidGemmF16Plan(e: SlideSparseEncoded, tokens: number): KernelPlan {
  if (e.valueType !== 'f16') throw new RangeError(`values: found ${e.valueType}, expected f16`);
  return planOf(
    { tokens, cols: e.cols, rows: e.rows, stride: e.windowsPerRow },
    [
      { name: 'weights', data: e.values },
      { name: 'metadata', data: e.metadata },
    ],
    { path: 'slidesparse/gemm_slid_f16.wgsl', code: gemmSlid },
    { WINDOWS_PER_GROUP: windowsPerGroup(e) },
  );
}

function planOf(
  sizes: { readonly tokens: number; readonly cols: number; readonly rows: number; readonly stride: number },
  arrays: readonly { readonly name: string; readonly data: NamedArray }[],
  main: ShaderFile,
  constants: Readonly<Record<string, number>>,
): KernelPlan {
  const { tokens, cols, rows, stride } = sizes;
  const [weights, ...trailing] = arrays;
  const outputBytes = 4 * tokens * rows;
  return {
    buffers: [
      { role: 'params', name: 'params', data: Uint32Array.of(tokens, cols, rows, stride) },
      { role: 'input', name: 'x', type: 'f32' },
      ...arrays.map(({ name, data }) => ({ role: 'sparse', name, data }) as const),
      { role: 'output', name: 'y', bytes: outputBytes },
    ],
    passes: [
      {
        files: [{ path: 'slidesparse/gemm_tile_f16.wgsl', code: gemmTile }, main],
        constants,
        bindings: ['params', 'x', weights.name, 'y', ...trailing.map(({ name }) => name)],
        workgroups: [Math.max(1, Math.ceil(rows / TILE)), Math.max(1, Math.ceil(tokens / TILE)), 1],
      },
    ],
    bytes: 4 * tokens * cols + arrays.reduce((sum, { data }) => sum + data.byteLength, 0) + outputBytes,
  };
}
