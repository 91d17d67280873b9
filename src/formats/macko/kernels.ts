import subgroupScan from '../../../shaders/common/subgroup_scan.wgsl?raw';
import unscaled from '../../../shaders/common/unscaled.wgsl?raw';
import valuesF16 from '../../../shaders/common/values_f16.wgsl?raw';
import valuesF32 from '../../../shaders/common/values_f32.wgsl?raw';
import valuesI8 from '../../../shaders/common/values_i8.wgsl?raw';
import workgroupIndex from '../../../shaders/common/workgroup_index.wgsl?raw';
import workgroupScan from '../../../shaders/common/workgroup_scan.wgsl?raw';
import workgroupSum from '../../../shaders/common/workgroup_sum.wgsl?raw';
import deltas1 from '../../../shaders/macko/deltas_1.wgsl?raw';
import deltas2 from '../../../shaders/macko/deltas_2.wgsl?raw';
import deltas4 from '../../../shaders/macko/deltas_4.wgsl?raw';
import deltas8 from '../../../shaders/macko/deltas_8.wgsl?raw';
import gapsInBytes from '../../../shaders/macko/gaps_in_bytes.wgsl?raw';
import matrix from '../../../shaders/macko/matrix.wgsl?raw';
import products from '../../../shaders/macko/products.wgsl?raw';
import rowBlock from '../../../shaders/macko/row_block.wgsl?raw';
import rowBySubgroup from '../../../shaders/macko/row_by_subgroup.wgsl?raw';
import rowScales from '../../../shaders/macko/row_scales.wgsl?raw';
import spmvStagedF16 from '../../../shaders/macko/spmv_staged_f16.wgsl?raw';
import spmvStagedF32 from '../../../shaders/macko/spmv_staged_f32.wgsl?raw';
import spmvSubgroup from '../../../shaders/macko/spmv_subgroup.wgsl?raw';
import spmvWorkgroup from '../../../shaders/macko/spmv_workgroup.wgsl?raw';
import xGlobal from '../../../shaders/macko/x_global.wgsl?raw';
import type { DeviceFacts, KernelSpec, ShaderFile } from '../../core/kernel.ts';
import { fitsDevice, powerOfTwoFrom, type SpmvBuffers, spmvPlan, type WorkgroupNeeds } from '../../core/spmv-plan.ts';
import type { MackoEncoded } from './layout.ts';
import type { DeltaBits } from './params.ts';

const file = (path: string, code: string): ShaderFile => ({ path, code });

const WORKGROUP_INDEX = file('common/workgroup_index.wgsl', workgroupIndex);
const WORKGROUP_SUM = file('common/workgroup_sum.wgsl', workgroupSum);
const WORKGROUP_SCAN = file('common/workgroup_scan.wgsl', workgroupScan);
const SUBGROUP_SCAN = file('common/subgroup_scan.wgsl', subgroupScan);
const MATRIX = file('macko/matrix.wgsl', matrix);
const X_GLOBAL = file('macko/x_global.wgsl', xGlobal);
const PRODUCTS = file('macko/products.wgsl', products);
const ROW_BY_SUBGROUP = file('macko/row_by_subgroup.wgsl', rowBySubgroup);
const ROW_BLOCK = file('macko/row_block.wgsl', rowBlock);

const UNSCALED = file('common/unscaled.wgsl', unscaled);
const VALUES: Readonly<Record<MackoEncoded['valueType'], readonly ShaderFile[]>> = {
  f16: [file('common/values_f16.wgsl', valuesF16), UNSCALED],
  f32: [file('common/values_f32.wgsl', valuesF32), UNSCALED],
  i8: [file('common/values_i8.wgsl', valuesI8), file('macko/row_scales.wgsl', rowScales)],
};

const GAPS_IN_BYTES = file('macko/gaps_in_bytes.wgsl', gapsInBytes);
const DELTAS: Readonly<Record<DeltaBits, readonly ShaderFile[]>> = {
  1: [file('macko/deltas_1.wgsl', deltas1), GAPS_IN_BYTES],
  2: [file('macko/deltas_2.wgsl', deltas2), GAPS_IN_BYTES],
  4: [file('macko/deltas_4.wgsl', deltas4), GAPS_IN_BYTES],
  8: [file('macko/deltas_8.wgsl', deltas8)],
};

/** The files that fit the arrays of this matrix. */
function matrixFiles(e: MackoEncoded): readonly ShaderFile[] {
  return [WORKGROUP_INDEX, MATRIX, ...VALUES[e.valueType], ...DELTAS[e.deltaBits], PRODUCTS];
}

function buffers(e: MackoEncoded, xType: 'f32' | 'f16'): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows, e.cols],
    arrays: [
      { name: 'values', data: e.values },
      { name: 'deltas', data: e.deltas },
      { name: 'indptr', data: e.indptr },
    ],
    xType,
    ...(e.valueType === 'i8' ? { trailing: [{ name: 'scales', data: e.scales }] } : {}),
  };
}

const SUBGROUP_KERNEL_LANES = 128;

const subgroupKernel: KernelSpec<MackoEncoded> = {
  id: 'macko/spmv_subgroup',
  title: 'x from global memory',
  operation: 'spmv',
  roundings: 2,
  features: ['subgroups'],
  fits: (e, device) => fitsDevice(buffers(e, 'f32'), { lanes: SUBGROUP_KERNEL_LANES, memoryBytes: 0 }, device),
  plan: (e, device) =>
    spmvPlan(buffers(e, 'f32'), {
      files: [
        ...matrixFiles(e),
        X_GLOBAL,
        SUBGROUP_SCAN,
        ROW_BY_SUBGROUP,
        file('macko/spmv_subgroup.wgsl', spmvSubgroup),
      ],
      constants: { WORKGROUP_SIZE: SUBGROUP_KERNEL_LANES, MAX_SUBGROUP_SIZE: device.subgroupMaxSize },
      // A workgroup has at least this many subgroups, and a row for each.
      workgroupCount: Math.ceil(e.rows / (SUBGROUP_KERNEL_LANES / device.subgroupMaxSize)),
    }),
};

const STAGED_MAX_LANES = 1024;

/**
 * x in workgroup memory. Few workgroups, so that copying x is paid by many rows, and many lanes in each, since the
 * memory allows only one or two workgroups at a time: `workgroups` of them fill the large GPUs.
 */
function stagedKernel(kernel: {
  readonly id: string;
  readonly title: string;
  readonly code: string;
  readonly xType: 'f32' | 'f16';
  readonly workgroups: number;
}): KernelSpec<MackoEncoded> {
  const { id, title, code, xType, workgroups } = kernel;
  const rowsPerWorkgroup = (e: MackoEncoded): number => Math.max(1, Math.ceil(e.rows / workgroups));
  /** No more lanes than the rows of a workgroup keep busy. */
  const lanesFor = (e: MackoEncoded, { limits, subgroupMaxSize }: DeviceFacts): number =>
    Math.min(
      STAGED_MAX_LANES,
      limits.maxComputeInvocationsPerWorkgroup,
      limits.maxComputeWorkgroupSizeX,
      powerOfTwoFrom(rowsPerWorkgroup(e) * subgroupMaxSize),
    );
  const needs = (e: MackoEncoded, device: DeviceFacts): WorkgroupNeeds => ({
    lanes: lanesFor(e, device),
    memoryBytes: xType === 'f32' ? e.cols * 4 : Math.ceil(e.cols / 2) * 4,
  });
  return {
    id,
    title,
    operation: 'spmv',
    roundings: 2,
    features: ['subgroups'],
    fits: (e, device) => fitsDevice(buffers(e, xType), needs(e, device), device),
    plan: (e, device) =>
      spmvPlan(buffers(e, xType), {
        files: [...matrixFiles(e), SUBGROUP_SCAN, ROW_BY_SUBGROUP, ROW_BLOCK, file(`${id}.wgsl`, code)],
        constants: {
          WORKGROUP_SIZE: lanesFor(e, device),
          ROWS_PER_WORKGROUP: rowsPerWorkgroup(e),
          MAX_SUBGROUP_SIZE: device.subgroupMaxSize,
          ...(xType === 'f32' ? { COLS: Math.max(1, e.cols) } : { X_WORDS: Math.max(1, Math.ceil(e.cols / 2)) }),
        },
        workgroupCount: Math.ceil(e.rows / rowsPerWorkgroup(e)),
      }),
  };
}

const WORKGROUP_KERNEL_LANES = 64;
/** Per lane: a sum and two running counts. */
const WORKGROUP_KERNEL_MEMORY_BYTES = WORKGROUP_KERNEL_LANES * 12;

const workgroupKernel: KernelSpec<MackoEncoded> = {
  id: 'macko/spmv_workgroup',
  title: 'workgroup per row, without subgroups',
  operation: 'spmv',
  roundings: 2,
  features: [],
  fits: (e, device) =>
    fitsDevice(
      buffers(e, 'f32'),
      { lanes: WORKGROUP_KERNEL_LANES, memoryBytes: WORKGROUP_KERNEL_MEMORY_BYTES },
      device,
    ),
  plan: (e) =>
    spmvPlan(buffers(e, 'f32'), {
      files: [
        ...matrixFiles(e),
        X_GLOBAL,
        WORKGROUP_SUM,
        WORKGROUP_SCAN,
        file('macko/spmv_workgroup.wgsl', spmvWorkgroup),
      ],
      constants: { WORKGROUP_SIZE: WORKGROUP_KERNEL_LANES },
      workgroupCount: e.rows,
    }),
};

export const kernels: readonly KernelSpec<MackoEncoded>[] = [
  stagedKernel({
    id: 'macko/spmv_staged_f16',
    title: 'x in workgroup memory, f16',
    code: spmvStagedF16,
    xType: 'f16',
    workgroups: 256,
  }),
  stagedKernel({
    id: 'macko/spmv_staged_f32',
    title: 'x in workgroup memory, f32',
    code: spmvStagedF32,
    xType: 'f32',
    workgroups: 128,
  }),
  subgroupKernel,
  workgroupKernel,
];
