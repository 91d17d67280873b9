import row from '../../../shaders/bitmask/row.wgsl?raw';
import spmvSubgroup from '../../../shaders/bitmask/spmv_subgroup.wgsl?raw';
import spmvWorkgroup from '../../../shaders/bitmask/spmv_workgroup.wgsl?raw';
import subgroupScan from '../../../shaders/common/subgroup_scan.wgsl?raw';
import valuesF16 from '../../../shaders/common/values_f16.wgsl?raw';
import valuesF32 from '../../../shaders/common/values_f32.wgsl?raw';
import workgroupIndex from '../../../shaders/common/workgroup_index.wgsl?raw';
import workgroupScan from '../../../shaders/common/workgroup_scan.wgsl?raw';
import workgroupSum from '../../../shaders/common/workgroup_sum.wgsl?raw';
import type { KernelSpec, ShaderFile } from '../../core/kernel/kernel.ts';
import { fitsDevice, type SpmvBuffers, spmvPlan } from '../../core/kernel/spmv-plan.ts';
import type { BitmaskEncoded } from './layout.ts';

const SUBGROUP_KERNEL_LANES = 128;
const WORKGROUP_KERNEL_LANES = 64;
/** Per lane: a sum, two running counts, a word, and the count before it. */
const WORKGROUP_KERNEL_MEMORY_BYTES = WORKGROUP_KERNEL_LANES * 20;

const WORKGROUP_INDEX: ShaderFile = { path: 'common/workgroup_index.wgsl', code: workgroupIndex };
const ROW: ShaderFile = { path: 'bitmask/row.wgsl', code: row };
const VALUES: Readonly<Record<BitmaskEncoded['valueType'], ShaderFile>> = {
  f32: { path: 'common/values_f32.wgsl', code: valuesF32 },
  f16: { path: 'common/values_f16.wgsl', code: valuesF16 },
};

function buffers(e: BitmaskEncoded): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows, e.wordsPerRow],
    arrays: [
      { name: 'values', data: e.values },
      { name: 'mask', data: e.mask },
      { name: 'rowPtr', data: e.rowPtr },
    ],
    xType: 'f32',
  };
}

export const kernels: readonly KernelSpec<BitmaskEncoded>[] = [
  {
    id: 'bitmask/spmv_subgroup',
    title: 'subgroup per row',
    operation: 'spmv',
    roundings: 1,
    features: ['subgroups'],
    fits: (e, device) => fitsDevice(buffers(e), { lanes: SUBGROUP_KERNEL_LANES, memoryBytes: 0 }, device),
    plan: (e, device) =>
      spmvPlan(buffers(e), {
        files: [
          WORKGROUP_INDEX,
          { path: 'common/subgroup_scan.wgsl', code: subgroupScan },
          VALUES[e.valueType],
          ROW,
          { path: 'bitmask/spmv_subgroup.wgsl', code: spmvSubgroup },
        ],
        constants: { WORKGROUP_SIZE: SUBGROUP_KERNEL_LANES, MAX_SUBGROUP_SIZE: device.subgroupMaxSize },
        workgroupCount: Math.ceil(e.rows / (SUBGROUP_KERNEL_LANES / device.subgroupMaxSize)),
      }),
  },
  {
    id: 'bitmask/spmv_workgroup',
    title: 'workgroup per row, without subgroups',
    operation: 'spmv',
    roundings: 1,
    features: [],
    fits: (e, device) =>
      fitsDevice(buffers(e), { lanes: WORKGROUP_KERNEL_LANES, memoryBytes: WORKGROUP_KERNEL_MEMORY_BYTES }, device),
    plan: (e) =>
      spmvPlan(buffers(e), {
        files: [
          WORKGROUP_INDEX,
          { path: 'common/workgroup_sum.wgsl', code: workgroupSum },
          { path: 'common/workgroup_scan.wgsl', code: workgroupScan },
          VALUES[e.valueType],
          ROW,
          { path: 'bitmask/spmv_workgroup.wgsl', code: spmvWorkgroup },
        ],
        constants: { WORKGROUP_SIZE: WORKGROUP_KERNEL_LANES },
        workgroupCount: e.rows,
      }),
  },
];
