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
import pairScan from '../../../shaders/macko/pair_scan.wgsl?raw';
import products from '../../../shaders/macko/products.wgsl?raw';
import rowBlock from '../../../shaders/macko/row_block.wgsl?raw';
import rowBySubgroup from '../../../shaders/macko/row_by_subgroup.wgsl?raw';
import rowQueue from '../../../shaders/macko/row_queue.wgsl?raw';
import rowScales from '../../../shaders/macko/row_scales.wgsl?raw';
import spmvStaged from '../../../shaders/macko/spmv_staged.wgsl?raw';
import spmvStagedX16 from '../../../shaders/macko/spmv_staged_x16.wgsl?raw';
import spmvSubgroup from '../../../shaders/macko/spmv_subgroup.wgsl?raw';
import spmvSubgroupX16 from '../../../shaders/macko/spmv_subgroup_x16.wgsl?raw';
import spmvWorkgroup from '../../../shaders/macko/spmv_workgroup.wgsl?raw';
import xGlobal from '../../../shaders/macko/x_global.wgsl?raw';
import type { DeviceFacts, KernelSpec, ShaderFile } from '../../core/kernel/kernel.ts';
import { fitsDevice, type SpmvBuffers, spmvPlan } from '../../core/kernel/spmv-plan.ts';
import type { MackoEncoded } from './layout.ts';
import type { DeltaBits } from './params.ts';

const file = (path: string, code: string): ShaderFile => ({ path, code });

const WORKGROUP_INDEX = file('common/workgroup_index.wgsl', workgroupIndex);
const WORKGROUP_SUM = file('common/workgroup_sum.wgsl', workgroupSum);
const WORKGROUP_SCAN = file('common/workgroup_scan.wgsl', workgroupScan);
const MATRIX = file('macko/matrix.wgsl', matrix);
const X_GLOBAL = file('macko/x_global.wgsl', xGlobal);
const PRODUCTS = file('macko/products.wgsl', products);
const ROW_BLOCK = file('macko/row_block.wgsl', rowBlock);
const ROW_QUEUE = file('macko/row_queue.wgsl', rowQueue);

/** How a subgroup walks a row. */
const WALK_FILES: readonly ShaderFile[] = [
  file('common/subgroup_scan.wgsl', subgroupScan),
  file('macko/pair_scan.wgsl', pairScan),
  file('macko/row_by_subgroup.wgsl', rowBySubgroup),
];

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

/** One subgroup per row, x where it lies. */
function subgroupKernel(kernel: {
  readonly id: string;
  readonly title: string;
  readonly files: readonly ShaderFile[];
  readonly xType: 'f32' | 'f16';
}): KernelSpec<MackoEncoded> {
  const { id, title, files, xType } = kernel;
  return {
    id,
    title,
    operation: 'spmv',
    roundings: 2,
    features: ['subgroups'],
    fits: (e, device) => fitsDevice(buffers(e, xType), { lanes: SUBGROUP_KERNEL_LANES, memoryBytes: 0 }, device),
    plan: (e, device) =>
      spmvPlan(buffers(e, xType), {
        files: [...matrixFiles(e), ...WALK_FILES, ...files],
        constants: { WORKGROUP_SIZE: SUBGROUP_KERNEL_LANES, MAX_SUBGROUP_SIZE: device.subgroupMaxSize },
        // A workgroup has at least this many subgroups, and a row for each.
        workgroupCount: Math.ceil(e.rows / (SUBGROUP_KERNEL_LANES / device.subgroupMaxSize)),
      }),
  };
}

const STAGED_MAX_LANES = 1024;
/** Copies of x per lane and turn. */
const STAGED_COPIES = 4;

/** How rows are shared out among `workgroups` workgroups of `subgroups` subgroups each. */
interface RowSharing {
  readonly file: ShaderFile;
  /** the override that says it, and its value */
  readonly constant: string;
  count(rows: number, subgroups: number): { readonly constant: number; readonly workgroups: number };
  readonly memoryBytes: number;
}

/** Runs of rows, as even as whole numbers allow: 128 workgroups of 1024 lanes fill the largest GPUs once. */
const IN_RUNS: RowSharing = {
  file: ROW_BLOCK,
  constant: 'ROWS_PER_SUBGROUP',
  count(rows, subgroups) {
    const constant = Math.max(1, Math.ceil(rows / (128 * subgroups)));
    return { constant, workgroups: Math.ceil(rows / (constant * subgroups)) };
  },
  memoryBytes: 0,
};

/** By a queue in every workgroup, which evens out rows of different lengths and any number of workgroups. */
const BY_QUEUE: RowSharing = {
  file: ROW_QUEUE,
  constant: 'ROWS_PER_WORKGROUP',
  count(rows) {
    const constant = Math.max(1, Math.ceil(rows / 132));
    return { constant, workgroups: Math.ceil(rows / constant) };
  },
  memoryBytes: 4,
};

/**
 * x in workgroup memory. Few workgroups, so that copying x is paid by many rows, and as many lanes as the device has,
 * since the memory allows only one or two workgroups at a time.
 */
function stagedKernel(kernel: {
  readonly id: string;
  readonly title: string;
  readonly code: string;
  readonly xType: 'f32' | 'f16';
  readonly sharing: RowSharing;
}): KernelSpec<MackoEncoded> {
  const { id, title, code, xType, sharing } = kernel;
  const lanesFor = ({ limits }: DeviceFacts): number =>
    Math.min(STAGED_MAX_LANES, limits.maxComputeInvocationsPerWorkgroup, limits.maxComputeWorkgroupSizeX);
  /** Elements of workgroup memory, of 4 bytes each. */
  const elements = (e: MackoEncoded): number => Math.max(1, xType === 'f32' ? e.cols : Math.ceil(e.cols / 2));
  return {
    id,
    title,
    operation: 'spmv',
    roundings: 2,
    features: ['subgroups'],
    fits: (e, device) =>
      fitsDevice(
        buffers(e, xType),
        { lanes: lanesFor(device), memoryBytes: elements(e) * 4 + sharing.memoryBytes },
        device,
      ),
    plan(e, device) {
      const lanes = lanesFor(device);
      const { constant, workgroups } = sharing.count(e.rows, lanes / device.subgroupMaxSize);
      return spmvPlan(buffers(e, xType), {
        files: [...matrixFiles(e), ...WALK_FILES, sharing.file, file(`${id}.wgsl`, code)],
        constants: {
          WORKGROUP_SIZE: lanes,
          MAX_SUBGROUP_SIZE: device.subgroupMaxSize,
          [sharing.constant]: constant,
          [xType === 'f32' ? 'COLS' : 'X_WORDS']: elements(e),
          TURNS: Math.ceil(elements(e) / (STAGED_COPIES * lanes)),
        },
        workgroupCount: workgroups,
      });
    },
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
    id: 'macko/spmv_staged',
    title: 'x in workgroup memory',
    code: spmvStaged,
    xType: 'f32',
    sharing: IN_RUNS,
  }),
  stagedKernel({
    id: 'macko/spmv_staged_x16',
    title: 'x in workgroup memory, f16',
    code: spmvStagedX16,
    xType: 'f16',
    sharing: BY_QUEUE,
  }),
  subgroupKernel({
    id: 'macko/spmv_subgroup_x16',
    title: 'x from global memory, f16',
    files: [file('macko/spmv_subgroup_x16.wgsl', spmvSubgroupX16)],
    xType: 'f16',
  }),
  subgroupKernel({
    id: 'macko/spmv_subgroup',
    title: 'x from global memory',
    files: [X_GLOBAL, file('macko/spmv_subgroup.wgsl', spmvSubgroup)],
    xType: 'f32',
  }),
  workgroupKernel,
];
