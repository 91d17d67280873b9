import spmvSubgroup from '../../../shaders/bitmask/spmv_subgroup.wgsl';
import spmvWorkgroup from '../../../shaders/bitmask/spmv_workgroup.wgsl';
import valuesF16 from '../../../shaders/common/values_f16.wgsl';
import valuesF32 from '../../../shaders/common/values_f32.wgsl';
import { laneChoice } from '../../core/kernel/device-limits.ts';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';
import { fitsDevice, type SpmvBuffers, spmvPlan } from '../../core/kernel/spmv-plan.ts';
import type { BitmaskEncoded } from './layout.ts';
import { subgroupLoads } from './loads.ts';

const SUBGROUP_KERNEL_LANES = 128;
const WORKGROUP_KERNEL_LANES = 64;
/** Per lane: a sum, two running counts, a word, and the count before it. */
const WORKGROUP_KERNEL_BYTES_PER_LANE = 20;

const VALUES: Readonly<Record<BitmaskEncoded['valueType'], ShaderModule>> = {
  f32: valuesF32,
  f16: valuesF16,
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
    choices: (_, device) => [laneChoice(SUBGROUP_KERNEL_LANES, device)],
    plan: (e, device, _, { lanes = SUBGROUP_KERNEL_LANES } = {}) =>
      spmvPlan(buffers(e), {
        files: shaderFiles(spmvSubgroup, [VALUES[e.valueType]]),
        constants: { WORKGROUP_SIZE: lanes, MAX_SUBGROUP_SIZE: device.subgroupMaxSize },
        workgroupCount: Math.ceil(e.rows / (lanes / device.subgroupMaxSize)),
      }),
    loads: subgroupLoads,
  },
  {
    id: 'bitmask/spmv_workgroup',
    title: 'workgroup per row, without subgroups',
    operation: 'spmv',
    roundings: 1,
    features: [],
    fits: (e, device) =>
      fitsDevice(
        buffers(e),
        { lanes: WORKGROUP_KERNEL_LANES, memoryBytes: WORKGROUP_KERNEL_LANES * WORKGROUP_KERNEL_BYTES_PER_LANE },
        device,
      ),
    choices: (_, device) => [laneChoice(WORKGROUP_KERNEL_LANES, device, WORKGROUP_KERNEL_BYTES_PER_LANE)],
    plan: (e, _device, _sizes, { lanes = WORKGROUP_KERNEL_LANES } = {}) =>
      spmvPlan(buffers(e), {
        files: shaderFiles(spmvWorkgroup, [VALUES[e.valueType]]),
        constants: { WORKGROUP_SIZE: lanes },
        workgroupCount: e.rows,
      }),
  },
];
