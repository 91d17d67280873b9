import rowPair from '../../../shaders/dense/row_pair.wgsl';
import rowQuad from '../../../shaders/dense/row_quad.wgsl';
import spmvSubgroup from '../../../shaders/dense/spmv_subgroup.wgsl';
import spmvWorkgroup from '../../../shaders/dense/spmv_workgroup.wgsl';
import valuesF16 from '../../../shaders/common/values_f16.wgsl';
import valuesF32 from '../../../shaders/common/values_f32.wgsl';
import type { DeviceFacts, KernelSpec } from '../../core/kernel/kernel.ts';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';
import { fitsDevice, powerOfTwoFrom, type SpmvBuffers, spmvPlan } from '../../core/kernel/spmv-plan.ts';
import { blockKernels } from './block-kernels.ts';
import { gemmKernels } from './gemm-kernels.ts';
import type { DenseEncoded } from './layout.ts';
import { trainingKernels } from './training-kernels.ts';

/** Columns that a lane reads at a time. */
const GROUP = 8;
const MIN_LANES = 64;
const MAX_LANES = 256;

/**
 * How rows of a value type are read. The narrower the values, the more rows share what is read of x, so that x never
 * takes more of the way to memory than they do.
 */
const ROWS: Readonly<
  Record<DenseEncoded['valueType'], { readonly perWorkgroup: number; readonly pieces: readonly ShaderModule[] }>
> = {
  f32: {
    perWorkgroup: 2,
    pieces: [rowPair, valuesF32],
  },
  f16: {
    perWorkgroup: 2,
    pieces: [rowPair, valuesF16],
  },
  i8: {
    perWorkgroup: 4,
    pieces: [rowQuad],
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
  readonly shader: ShaderModule;
}): KernelSpec<DenseEncoded> {
  const { id, title, features, shader } = kernel;
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
        files: shaderFiles(shader, ROWS[e.valueType].pieces),
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
    shader: spmvSubgroup,
  }),
  fewRowsKernel({
    id: 'dense/spmv_workgroup',
    title: 'a few rows per workgroup, without subgroups',
    features: [],
    shader: spmvWorkgroup,
  }),
  ...gemmKernels,
  ...blockKernels,
  ...trainingKernels,
];
