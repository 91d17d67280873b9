import values from '../../../shaders/ec-csr/values.wgsl';
import deltas from '../../../shaders/ec-csr/deltas.wgsl';
import bases from '../../../shaders/ec-csr/bases.wgsl';
import spmv from '../../../shaders/ec-csr/spmv.wgsl';
import sumRows from '../../../shaders/ec-csr/sum_rows.wgsl';
import { laneChoice } from '../../core/kernel/device-limits.ts';
import {
  type DeviceFacts,
  splitWorkgroups,
  type KernelPlan,
  type KernelSpec,
  type PassPlan,
  type ShaderKernel,
} from '../../core/kernel/kernel.ts';
import { input, output, partsPlan, scratch, storedArrays, storedParts } from '../../core/kernel/multi-pass-plan.ts';
import { shaderFiles } from '../../core/kernel/shader.ts';
import { fitsDevice } from '../../core/kernel/spmv-plan.ts';
import { baseBits, type EcCsrEncoded, isWhole, infosOfSets } from './layout.ts';
import { ownedRowsKernel } from './owned-rows-kernel.ts';
import { stagedKernel } from './staged-kernel.ts';

/**
 * Where the partial sums (one for each row of each block) are stored: the sum of element i of `rowIndices` at `places[i]`;
 * the sums of matrix row r from partialPtr[r] to before partialPtr[r + 1], in the order of blocks.
 */
interface PartialSums {
  readonly places: Uint32Array;
  /** rows + 1 elements */
  readonly partialPtr: Uint32Array;
}

const cache = new WeakMap<Uint32Array, PartialSums>();

/** The positions of the partial sums, cached, so that kernels share their upload. O(rows + length of `rowIndices`). */
function partialSums({ rows, rowIndices }: EcCsrEncoded): PartialSums {
  const cached = cache.get(rowIndices);
  if (cached) return cached;
  const partialPtr = new Uint32Array(rows + 1);
  for (const row of rowIndices) partialPtr[row + 1]++;
  for (let r = 0; r < rows; r++) partialPtr[r + 1] += partialPtr[r];
  const next = partialPtr.slice(0, rows);
  const sums = { places: rowIndices.map((row) => next[row]++), partialPtr };
  cache.set(rowIndices, sums);
  return sums;
}

/** Maximum number of sets in the uniform: two, of long and of short blocks, for blocks of 1, 2, 4 and 8 rows. */
const MAX_SETS = 8;
/** Words of a set in the uniform, and words before the sets. */
const SET_WORDS = 8;
const HEAD_WORDS = 4;

/** The uniform of shaders/ec-csr/sets.wgsl: rows of the matrix; size of every set and its start in each array. */
function paramsOf(e: EcCsrEncoded): Uint32Array {
  const infos = infosOfSets(e);
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

/** Lanes of a workgroup in the pass that adds up the partial sums of rows. */
const ROW_PASS_LANES = 64;

/** What differs between the kernels with subgroups and without. */
interface Variant extends ShaderKernel {
  /** lanes of a workgroup, unless a timing trial has chosen another number */
  readonly lanes: number;
  readonly memoryBytesPerLane: number;
  /** lanes that compute a block together */
  lanesPerBlock(e: EcCsrEncoded, device: DeviceFacts): number;
}

/**
 * The kernel of one variant: a pass over all blocks, then a pass that adds up the partial sums of each row.
 * `extraRoundings`: one for each product, besides the roundings of the sum; adding the zeros of padding is exact.
 */
function ecCsrKernel(variant: Variant): KernelSpec<EcCsrEncoded> {
  const { id, title, features, lanes, memoryBytesPerLane } = variant;
  return {
    id,
    title,
    operation: 'spmv',
    extraRoundings: 1,
    features,
    fits(e, device) {
      const { rows, cols } = e;
      const arrays = storedArrays(e, ['values', 'deltaIndices', 'baseIndices', 'blockPtr', 'rowIndices']);
      const buffers = { rows, cols, params: [], arrays, xType: 'f32' } as const;
      return fitsDevice(buffers, { lanes, memoryBytes: lanes * memoryBytesPerLane }, device);
    },
    choices: (_, device) => [laneChoice(lanes, device, memoryBytesPerLane)],
    plan: (e, device, _, chosen) => planOf({ ...variant, ...chosen }, e, device),
  };
}

const BLOCK_BINDINGS = ['params', 'values', 'deltaIndices', 'baseIndices', 'blockPtr', 'places', 'x', 'partials'];

/** The plan of a variant: the pass over all blocks, then the pass over rows. */
function planOf(variant: Variant, e: EcCsrEncoded, device: DeviceFacts): KernelPlan {
  const { lanes } = variant;
  const sums = partialSums(e);
  const arrays = storedArrays(e, ['values', 'deltaIndices', 'baseIndices', 'blockPtr']);
  const parts = [
    ...storedParts([...arrays, ...storedArrays(sums, ['places', 'partialPtr'])]),
    scratch('partials', sums.places.byteLength),
    input('x', e.cols, 'f32'),
    output('y', e.rows * 4),
  ];
  const infos = infosOfSets(e);
  const blocksPerWorkgroup = lanes / variant.lanesPerBlock(e, device);
  const workgroups = infos.reduce((sum, set) => sum + Math.ceil(set.blocks / blocksPerWorkgroup), 0);
  const pieces = [bases.variants[baseBits(e)], deltas.variants[e.deltaBits], values.variants[e.valueType]];
  const blockPass: PassPlan = {
    files: shaderFiles(variant.shader, pieces),
    constants: {
      WORKGROUP_SIZE: lanes,
      LANES: e.lanes,
      VECTOR_SIZE: e.vectorSize,
      SETS: infos.length,
      // A mask of the granularities (rows of a block): the shader leaves out the code for all others.
      GRANULARITIES: infos.reduce((mask, set) => mask | set.granularity, 0),
      // 1 if every lane of a block of eight rows has a multiple of four columns: the code for other blocks is omitted.
      WHOLE_8: e.vectorSize === 4 && infos.every((set) => set.granularity < 8 || isWhole(e, set)) ? 1 : 0,
    },
    // f16 values are bound a second time, for loads of four.
    bindings: [...BLOCK_BINDINGS, ...(e.valueType === 'f16' ? ['values'] : [])],
    workgroups: splitWorkgroups(workgroups),
  };
  const rowPass: PassPlan = {
    files: shaderFiles(sumRows),
    bindings: ['params', 'partialPtr', 'partials', 'y'],
    constants: { WORKGROUP_SIZE: ROW_PASS_LANES },
    workgroups: splitWorkgroups(Math.ceil(e.rows / ROW_PASS_LANES)),
  };
  return partsPlan([{ role: 'params', name: 'params', data: paramsOf(e) }], parts, [blockPass, rowPass]);
}

const SUBGROUP_KERNEL_LANES = 128;
const WORKGROUP_KERNEL_LANES = 64;

/** Lanes for a block: a larger subgroup computes several blocks; in a smaller one, a lane does the work of several. */
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
