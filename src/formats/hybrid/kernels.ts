import indicesU16 from '../../../shaders/common/indices_u16.wgsl?raw';
import valuesBf16 from '../../../shaders/common/values_bf16.wgsl?raw';
import workgroupIndex from '../../../shaders/common/workgroup_index.wgsl?raw';
import workgroupSum from '../../../shaders/common/workgroup_sum.wgsl?raw';
import row from '../../../shaders/hybrid/row.wgsl?raw';
import spmvSubgroup from '../../../shaders/hybrid/spmv_subgroup.wgsl?raw';
import spmvWorkgroup from '../../../shaders/hybrid/spmv_workgroup.wgsl?raw';
import type { KernelSpec, ShaderFile } from '../../core/kernel/kernel.ts';
import { type RowKernel, rowKernel, type SpmvBuffers } from '../../core/kernel/spmv-plan.ts';
import { blockKernels } from './block-kernels.ts';
import { layoutKernels } from './layout-kernels.ts';
import type { HybridEncoded } from './layout.ts';

const WORKGROUP_SUM: ShaderFile = { path: 'common/workgroup_sum.wgsl', code: workgroupSum };
const ROW: readonly ShaderFile[] = [
  { path: 'common/workgroup_index.wgsl', code: workgroupIndex },
  { path: 'common/values_bf16.wgsl', code: valuesBf16 },
  { path: 'common/indices_u16.wgsl', code: indicesU16 },
  { path: 'hybrid/row.wgsl', code: row },
];

function buffers(e: HybridEncoded): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows, e.cols, e.slots],
    arrays: [
      { name: 'values', data: e.values },
      { name: 'indices', data: e.indices },
      { name: 'counts', data: e.counts },
      { name: 'tailMap', data: e.tailMap },
      { name: 'tail', data: e.tail },
    ],
    xType: 'f32',
  };
}

/** One of the two ways to share rows out. */
function spmvKernel(
  kernel: Omit<RowKernel<HybridEncoded>, 'buffers' | 'files'> & {
    readonly pieces: readonly ShaderFile[];
    readonly code: string;
  },
): KernelSpec<HybridEncoded> {
  const { pieces, code, ...rest } = kernel;
  return rowKernel({ ...rest, buffers, files: () => [...pieces, ...ROW, { path: `${rest.id}.wgsl`, code }] });
}

export const kernels: readonly KernelSpec<HybridEncoded>[] = [
  spmvKernel({
    id: 'hybrid/spmv_subgroup',
    title: 'subgroup per row',
    features: ['subgroups'],
    pieces: [],
    code: spmvSubgroup,
    lanes: 128,
    memoryBytes: 0,
    rowsPerWorkgroup: (device) => 128 / device.subgroupMaxSize,
  }),
  spmvKernel({
    id: 'hybrid/spmv_workgroup',
    title: 'workgroup per row, without subgroups',
    features: [],
    pieces: [WORKGROUP_SUM],
    code: spmvWorkgroup,
    lanes: 64,
    memoryBytes: 64 * 4,
    rowsPerWorkgroup: () => 1,
  }),
  ...blockKernels,
  ...layoutKernels,
];
