import indicesU16 from '../../../shaders/common/indices_u16.wgsl?raw';
import indicesU32 from '../../../shaders/common/indices_u32.wgsl?raw';
import valuesF16 from '../../../shaders/common/values_f16.wgsl?raw';
import valuesF32 from '../../../shaders/common/values_f32.wgsl?raw';
import workgroupIndex from '../../../shaders/common/workgroup_index.wgsl?raw';
import spmvScalar from '../../../shaders/ell/spmv_scalar.wgsl?raw';
import type { KernelSpec, ShaderFile } from '../../core/kernel/kernel.ts';
import { fitsDevice, type SpmvBuffers, spmvPlan } from '../../core/kernel/spmv-plan.ts';
import { blockKernels } from './block-kernels.ts';
import type { EllEncoded } from './layout.ts';

/** Lanes per workgroup, each with its own row. */
const LANES = 64;

const VALUES: Readonly<Record<EllEncoded['valueType'], ShaderFile>> = {
  f32: { path: 'common/values_f32.wgsl', code: valuesF32 },
  f16: { path: 'common/values_f16.wgsl', code: valuesF16 },
};
const INDICES: Readonly<Record<EllEncoded['indexBits'], ShaderFile>> = {
  16: { path: 'common/indices_u16.wgsl', code: indicesU16 },
  32: { path: 'common/indices_u32.wgsl', code: indicesU32 },
};

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
    plan: (e) =>
      spmvPlan(buffers(e), {
        files: [
          { path: 'common/workgroup_index.wgsl', code: workgroupIndex },
          VALUES[e.valueType],
          INDICES[e.indexBits],
          { path: 'ell/spmv_scalar.wgsl', code: spmvScalar },
        ],
        constants: { WORKGROUP_SIZE: LANES },
        workgroupCount: Math.ceil(e.rows / LANES),
      }),
  },
  ...blockKernels,
];
