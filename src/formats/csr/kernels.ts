import indicesU16 from '../../../shaders/common/indices_u16.wgsl?raw';
import indicesU32 from '../../../shaders/common/indices_u32.wgsl?raw';
import valuesF16 from '../../../shaders/common/values_f16.wgsl?raw';
import valuesF32 from '../../../shaders/common/values_f32.wgsl?raw';
import workgroupIndex from '../../../shaders/common/workgroup_index.wgsl?raw';
import workgroupSum from '../../../shaders/common/workgroup_sum.wgsl?raw';
import row from '../../../shaders/csr/row.wgsl?raw';
import spmvScalar from '../../../shaders/csr/spmv_scalar.wgsl?raw';
import spmvSubgroup from '../../../shaders/csr/spmv_subgroup.wgsl?raw';
import spmvWorkgroup from '../../../shaders/csr/spmv_workgroup.wgsl?raw';
import type { KernelSpec, ShaderFile } from '../../core/kernel/kernel.ts';
import { type RowKernel, rowKernel, type SpmvBuffers } from '../../core/kernel/spmv-plan.ts';
import type { CsrEncoded } from './layout.ts';

const WORKGROUP_INDEX: ShaderFile = { path: 'common/workgroup_index.wgsl', code: workgroupIndex };
const WORKGROUP_SUM: ShaderFile = { path: 'common/workgroup_sum.wgsl', code: workgroupSum };
const ROW: ShaderFile = { path: 'csr/row.wgsl', code: row };
const VALUES: Readonly<Record<CsrEncoded['valueType'], ShaderFile>> = {
  f32: { path: 'common/values_f32.wgsl', code: valuesF32 },
  f16: { path: 'common/values_f16.wgsl', code: valuesF16 },
};
const INDICES: Readonly<Record<CsrEncoded['indexBits'], ShaderFile>> = {
  16: { path: 'common/indices_u16.wgsl', code: indicesU16 },
  32: { path: 'common/indices_u32.wgsl', code: indicesU32 },
};

function buffers(e: CsrEncoded): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows],
    arrays: [
      { name: 'data', data: e.data },
      { name: 'indices', data: e.indices },
      { name: 'indptr', data: e.indptr },
    ],
    xType: 'f32',
  };
}

/** One of the three ways to share rows out. */
function csrKernel(
  kernel: Omit<RowKernel<CsrEncoded>, 'buffers' | 'files'> & {
    readonly pieces: readonly ShaderFile[];
    readonly code: string;
  },
): KernelSpec<CsrEncoded> {
  const { pieces, code, ...rest } = kernel;
  return rowKernel({
    ...rest,
    buffers,
    files: (e) => [
      WORKGROUP_INDEX,
      VALUES[e.valueType],
      INDICES[e.indexBits],
      ...pieces,
      { path: `${rest.id}.wgsl`, code },
    ],
  });
}

export const kernels: readonly KernelSpec<CsrEncoded>[] = [
  csrKernel({
    id: 'csr/spmv_subgroup',
    title: 'subgroup per row',
    features: ['subgroups'],
    pieces: [ROW],
    code: spmvSubgroup,
    lanes: 128,
    memoryBytes: 0,
    rowsPerWorkgroup: (device) => 128 / device.subgroupMaxSize,
  }),
  csrKernel({
    id: 'csr/spmv_workgroup',
    title: 'workgroup per row, without subgroups',
    features: [],
    pieces: [WORKGROUP_SUM, ROW],
    code: spmvWorkgroup,
    lanes: 64,
    memoryBytes: 64 * 4,
    rowsPerWorkgroup: () => 1,
  }),
  csrKernel({
    id: 'csr/spmv_scalar',
    title: 'lane per row',
    features: [],
    pieces: [],
    code: spmvScalar,
    lanes: 64,
    memoryBytes: 0,
    rowsPerWorkgroup: () => 64,
  }),
];
