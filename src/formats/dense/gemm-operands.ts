import rowScale from '../../../shaders/common/row_scale.wgsl';
import weights from '../../../shaders/common/weights.wgsl';
import type { GemmBuffers } from '../../core/kernel/gemm-plan.ts';
import { storedArrays, storedScales } from '../../core/kernel/multi-pass-plan.ts';
import type { ShaderModule } from '../../core/kernel/shader.ts';
import type { DenseEncoded } from './layout.ts';

/** By value type: the shader modules that read weights and that scale sums of products. */
export const WEIGHT_MODULES: Readonly<Record<DenseEncoded['valueType'], readonly ShaderModule[]>> = {
  f32: [weights.variants.f32, rowScale.variants.none],
  f16: [weights.variants.f16, rowScale.variants.none],
  i8: [weights.variants.i8, rowScale.variants.at_4],
  i4: [weights.variants.i4, rowScale.variants.none],
};

/** Sizes and stored arrays of Y = X Wᵀ with dense weights. */
export function buffers(e: DenseEncoded, tokens: number): GemmBuffers {
  return {
    tokens,
    cols: e.cols,
    rows: e.rows,
    stride: e.stride,
    arrays: [...storedArrays(e, ['data']), ...storedScales(e)],
  };
}
