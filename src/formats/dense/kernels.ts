import matrix from '../../../shaders/dense/matrix.wgsl?raw';
import rowPair from '../../../shaders/dense/row_pair.wgsl?raw';
import rowQuad from '../../../shaders/dense/row_quad.wgsl?raw';
import rowScales from '../../../shaders/dense/row_scales.wgsl?raw';
import spmvSubgroup from '../../../shaders/dense/spmv_subgroup.wgsl?raw';
import spmvWorkgroup from '../../../shaders/dense/spmv_workgroup.wgsl?raw';
import unscaled from '../../../shaders/common/unscaled.wgsl?raw';
import valuesF16 from '../../../shaders/common/values_f16.wgsl?raw';
import valuesF32 from '../../../shaders/common/values_f32.wgsl?raw';
import valuesI8 from '../../../shaders/common/values_i8.wgsl?raw';
import workgroupIndex from '../../../shaders/common/workgroup_index.wgsl?raw';
import type { DeviceFacts, KernelSpec, ShaderFile } from '../../core/kernel/kernel.ts';
import { fitsDevice, powerOfTwoFrom, type SpmvBuffers, spmvPlan } from '../../core/kernel/spmv-plan.ts';
import { blockKernels } from './block-kernels.ts';
import { gemmKernels } from './gemm-kernels.ts';
import type { DenseEncoded } from './layout.ts';
import { trainingKernels } from './training-kernels.ts';

/** Columns that a lane reads at a time. */
const GROUP = 8;
const MIN_LANES = 64;
const MAX_LANES = 256;

const file = (path: string, code: string): ShaderFile => ({ path, code });

const UNSCALED = file('common/unscaled.wgsl', unscaled);

/**
 * How rows of a value type are read. The narrower the values, the more rows share what is read of x, so that x never
 * takes more of the way to memory than they do.
 */
const ROWS: Readonly<
  Record<DenseEncoded['valueType'], { readonly perWorkgroup: number; readonly files: readonly ShaderFile[] }>
> = {
  f32: {
    perWorkgroup: 2,
    files: [file('common/values_f32.wgsl', valuesF32), UNSCALED, file('dense/row_pair.wgsl', rowPair)],
  },
  f16: {
    perWorkgroup: 2,
    files: [file('common/values_f16.wgsl', valuesF16), UNSCALED, file('dense/row_pair.wgsl', rowPair)],
  },
  i8: {
    perWorkgroup: 4,
    files: [
      file('common/values_i8.wgsl', valuesI8),
      file('dense/row_scales.wgsl', rowScales),
      file('dense/row_quad.wgsl', rowQuad),
    ],
  },
};

function buffers(e: DenseEncoded): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows, e.cols, e.stride],
    arrays: [{ name: 'data', data: e.data }],
    xType: 'f32',
    ...(e.valueType === 'i8' ? { trailing: [{ name: 'scales', data: e.scales }] } : {}),
  };
}

/** As many lanes as a row has groups for two steps, so that two loads per row are under way. */
function lanesFor(e: DenseEncoded, { limits }: DeviceFacts): number {
  const wanted = powerOfTwoFrom(e.cols / GROUP / 2);
  return Math.max(MIN_LANES, Math.min(MAX_LANES, wanted, limits.maxComputeInvocationsPerWorkgroup));
}

function fewRowsKernel(kernel: {
  readonly id: string;
  readonly title: string;
  readonly features: readonly string[];
  readonly code: string;
}): KernelSpec<DenseEncoded> {
  const { id, title, features } = kernel;
  return {
    id,
    title,
    operation: 'spmv',
    roundings: 2,
    features,
    fits(e, device) {
      const lanes = lanesFor(e, device);
      const memoryBytes = lanes * ROWS[e.valueType].perWorkgroup * 4;
      return fitsDevice(buffers(e), { lanes, memoryBytes }, device);
    },
    plan(e, device) {
      const lanes = lanesFor(e, device);
      return spmvPlan(buffers(e), {
        files: [
          file('common/workgroup_index.wgsl', workgroupIndex),
          file('dense/matrix.wgsl', matrix),
          ...ROWS[e.valueType].files,
          file(`${id}.wgsl`, kernel.code),
        ],
        constants: { WORKGROUP_SIZE: lanes, FULL_STEPS: Math.floor(Math.floor(e.cols / GROUP) / lanes) },
        workgroupCount: Math.ceil(e.rows / ROWS[e.valueType].perWorkgroup),
      });
    },
  };
}

export const kernels: readonly KernelSpec<DenseEncoded>[] = [
  fewRowsKernel({
    id: 'dense/spmv_subgroup',
    title: 'a few rows per workgroup, summed by subgroups',
    features: ['subgroups'],
    code: spmvSubgroup,
  }),
  fewRowsKernel({
    id: 'dense/spmv_workgroup',
    title: 'a few rows per workgroup, without subgroups',
    features: [],
    code: spmvWorkgroup,
  }),
  ...gemmKernels,
  ...blockKernels,
  ...trainingKernels,
];
