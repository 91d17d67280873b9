import packedRow from '../../../shaders/twell/packed_row.wgsl';
import splitRow from '../../../shaders/twell/split_row.wgsl';
import spmvByRow from '../../../shaders/twell/spmv_by_row.wgsl';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import { storedArrays } from '../../core/kernel/multi-pass-plan.ts';
import type { ShaderModule } from '../../core/kernel/shader.ts';
import { byRowKernels, type SpmvBuffers } from '../../core/kernel/spmv-plan.ts';
import { blockKernels } from './block-kernels.ts';
import type { TwellEncoded } from './layout.ts';

/** WGSL by layout: the part of a row's dot product with x that one lane of several adds up. */
const ROW: Readonly<Record<TwellEncoded['layout'], ShaderModule>> = { packed: packedRow, split: splitRow };

/** Buffers of y = A x. Sizes are uniforms, not overrides: a layout needs one pipeline for all tiles. */
function buffers(e: TwellEncoded): SpmvBuffers {
  const arrays = e.layout === 'packed' ? storedArrays(e, ['words']) : storedArrays(e, ['values', 'indices', 'counts']);
  return { rows: e.rows, cols: e.cols, params: [e.rows, e.tiles, e.slots], arrays, xType: 'f32' };
}

/** The WebGPU kernels of TwELL: y = A x, and the feed-forward block of a language model. */
export const kernels: readonly KernelSpec<TwellEncoded>[] = [
  ...byRowKernels('twell', spmvByRow, { buffers, pieces: (e) => [ROW[e.layout]] }),
  ...blockKernels,
];
