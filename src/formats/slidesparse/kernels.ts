import windowX from '../../../shaders/slidesparse/window_x.wgsl';
import values from '../../../shaders/slidesparse/values.wgsl';
import rowScale from '../../../shaders/common/row_scale.wgsl';
import metadata from '../../../shaders/slidesparse/metadata.wgsl';
import spmv from '../../../shaders/slidesparse/spmv.wgsl';
import type { KernelSpec, ShaderKernel } from '../../core/kernel/kernel.ts';
import type { ShaderModule } from '../../core/kernel/shader.ts';
import { rowKernel, type SpmvBuffers } from '../../core/kernel/spmv-plan.ts';
import { BLOCK, metadataByLane, metadataByLaneBytes } from './by-lane.ts';
import { gemmKernels } from './gemm-kernels.ts';
import type { SlideSparseEncoded } from './layout.ts';
import { windowsPerGroup } from './params.ts';

const ROWS_PER_WORKGROUP = 2;
/** Lanes that process a block of windows together. */
const BLOCK_LANES = 32;

const VALUES: Readonly<Record<SlideSparseEncoded['valueType'], readonly ShaderModule[]>> = {
  f16: [values.variants.f16, rowScale.variants.none],
  i8: [values.variants.i8, rowScale.variants.at_5],
};

function buffers(e: SlideSparseEncoded, data: Uint32Array): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows, e.cols, e.windowsPerRow],
    arrays: [
      { name: 'values', data: e.values },
      { name: 'metadata', data },
    ],
    xType: 'f32',
    ...(e.valueType === 'i8' ? { trailing: [{ name: 'scales', data: e.scales }] } : {}),
  };
}

/** How x is read: in 2:4 four columns at a time; windows that overlap begin at every second column. */
function xOf(e: SlideSparseEncoded): {
  readonly piece: ShaderModule;
  readonly constants: Readonly<Record<string, number>>;
} {
  if (e.halfGroup === 2) return { piece: windowX.variants.fours, constants: {} };
  return { piece: windowX.variants.pairs, constants: { WINDOWS_PER_GROUP: windowsPerGroup(e) } };
}

function rowPairKernel({
  byLane,
  ...kernel
}: ShaderKernel & { readonly byLane: boolean }): KernelSpec<SlideSparseEncoded> {
  return rowKernel({
    ...kernel,
    roundings: 3,
    lanes: 128,
    memoryBytesPerLane: 8,
    rowsPerWorkgroup: () => ROWS_PER_WORKGROUP,
    buffers: (e) => buffers(e, e.metadata),
    ...(byLane && {
      planOnly: {
        buffers: (e) => buffers(e, metadataByLane(e)),
        bytes: (e) => ['metadata ordered by lane', metadataByLaneBytes(e)],
      },
    }),
    pieces: (e) => [...VALUES[e.valueType], xOf(e).piece, metadata.variants[byLane ? 'by_lane' : 'natural']],
    constants: (e, lanes) => ({
      FULL_STEPS: Math.floor(Math.floor(e.windowsPerRow / BLOCK) / (lanes / BLOCK_LANES)),
      ...xOf(e).constants,
    }),
  });
}

/** The WebGPU kernels of SlideSparse: y = A x, and products with many tokens. */
export const kernels: readonly KernelSpec<SlideSparseEncoded>[] = [
  rowPairKernel({
    id: 'slidesparse/spmv_subgroup',
    title: 'metadata ordered by lane',
    features: ['subgroups'],
    byLane: true,
    shader: spmv.variants.subgroup,
  }),
  rowPairKernel({
    id: 'slidesparse/spmv_natural',
    title: 'metadata in the order of windows',
    features: ['subgroups'],
    byLane: false,
    shader: spmv.variants.subgroup,
  }),
  rowPairKernel({
    id: 'slidesparse/spmv_workgroup',
    title: 'metadata ordered by lane, without subgroups',
    features: [],
    byLane: true,
    shader: spmv.variants.workgroup,
  }),
  ...gemmKernels,
];
