import values from '../../../shaders/ec-csr/values.wgsl';
import deltas from '../../../shaders/ec-csr/deltas.wgsl';
import bases from '../../../shaders/ec-csr/bases.wgsl';
import spmv from '../../../shaders/ec-csr/spmv.wgsl';
import sumRows from '../../../shaders/ec-csr/sum_rows.wgsl';
import { laneChoice } from '../../core/kernel/device-limits.ts';
import {
  type BufferPlan,
  type DeviceFacts,
  foldWorkgroups,
  type KernelPlan,
  type KernelSpec,
  type PassPlan,
  type ShaderKernel,
} from '../../core/kernel/kernel.ts';
import { shaderFiles } from '../../core/kernel/shader.ts';
import { fitsDevice } from '../../core/kernel/spmv-plan.ts';
import { baseBits, type EcCsrEncoded, isWhole, setInfos } from './layout.ts';
import { ownedRowsKernel } from './owned-rows-kernel.ts';
import { stagedKernel } from './staged-kernel.ts';

/**
 * Where the sums of blocks are stored: that of block row i (element i of `rowIndices`) at `places[i]` of the partial
 * sums; those of matrix row r from partialPtr[r] to before partialPtr[r + 1], in the order of blocks.
 */
interface PartialSums {
  readonly places: Uint32Array;
  /** rows + 1 */
  readonly partialPtr: Uint32Array;
}

const known = new WeakMap<Uint32Array, PartialSums>();

/**
 * The partial sums of an encoded matrix, cached per matrix, so that kernels share their upload. O(rows + block rows).
 */
function partialSums({ rows, rowIndices }: Pick<EcCsrEncoded, 'rows' | 'rowIndices'>): PartialSums {
  let found = known.get(rowIndices);
  if (!found) {
    const partialPtr = new Uint32Array(rows + 1);
    for (const row of rowIndices) partialPtr[row + 1]++;
    for (let r = 0; r < rows; r++) partialPtr[r + 1] += partialPtr[r];
    const next = partialPtr.slice(0, rows);
    found = { places: rowIndices.map((row) => next[row]++), partialPtr };
    known.set(rowIndices, found);
  }
  return found;
}

/** Most sets in the uniform: two per granularity. */
const MAX_SETS = 8;
/** Words of a set in the uniform, and words before the sets. */
const SET_WORDS = 8;
const HEAD_WORDS = 4;

/** The uniform of shaders/ec-csr/sets.wgsl. */
function paramsOf(e: EcCsrEncoded): Uint32Array {
  const infos = setInfos(e);
  const params = new Uint32Array(HEAD_WORDS + MAX_SETS * SET_WORDS);
  params.set([e.rows]);
  infos.forEach((set, s) => {
    const { granularity, blocks, rowIndicesAt, blockPtrAt, baseIndicesAt, deltaWordAt, valuesAt } = set;
    params.set(
      [granularity, blocks, rowIndicesAt, blockPtrAt, baseIndicesAt, deltaWordAt, valuesAt],
      HEAD_WORDS + s * SET_WORDS,
    );
  });
  return params;
}

/** Lanes of a workgroup in the pass that adds up the sums of rows. */
const ROW_PASS_LANES = 64;

/** A kernel with subgroups, or without. */
interface Variant extends ShaderKernel {
  /** without tuning */
  readonly lanes: number;
  readonly memoryBytesPerLane: number;
  /** lanes that take a block together */
  lanesPerBlock(e: EcCsrEncoded, device: DeviceFacts): number;
}

/**
 * The kernel of one variant: a pass over all blocks, whatever their granularity, and a pass over the rows. One rounding
 * besides those of the sum, that of the product: adding 0, which padding does, is exact, so that every
 * order of n addends is within the bound of n - 1 additions.
 */
function ecCsrKernel(variant: Variant): KernelSpec<EcCsrEncoded> {
  const { id, title, features, lanes, memoryBytesPerLane } = variant;
  return {
    id,
    title,
    operation: 'spmv',
    roundings: 1,
    features,
    fits(e, device) {
      const { rows, cols, values, deltaIndices, baseIndices, blockPtr, rowIndices } = e;
      const arrays = Object.entries({ values, deltaIndices, baseIndices, blockPtr, rowIndices });
      const buffers = { rows, cols, params: [], arrays: arrays.map(([name, data]) => ({ name, data })) };
      return fitsDevice({ ...buffers, xType: 'f32' }, { lanes, memoryBytes: lanes * memoryBytesPerLane }, device);
    },
    choices: (_, device) => [laneChoice(lanes, device, memoryBytesPerLane)],
    plan: (e, device, _, chosen) => planOf({ ...variant, ...chosen }, e, device),
  };
}

function planOf(variant: Variant, e: EcCsrEncoded, device: DeviceFacts): KernelPlan {
  const { lanes } = variant;
  const { places, partialPtr } = partialSums(e);
  const buffers: readonly BufferPlan[] = [
    { role: 'params', name: 'params', data: paramsOf(e) },
    { role: 'sparse', name: 'values', data: e.values },
    { role: 'sparse', name: 'deltaIndices', data: e.deltaIndices },
    { role: 'sparse', name: 'baseIndices', data: e.baseIndices },
    { role: 'sparse', name: 'blockPtr', data: e.blockPtr },
    { role: 'sparse', name: 'places', data: places },
    { role: 'sparse', name: 'partialPtr', data: partialPtr },
    { role: 'scratch', name: 'partials', bytes: places.byteLength },
    { role: 'input', name: 'x', type: 'f32' },
    { role: 'output', name: 'y', bytes: e.rows * 4 },
  ];
  const infos = setInfos(e);
  const blocksPerWorkgroup = lanes / variant.lanesPerBlock(e, device);
  const workgroups = infos.reduce((sum, set) => sum + Math.ceil(set.blocks / blocksPerWorkgroup), 0);
  const blockPass: PassPlan = {
    files: shaderFiles(variant.shader, [
      bases.variants[baseBits(e)],
      deltas.variants[e.deltaBits],
      values.variants[e.valueType],
    ]),
    constants: {
      WORKGROUP_SIZE: lanes,
      LANES: e.lanes,
      VECTOR_SIZE: e.vectorSize,
      SETS: infos.length,
      GRANULARITIES: infos.reduce((all, set) => all | set.granularity, 0),
      WHOLE_8: e.vectorSize === 4 && infos.every((set) => set.granularity < 8 || isWhole(e, set)) ? 1 : 0,
    },
    bindings: [
      'params',
      'values',
      'deltaIndices',
      'baseIndices',
      'blockPtr',
      'places',
      'x',
      'partials',
      // f16 values a second time, for loads of four
      ...(e.valueType === 'f16' ? ['values'] : []),
    ],
    workgroups: foldWorkgroups(workgroups),
  };
  const rowPass: PassPlan = {
    files: shaderFiles(sumRows),
    bindings: ['params', 'partialPtr', 'partials', 'y'],
    constants: { WORKGROUP_SIZE: ROW_PASS_LANES },
    workgroups: foldWorkgroups(Math.ceil(e.rows / ROW_PASS_LANES)),
  };
  const sparseBytes = buffers.reduce((sum, b) => sum + (b.role === 'sparse' ? b.data.byteLength : 0), 0);
  return { buffers, passes: [blockPass, rowPass], bytes: sparseBytes + e.cols * 4 + e.rows * 4 };
}

const SUBGROUP_KERNEL_LANES = 128;
const WORKGROUP_KERNEL_LANES = 64;

/** A subgroup that is wider than a block takes several; in a narrower one, a lane does the work of several. */
const lanesOfSubgroup = (e: EcCsrEncoded, device: DeviceFacts): number => Math.min(e.lanes, device.subgroupMaxSize);

/** The WebGPU kernels of EC-SpMV, for y = A x. */
export const kernels: readonly KernelSpec<EcCsrEncoded>[] = [
  stagedKernel,
  ecCsrKernel({
    id: 'ec-csr/spmv_subgroup',
    title: 'subgroup per block, sums by row',
    features: ['subgroups'],
    shader: spmv.variants.subgroup,
    lanes: SUBGROUP_KERNEL_LANES,
    memoryBytesPerLane: 0,
    lanesPerBlock: lanesOfSubgroup,
  }),
  ownedRowsKernel,
  ecCsrKernel({
    id: 'ec-csr/spmv_workgroup',
    title: 'lanes of a workgroup per block, without subgroups',
    features: [],
    shader: spmv.variants.workgroup,
    lanes: WORKGROUP_KERNEL_LANES,
    memoryBytesPerLane: 32,
    lanesPerBlock: (e) => e.lanes,
  }),
];
