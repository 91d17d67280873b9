import indices from '../../../shaders/common/indices.wgsl';
import values from '../../../shaders/common/values.wgsl';
import spmvScalar from '../../../shaders/ell/spmv_scalar.wgsl';
import { laneChoice } from '../../core/kernel/device-limits.ts';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import { shaderFiles } from '../../core/kernel/shader.ts';
import { fitsDevice, type SpmvBuffers, spmvPlan } from '../../core/kernel/spmv-plan.ts';
import { blockKernels } from './block-kernels.ts';
import type { EllEncoded } from './layout.ts';

/** Lanes per workgroup, each with its own row. */
const LANES = 64;

function buffers(e: EllEncoded): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows],
    arrays: [
      { name: 'values', data: e.values },
      { name: 'indices', data: e.indices },
      { name: 'counts', data: e.counts },
    ],
    xType: 'f32',
  };
}

export const kernels: readonly KernelSpec<EllEncoded>[] = [
  {
    id: 'ell/spmv_scalar',
    title: 'lane per row',
    operation: 'spmv',
    roundings: 1,
    features: [],
    fits: (e, device) => fitsDevice(buffers(e), { lanes: LANES, memoryBytes: 0 }, device),
    choices: (_, device) => [laneChoice(LANES, device)],
    plan: (e, _device, _sizes, { lanes = LANES } = {}) =>
      spmvPlan(buffers(e), {
        files: shaderFiles(spmvScalar, [values.variants[e.valueType], indices.variants[e.indexBits]]),
        constants: { WORKGROUP_SIZE: lanes },
        workgroupCount: Math.ceil(e.rows / lanes),
      }),
  },
  ...blockKernels,
];
