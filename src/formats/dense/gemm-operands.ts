import rowScales from '../../../shaders/dense/row_scales.wgsl';
import unscaled from '../../../shaders/common/unscaled.wgsl';
import weightsF16 from '../../../shaders/common/weights_f16.wgsl';
import weightsF32 from '../../../shaders/common/weights_f32.wgsl';
import weightsI4 from '../../../shaders/common/weights_i4.wgsl';
import weightsI8 from '../../../shaders/common/weights_i8.wgsl';
import type { GemmBuffers } from '../../core/kernel/gemm-plan.ts';
import type { ShaderModule } from '../../core/kernel/shader.ts';
import { type DenseEncoded, hasScales } from './layout.ts';

/** How weights of a value type are read, and what their sums are multiplied by. */
export const WEIGHTS: Readonly<Record<DenseEncoded['valueType'], readonly ShaderModule[]>> = {
  f32: [weightsF32, unscaled],
  f16: [weightsF16, unscaled],
  i8: [weightsI8, rowScales],
  i4: [weightsI4, unscaled],
};

/** The buffers of Y = X W^T. */
export function buffers(e: DenseEncoded, tokens: number): GemmBuffers {
  return {
    tokens,
    cols: e.cols,
    rows: e.rows,
    stride: e.stride,
    arrays: [{ name: 'data', data: e.data }, ...(hasScales(e) ? [{ name: 'scales', data: e.scales }] : [])],
  };
}
