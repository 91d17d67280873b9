import indices from '../../../shaders/common/indices.wgsl';
import values from '../../../shaders/common/values.wgsl';
import spmvScalar from '../../../shaders/csr/spmv_scalar.wgsl';
import spmvStaged from '../../../shaders/csr/spmv_staged.wgsl';
import spmvByRow from '../../../shaders/csr/spmv_by_row.wgsl';
import { shareChoices, stagedShares, withEqualShares } from '../../core/kernel/equal-shares.ts';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';
import { fitsDevice, type RowKernel, rowKernel, type SpmvBuffers, spmvPlan } from '../../core/kernel/spmv-plan.ts';
import { gemmKernels } from './gemm-kernels.ts';
import type { CsrEncoded } from './layout.ts';

function buffers(e: CsrEncoded, indptr = e.indptr): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows],
    arrays: [
      { name: 'data', data: e.data },
      { name: 'indices', data: e.indices },
      { name: 'indptr', data: indptr },
    ],
    xType: 'f32',
  };
}

function piecesOf(e: CsrEncoded): readonly ShaderModule[] {
  return [values.variants[e.valueType], indices.variants[e.indexBits]];
}

/** One of the three ways to share rows out. */
function csrKernel(kernel: Omit<RowKernel<CsrEncoded>, 'buffers' | 'pieces'>): KernelSpec<CsrEncoded> {
  return rowKernel({ ...kernel, buffers: (e) => buffers(e), pieces: piecesOf });
}

/** Entries shared out instead of rows. */
const stagedKernel: KernelSpec<CsrEncoded> = {
  id: 'csr/spmv_staged',
  title: 'equal shares, x in workgroup memory',
  operation: 'spmv',
  roundings: 1,
  features: ['subgroups'],
  fits: (e, device) => fitsDevice(buffers(e), stagedShares(e.cols, 'f32', device), device),
  choices: (_, device) => shareChoices(device),
  plan(e, device, _, chosen) {
    const { counts, constants } = stagedShares(e.cols, 'f32', device, chosen);
    return spmvPlan(buffers(e, withEqualShares(e.indptr, counts)), {
      files: shaderFiles(spmvStaged, piecesOf(e)),
      constants,
      workgroupCount: counts.workgroups,
    });
  },
};

export const kernels: readonly KernelSpec<CsrEncoded>[] = [
  stagedKernel,
  csrKernel({
    id: 'csr/spmv_subgroup',
    title: 'subgroup per row',
    features: ['subgroups'],
    shader: spmvByRow.variants.subgroup,
    lanes: 128,
    memoryBytesPerLane: 0,
    rowsPerWorkgroup: (device, lanes) => lanes / device.subgroupMaxSize,
  }),
  csrKernel({
    id: 'csr/spmv_workgroup',
    title: 'workgroup per row, without subgroups',
    features: [],
    shader: spmvByRow.variants.workgroup,
    lanes: 64,
    memoryBytesPerLane: 4,
    rowsPerWorkgroup: () => 1,
  }),
  csrKernel({
    id: 'csr/spmv_scalar',
    title: 'lane per row',
    features: [],
    shader: spmvScalar,
    lanes: 64,
    memoryBytesPerLane: 0,
    rowsPerWorkgroup: (_, lanes) => lanes,
  }),
  ...gemmKernels(piecesOf),
];
