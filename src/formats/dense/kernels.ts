import rowPair from '../../../shaders/dense/row_pair.wgsl?raw';
import rowScales from '../../../shaders/dense/row_scales.wgsl?raw';
import spmvSubgroup from '../../../shaders/dense/spmv_subgroup.wgsl?raw';
import spmvWorkgroup from '../../../shaders/dense/spmv_workgroup.wgsl?raw';
import unscaled from '../../../shaders/common/unscaled.wgsl?raw';
import valuesF16 from '../../../shaders/common/values_f16.wgsl?raw';
import valuesF32 from '../../../shaders/common/values_f32.wgsl?raw';
import valuesI8 from '../../../shaders/common/values_i8.wgsl?raw';
import workgroupIndex from '../../../shaders/common/workgroup_index.wgsl?raw';
import type { DeviceFacts, KernelSpec, ShaderFile } from '../../core/kernel.ts';
import { fitsDevice, powerOfTwoFrom, type SpmvBuffers, spmvPlan } from '../../core/spmv-plan.ts';
import type { DenseEncoded } from './layout.ts';

/** Columns that a lane reads at a time. */
const GROUP = 8;
const ROWS_PER_WORKGROUP = 2;
const MIN_LANES = 64;
const MAX_LANES = 256;

const UNSCALED: ShaderFile = { path: 'common/unscaled.wgsl', code: unscaled };
const VALUES: Readonly<Record<DenseEncoded['valueType'], readonly ShaderFile[]>> = {
  f32: [{ path: 'common/values_f32.wgsl', code: valuesF32 }, UNSCALED],
  f16: [{ path: 'common/values_f16.wgsl', code: valuesF16 }, UNSCALED],
  i8: [
    { path: 'common/values_i8.wgsl', code: valuesI8 },
    { path: 'dense/row_scales.wgsl', code: rowScales },
  ],
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

function rowPairKernel(kernel: {
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
      return fitsDevice(buffers(e), { lanes, memoryBytes: lanes * 8 }, device);
    },
    plan(e, device) {
      const lanes = lanesFor(e, device);
      return spmvPlan(buffers(e), {
        files: [
          { path: 'common/workgroup_index.wgsl', code: workgroupIndex },
          ...VALUES[e.valueType],
          { path: 'dense/row_pair.wgsl', code: rowPair },
          { path: `${id}.wgsl`, code: kernel.code },
        ],
        constants: { WORKGROUP_SIZE: lanes, FULL_STEPS: Math.floor(Math.floor(e.cols / GROUP) / lanes) },
        workgroupCount: Math.ceil(e.rows / ROWS_PER_WORKGROUP),
      });
    },
  };
}

export const kernels: readonly KernelSpec<DenseEncoded>[] = [
  rowPairKernel({
    id: 'dense/spmv_subgroup',
    title: 'two rows per workgroup, summed by subgroups',
    features: ['subgroups'],
    code: spmvSubgroup,
  }),
  rowPairKernel({
    id: 'dense/spmv_workgroup',
    title: 'two rows per workgroup, without subgroups',
    features: [],
    code: spmvWorkgroup,
  }),
];
