import unscaled from '../../../shaders/common/unscaled.wgsl?raw';
import workgroupIndex from '../../../shaders/common/workgroup_index.wgsl?raw';
import matrix from '../../../shaders/slidesparse/matrix.wgsl?raw';
import metadataByLaneCode from '../../../shaders/slidesparse/metadata_by_lane.wgsl?raw';
import metadataNatural from '../../../shaders/slidesparse/metadata_natural.wgsl?raw';
import pairBySubgroup from '../../../shaders/slidesparse/pair_by_subgroup.wgsl?raw';
import rowPair from '../../../shaders/slidesparse/row_pair.wgsl?raw';
import rowScales from '../../../shaders/slidesparse/row_scales.wgsl?raw';
import spmvNatural from '../../../shaders/slidesparse/spmv_natural.wgsl?raw';
import spmvSubgroup from '../../../shaders/slidesparse/spmv_subgroup.wgsl?raw';
import spmvWorkgroup from '../../../shaders/slidesparse/spmv_workgroup.wgsl?raw';
import valuesF16 from '../../../shaders/slidesparse/values_f16.wgsl?raw';
import valuesI8 from '../../../shaders/slidesparse/values_i8.wgsl?raw';
import xInFours from '../../../shaders/slidesparse/x_in_fours.wgsl?raw';
import xInPairs from '../../../shaders/slidesparse/x_in_pairs.wgsl?raw';
import type { KernelSpec, ShaderFile } from '../../core/kernel/kernel.ts';
import { fitsDevice, type SpmvBuffers, spmvPlan } from '../../core/kernel/spmv-plan.ts';
import { BLOCK, metadataByLane, metadataByLaneBytes } from './by-lane.ts';
import { gemmKernels } from './gemm-kernels.ts';
import type { SlideSparseEncoded } from './layout.ts';
import { windowsPerGroup } from './params.ts';

const ROWS_PER_WORKGROUP = 2;
const LANES = 128;
/** Lanes that share a block of windows. */
const BLOCK_LANES = 32;

const VALUES: Readonly<Record<SlideSparseEncoded['valueType'], readonly ShaderFile[]>> = {
  f16: [
    { path: 'slidesparse/values_f16.wgsl', code: valuesF16 },
    { path: 'common/unscaled.wgsl', code: unscaled },
  ],
  i8: [
    { path: 'slidesparse/values_i8.wgsl', code: valuesI8 },
    { path: 'slidesparse/row_scales.wgsl', code: rowScales },
  ],
};

const BY_LANE: ShaderFile = { path: 'slidesparse/metadata_by_lane.wgsl', code: metadataByLaneCode };
const NATURAL: ShaderFile = { path: 'slidesparse/metadata_natural.wgsl', code: metadataNatural };
const BY_SUBGROUP: ShaderFile = { path: 'slidesparse/pair_by_subgroup.wgsl', code: pairBySubgroup };

function buffers(e: SlideSparseEncoded, metadata: Uint32Array): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows, e.cols, e.windowsPerRow],
    arrays: [
      { name: 'values', data: e.values },
      { name: 'metadata', data: metadata },
    ],
    xType: 'f32',
    ...(e.valueType === 'i8' ? { trailing: [{ name: 'scales', data: e.scales }] } : {}),
  };
}

/** 2:4 reads x four columns at a time; windows that overlap begin on every second column. */
function xOf(e: SlideSparseEncoded): {
  readonly file: ShaderFile;
  readonly constants: Readonly<Record<string, number>>;
} {
  if (e.halfGroup === 2) return { file: { path: 'slidesparse/x_in_fours.wgsl', code: xInFours }, constants: {} };
  return {
    file: { path: 'slidesparse/x_in_pairs.wgsl', code: xInPairs },
    constants: { WINDOWS_PER_GROUP: windowsPerGroup(e) },
  };
}

function rowPairKernel(kernel: {
  readonly id: string;
  readonly title: string;
  readonly features: readonly string[];
  readonly metadata: ShaderFile;
  readonly sum: readonly ShaderFile[];
  readonly code: string;
}): KernelSpec<SlideSparseEncoded> {
  const { id, title, features, metadata } = kernel;
  const byLane = metadata === BY_LANE;
  return {
    id,
    title,
    operation: 'spmv',
    roundings: 3,
    features,
    fits(e, device) {
      const { maxStorageBufferBindingSize, maxBufferSize } = device.limits;
      const most = Math.min(maxStorageBufferBindingSize, maxBufferSize);
      const bytes = byLane ? metadataByLaneBytes(e) : 0;
      if (bytes > most) {
        return {
          ok: false,
          reason: `metadata ordered by lane takes ${bytes} bytes, but this device binds at most ${most} bytes to a buffer`,
          remedy: 'Choose another kernel or a part of the matrix.',
        };
      }
      return fitsDevice(buffers(e, e.metadata), { lanes: LANES, memoryBytes: LANES * 8 }, device);
    },
    plan(e) {
      const x = xOf(e);
      return spmvPlan(buffers(e, byLane ? metadataByLane(e) : e.metadata), {
        files: [
          { path: 'common/workgroup_index.wgsl', code: workgroupIndex },
          { path: 'slidesparse/matrix.wgsl', code: matrix },
          ...VALUES[e.valueType],
          metadata,
          x.file,
          { path: 'slidesparse/row_pair.wgsl', code: rowPair },
          ...kernel.sum,
          { path: `${id}.wgsl`, code: kernel.code },
        ],
        constants: {
          WORKGROUP_SIZE: LANES,
          FULL_STEPS: Math.floor(Math.floor(e.windowsPerRow / BLOCK) / (LANES / BLOCK_LANES)),
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
    metadata: BY_LANE,
    sum: [BY_SUBGROUP],
    code: spmvSubgroup,
  }),
  rowPairKernel({
    id: 'slidesparse/spmv_natural',
    title: 'metadata in the order of windows',
    features: ['subgroups'],
    metadata: NATURAL,
    sum: [BY_SUBGROUP],
    code: spmvNatural,
  }),
  rowPairKernel({
    id: 'slidesparse/spmv_workgroup',
    title: 'metadata ordered by lane, without subgroups',
    features: [],
    metadata: BY_LANE,
    sum: [],
    code: spmvWorkgroup,
  }),
  ...gemmKernels,
];
