import indicesU32 from '../../../shaders/common/indices_u32.wgsl?raw';
import valuesBf16 from '../../../shaders/common/values_bf16.wgsl?raw';
import workgroupIndex from '../../../shaders/common/workgroup_index.wgsl?raw';
import workgroupSum from '../../../shaders/common/workgroup_sum.wgsl?raw';
import packedRow from '../../../shaders/twell/packed_row.wgsl?raw';
import splitRow from '../../../shaders/twell/split_row.wgsl?raw';
import spmvSubgroup from '../../../shaders/twell/spmv_subgroup.wgsl?raw';
import spmvWorkgroup from '../../../shaders/twell/spmv_workgroup.wgsl?raw';
import type { KernelSpec, ShaderFile } from '../../core/kernel/kernel.ts';
import { type RowKernel, rowKernel, type SpmvBuffers } from '../../core/kernel/spmv-plan.ts';
import { blockKernels } from './block-kernels.ts';
import type { TwellEncoded } from './layout.ts';

const WORKGROUP_INDEX: ShaderFile = { path: 'common/workgroup_index.wgsl', code: workgroupIndex };
const WORKGROUP_SUM: ShaderFile = { path: 'common/workgroup_sum.wgsl', code: workgroupSum };
const ROW: Readonly<Record<TwellEncoded['layout'], readonly ShaderFile[]>> = {
  packed: [{ path: 'twell/packed_row.wgsl', code: packedRow }],
  split: [
    { path: 'common/values_bf16.wgsl', code: valuesBf16 },
    { path: 'common/indices_u32.wgsl', code: indicesU32 },
    { path: 'twell/split_row.wgsl', code: splitRow },
  ],
};

/** Sizes are uniforms and no overrides, so that one pipeline per layout serves every tile width and compression. */
function buffers(e: TwellEncoded): SpmvBuffers {
  const arrays =
    e.layout === 'packed'
      ? [{ name: 'words', data: e.words }]
      : [
          { name: 'values', data: e.values },
          { name: 'indices', data: e.indices },
          { name: 'counts', data: e.counts },
        ];
  return { rows: e.rows, cols: e.cols, params: [e.rows, e.tiles, e.slots], arrays, xType: 'f32' };
}

/** One of the two ways to share rows out. */
function twellKernel(
  kernel: Omit<RowKernel<TwellEncoded>, 'buffers' | 'files'> & {
    readonly pieces: readonly ShaderFile[];
    readonly code: string;
  },
): KernelSpec<TwellEncoded> {
  const { pieces, code, ...rest } = kernel;
  return rowKernel({
    ...rest,
    buffers,
    files: (e) => [WORKGROUP_INDEX, ...pieces, ...ROW[e.layout], { path: `${rest.id}.wgsl`, code }],
  });
}

export const kernels: readonly KernelSpec<TwellEncoded>[] = [
  twellKernel({
    id: 'twell/spmv_subgroup',
    title: 'subgroup per row',
    features: ['subgroups'],
    pieces: [],
    code: spmvSubgroup,
    lanes: 128,
    memoryBytes: 0,
    rowsPerWorkgroup: (device) => 128 / device.subgroupMaxSize,
  }),
  twellKernel({
    id: 'twell/spmv_workgroup',
    title: 'workgroup per row, without subgroups',
    features: [],
    pieces: [WORKGROUP_SUM],
    code: spmvWorkgroup,
    lanes: 64,
    memoryBytes: 64 * 4,
    rowsPerWorkgroup: () => 1,
  }),
  ...blockKernels,
];
