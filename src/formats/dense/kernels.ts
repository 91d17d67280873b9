import spmv from '../../../shaders/dense/spmv.wgsl';
import values from '../../../shaders/common/values.wgsl';
import rowPair from '../../../shaders/dense/row_pair.wgsl';
import rowQuad from '../../../shaders/dense/row_quad.wgsl';
import rowQuadI4 from '../../../shaders/dense/row_quad_i4.wgsl';
import { type DeviceFacts, type KernelSpec, type ShaderKernel, subgroupVariants } from '../../core/kernel/kernel.ts';
import { storedArrays, storedScales } from '../../core/kernel/multi-pass-plan.ts';
import type { ShaderModule } from '../../core/kernel/shader.ts';
import { nextPowerOfTwo, rowKernel, type SpmvBuffers } from '../../core/kernel/spmv-plan.ts';
import { Q4_GROUP } from '../../core/number/index.ts';
import { blockKernels } from './block-kernels.ts';
import { digitsKernels } from './digits-kernels.ts';
import { gemmKernels } from './gemm-kernels.ts';
import type { DenseEncoded } from './layout.ts';
import { trainingKernels } from './training-kernels.ts';

/** Columns that a lane reads in a step in f32, f16 and i8. */
const READ_COLUMNS = 8;
const MIN_LANES = 64;
const MAX_LANES = 256;
/** In i4 a lane reads twice as many columns. */
const MAX_LANES_I4 = 128;

/** Rows of a workgroup, and the shader modules that read them: more for i8 and i4, so that x is read less often. */
const ROWS: Readonly<
  Record<DenseEncoded['valueType'], { readonly perWorkgroup: number; readonly pieces: readonly ShaderModule[] }>
> = {
  f32: { perWorkgroup: 2, pieces: [rowPair, values.variants.f32] },
  f16: { perWorkgroup: 2, pieces: [rowPair, values.variants.f16] },
  i8: { perWorkgroup: 4, pieces: [rowQuad] },
  i4: { perWorkgroup: 4, pieces: [rowQuadI4] },
};

function buffers(e: DenseEncoded): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows, e.cols, e.stride],
    arrays: storedArrays(e, ['data']),
    xType: 'f32',
    trailing: storedScales(e),
  };
}

/** Columns that a lane reads in a step: 8, or in i4 16 of the 32 that share a scale. */
function columnsOfLane({ valueType }: DenseEncoded): number {
  return valueType === 'i4' ? Q4_GROUP / 2 : READ_COLUMNS;
}

/** How many reads by lanes lie entirely within a row. */
function wholeReads(e: DenseEncoded): number {
  return e.valueType === 'i4' ? 2 * Math.floor(e.cols / Q4_GROUP) : Math.floor(e.cols / READ_COLUMNS);
}

/** Enough lanes to read a row in two steps, so that two loads per row are in flight. */
function lanesFor(e: DenseEncoded, { limits }: DeviceFacts): number {
  const enough = nextPowerOfTwo(e.cols / columnsOfLane(e) / 2);
  const max = e.valueType === 'i4' ? MAX_LANES_I4 : MAX_LANES;
  return Math.max(MIN_LANES, Math.min(max, enough, limits.maxComputeInvocationsPerWorkgroup));
}

/** The kernel y = A x in which a workgroup computes two or four rows, each lane a part of their columns. */
function fewRowsKernel(kernel: ShaderKernel): KernelSpec<DenseEncoded> {
  return rowKernel({
    ...kernel,
    extraRoundings: 2,
    storesZeros: true,
    lanes: lanesFor,
    memoryBytesPerLane: (e) => ROWS[e.valueType].perWorkgroup * 4,
    rowsPerWorkgroup: (_device, _lanes, e) => ROWS[e.valueType].perWorkgroup,
    buffers,
    pieces: (e) => ROWS[e.valueType].pieces,
    constants: (e, lanes) => ({ FULL_STEPS: Math.floor(wholeReads(e) / lanes) }),
  });
}

/** Kernels: y = A x (in i4 also with x in int8 limbs), Y = X Aᵀ, the feed-forward block, and training. */
export const kernels: readonly KernelSpec<DenseEncoded>[] = [
  ...subgroupVariants('dense/spmv', 'a few rows per workgroup', spmv, fewRowsKernel),
  ...digitsKernels,
  ...gemmKernels,
  ...blockKernels,
  ...trainingKernels,
];
