import indicesU16 from '../../../shaders/common/indices_u16.wgsl';
import indicesU32 from '../../../shaders/common/indices_u32.wgsl';
import valuesF16 from '../../../shaders/common/values_f16.wgsl';
import valuesF32 from '../../../shaders/common/values_f32.wgsl';
import spmvScalar from '../../../shaders/csr/spmv_scalar.wgsl';
import spmvSubgroup from '../../../shaders/csr/spmv_subgroup.wgsl';
import spmvWorkgroup from '../../../shaders/csr/spmv_workgroup.wgsl';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import type { ShaderModule } from '../../core/kernel/shader.ts';
import { type RowKernel, rowKernel, type SpmvBuffers } from '../../core/kernel/spmv-plan.ts';
import type { CsrEncoded } from './layout.ts';

const VALUES: Readonly<Record<CsrEncoded['valueType'], ShaderModule>> = {
  f32: valuesF32,
  f16: valuesF16,
};
const INDICES: Readonly<Record<CsrEncoded['indexBits'], ShaderModule>> = {
  16: indicesU16,
  32: indicesU32,
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
function csrKernel(kernel: Omit<RowKernel<CsrEncoded>, 'buffers' | 'pieces'>): KernelSpec<CsrEncoded> {
  return rowKernel({ ...kernel, buffers, pieces: (e) => [VALUES[e.valueType], INDICES[e.indexBits]] });
}

export const kernels: readonly KernelSpec<CsrEncoded>[] = [
  csrKernel({
    id: 'csr/spmv_subgroup',
    title: 'subgroup per row',
    features: ['subgroups'],
    shader: spmvSubgroup,
    lanes: 128,
    memoryBytes: 0,
    rowsPerWorkgroup: (device) => 128 / device.subgroupMaxSize,
  }),
  csrKernel({
    id: 'csr/spmv_workgroup',
    title: 'workgroup per row, without subgroups',
    features: [],
    shader: spmvWorkgroup,
    lanes: 64,
    memoryBytes: 64 * 4,
    rowsPerWorkgroup: () => 1,
  }),
  csrKernel({
    id: 'csr/spmv_scalar',
    title: 'lane per row',
    features: [],
    shader: spmvScalar,
    lanes: 64,
    memoryBytes: 0,
    rowsPerWorkgroup: () => 64,
  }),
];
