import windowX from '../../../shaders/slidesparse/window_x.wgsl';
import values from '../../../shaders/slidesparse/values.wgsl';
import rowScale from '../../../shaders/common/row_scale.wgsl';
import { fitsLimits, laneChoice } from '../../core/kernel/device-limits.ts';
import metadata from '../../../shaders/slidesparse/metadata.wgsl';
import spmv from '../../../shaders/slidesparse/spmv.wgsl';
import type { KernelSpec, ShaderKernel } from '../../core/kernel/kernel.ts';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';
import { fitsDevice, type SpmvBuffers, spmvPlan } from '../../core/kernel/spmv-plan.ts';
import { BLOCK, metadataByLane, metadataByLaneBytes } from './by-lane.ts';
import { gemmKernels } from './gemm-kernels.ts';
import type { SlideSparseEncoded } from './layout.ts';
import { windowsPerGroup } from './params.ts';

const ROWS_PER_WORKGROUP = 2;
const LANES = 128;
/** Lanes that share a block of windows. */
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

/** 2:4 reads x four columns at a time; windows that overlap begin on every second column. */
function xOf(e: SlideSparseEncoded): {
  readonly piece: ShaderModule;
  readonly constants: Readonly<Record<string, number>>;
} {
  if (e.halfGroup === 2) return { piece: windowX.variants.fours, constants: {} };
  return {
    piece: windowX.variants.pairs,
    constants: { WINDOWS_PER_GROUP: windowsPerGroup(e) },
  };
}

function rowPairKernel(kernel: ShaderKernel & { readonly byLane: boolean }): KernelSpec<SlideSparseEncoded> {
  const { id, title, features, byLane, shader } = kernel;
  return {
    id,
    title,
    operation: 'spmv',
    roundings: 3,
    features,
    fits(e, device) {
      const workgroup = { lanes: LANES, memoryBytes: LANES * 8 };
      const ordered = fitsLimits(
        [['metadata ordered by lane', byLane ? metadataByLaneBytes(e) : 0]],
        workgroup,
        device,
      );
      return ordered.ok ? fitsDevice(buffers(e, e.metadata), workgroup, device) : ordered;
    },
    choices: (_, device) => [laneChoice(LANES, device, 8)],
    plan(e, _device, _sizes, { lanes = LANES } = {}) {
      const x = xOf(e);
      return spmvPlan(buffers(e, byLane ? metadataByLane(e) : e.metadata), {
        files: shaderFiles(shader, [
          ...VALUES[e.valueType],
          x.piece,
          metadata.variants[byLane ? 'by_lane' : 'natural'],
        ]),
        constants: {
          WORKGROUP_SIZE: lanes,
          FULL_STEPS: Math.floor(Math.floor(e.windowsPerRow / BLOCK) / (lanes / BLOCK_LANES)),
          ...x.constants,
        },
        workgroupCount: Math.ceil(e.rows / ROWS_PER_WORKGROUP),
      });
    },
  };
}

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
