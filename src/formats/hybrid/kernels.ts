import spmvByRow from '../../../shaders/hybrid/spmv_by_row.wgsl';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import { storedArrays } from '../../core/kernel/multi-pass-plan.ts';
import { byRowKernels, type SpmvBuffers } from '../../core/kernel/spmv-plan.ts';
import { blockKernels } from './block-kernels.ts';
import { layoutKernels } from './layout-kernels.ts';
import type { HybridEncoded } from './layout.ts';

function buffers(e: HybridEncoded): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows, e.cols, e.slots],
    arrays: storedArrays(e, ['values', 'indices', 'counts', 'tailMap', 'tail']),
    xType: 'f32',
  };
}

/** The WebGPU kernels of the hybrid (ELL with a dense tail): y = A x, the feed-forward block, and conversions. */
export const kernels: readonly KernelSpec<HybridEncoded>[] = [
  ...byRowKernels('hybrid', spmvByRow, { buffers }),
  ...blockKernels,
  ...layoutKernels,
];
