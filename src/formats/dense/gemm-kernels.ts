import unscaled from '../../../shaders/common/unscaled.wgsl?raw';
import gemmRows from '../../../shaders/common/gemm_rows.wgsl?raw';
import weightsF16 from '../../../shaders/common/weights_f16.wgsl?raw';
import weightsF32 from '../../../shaders/common/weights_f32.wgsl?raw';
import weightsI8 from '../../../shaders/common/weights_i8.wgsl?raw';
import gemm from '../../../shaders/dense/gemm.wgsl?raw';
import rowScales from '../../../shaders/dense/row_scales.wgsl?raw';
import { type GemmBuffers, gemmFits, gemmPlan } from '../../core/gemm-plan.ts';
import type { KernelSpec, ShaderFile } from '../../core/kernel.ts';
import type { DenseEncoded } from './layout.ts';

const UNSCALED: ShaderFile = { path: 'common/unscaled.wgsl', code: unscaled };

/** How weights of a value type are read, and what their sums are multiplied by. */
const WEIGHTS: Readonly<Record<DenseEncoded['valueType'], readonly ShaderFile[]>> = {
  f32: [{ path: 'common/weights_f32.wgsl', code: weightsF32 }, UNSCALED],
  f16: [{ path: 'common/weights_f16.wgsl', code: weightsF16 }, UNSCALED],
  i8: [
    { path: 'common/weights_i8.wgsl', code: weightsI8 },
    { path: 'dense/row_scales.wgsl', code: rowScales },
  ],
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

/** Kernels of products with many tokens. */
export const gemmKernels: readonly KernelSpec<DenseEncoded>[] = [
  {
    id: 'dense/gemm',
    title: 'tiles, sums in f32',
    operation: 'gemm',
    roundings: 2,
    features: [],
    fits: (e, device, { tokens }) => gemmFits(buffers(e, tokens), device),
    plan: (e, _device, { tokens }) =>
      gemmPlan(buffers(e, tokens), [
        { path: 'common/gemm_rows.wgsl', code: gemmRows },
        ...WEIGHTS[e.valueType],
        { path: 'dense/gemm.wgsl', code: gemm },
      ]),
  },
];
