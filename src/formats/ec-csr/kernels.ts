import values from '../../../shaders/ec-csr/values.wgsl';
import deltas from '../../../shaders/ec-csr/deltas.wgsl';
import bases from '../../../shaders/ec-csr/bases.wgsl';
import clear from '../../../shaders/ec-csr/clear.wgsl';
import sums from '../../../shaders/ec-csr/sums.wgsl';
import spmv from '../../../shaders/ec-csr/spmv.wgsl';
import sumRows from '../../../shaders/ec-csr/sum_rows.wgsl';
import { laneChoice } from '../../core/kernel/device-limits.ts';
import {
  type BufferPlan,
  type DeviceFacts,
  foldWorkgroups,
  type KernelPlan,
  type KernelSpec,
  type ShaderKernel,
  type PassPlan,
} from '../../core/kernel/kernel.ts';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';
import { fitsDevice, type SpmvBuffers } from '../../core/kernel/spmv-plan.ts';
import { baseBits, type EcCsrEncoded, isWhole, setInfos } from './layout.ts';
import { ownedRowsKernel } from './owned-rows-kernel.ts';
import x from '../../../shaders/ec-csr/x.wgsl';
import spmvStaged from '../../../shaders/ec-csr/spmv_staged.wgsl';
import { type Choice, type Chosen, startOf } from '../../core/kernel/choices.ts';
import { maxLanes } from '../../core/kernel/equal-shares.ts';
import { type RowShares, rowShares, type ShareCounts } from './row-shares.ts';
import {
  basesMisfit,
  granularitiesOf,
  TASK_LANES,
  TASK_PARAMS,
  taskArrays,
  taskMisfit,
  taskPlan,
} from './task-kernels.ts';

/** Lanes of a subgroup at most. */
const LANES = TASK_LANES;

/** What the prototype of this kernel was timed with (docs/performance-lessons.md), and nothing else. */
const CHOICES: readonly Choice[] = [
  { kind: 'one-of', name: 'segments', start: 1, values: [1, 2, 4] },
  { kind: 'one-of', name: 'workgroups', start: 128, values: [128, 132] },
  { kind: 'one-of', name: 'block cost', start: 4000, values: [700, 2000, 4000] },
];

/** Without a trial the start of every choice. */
const numbersOf = (chosen: Chosen = {}): Chosen => ({ ...startOf(CHOICES), ...chosen });

function countsOf(device: DeviceFacts, chosen?: Chosen): ShareCounts {
  const { workgroups, 'block cost': blockCost } = numbersOf(chosen);
  return { workgroups, blockCost, shares: Math.floor(maxLanes(device) / Math.max(1, device.subgroupMaxSize)) };
}

/** Blocks of the subgroup that has most, at least, before anything is shared out. */
function minTasks(e: EcCsrEncoded, { workgroups, shares }: ShareCounts): number {
  const blocks = setInfos(e).reduce((sum, set) => sum + set.blocks, 0);
  return Math.ceil(blocks / (workgroups * Math.max(1, shares)));
}

/** Why the text cannot compute these shares, as a clause; null where it can. */
function misfit(e: EcCsrEncoded, shares: RowShares): string | null {
  const { tasks } = shares;
  if (tasks > LANES) return `a subgroup would have ${tasks} blocks, and its lanes hold ${LANES}`;
  return taskMisfit(e, shares);
}

/**
 * y = A x in one pass. Every row belongs to one workgroup, which computes all blocks that have any of its rows with x and
 * the sums in its memory (docs/decisions/ec-csr.md). For the parameters that its text was written for; what
 * does not fit stays with the other kernels.
 */
export const stagedKernel: KernelSpec<EcCsrEncoded> = {
  id: 'ec-csr/spmv_staged',
  title: 'rows to workgroups, x in workgroup memory',
  operation: 'spmv',
  roundings: 1,
  features: ['subgroups'],
  only: TASK_PARAMS,
  fits(e, device) {
    const refuse = (reason: string) => ({ ok: false, reason, remedy: null }) as const;
    if (device.subgroupMaxSize > LANES) {
      return refuse(`a subgroup has up to ${device.subgroupMaxSize} lanes on this device, expected at most ${LANES}`);
    }
    const bases = basesMisfit(e);
    if (bases !== null) return refuse(bases);
    const { rows, cols } = e;
    // A device counts both arrays in workgroup memory, x and the sums, in whole 16 bytes.
    const fit = (arrays: SpmvBuffers['arrays'], sums: number) =>
      fitsDevice(
        { rows, cols, params: [], arrays, xType: 'f32' },
        {
          lanes: maxLanes(device),
          memoryBytes: 16 * (Math.ceil(Math.max(1, cols) / 4) + Math.ceil(sums / 4)),
        },
        device,
      );
    // Rows are shared out only where x fits at all, and there are not too many blocks however they are shared.
    const withoutSums = fit(taskArrays(e), 0);
    if (!withoutSums.ok) return withoutSums;
    const counts = countsOf(device);
    const min = minTasks(e, counts);
    if (min > LANES) return refuse(`a subgroup would have ${min} blocks or more, and its lanes hold ${LANES}`);
    const shares = rowShares(e, counts);
    const reason = misfit(e, shares);
    if (reason !== null) return refuse(reason);
    const { lists, places, sums } = shares;
    return fit(
      [
        { name: 'lists', data: lists },
        { name: 'places', data: places },
      ],
      sums,
    );
  },
  choices: () => CHOICES,
  plan(e, device, _, chosen): KernelPlan {
    const counts = countsOf(device, chosen);
    const shares = rowShares(e, counts);
    const reason = misfit(e, shares);
    if (reason !== null) throw new RangeError(`ec-csr/spmv_staged with ${counts.workgroups} workgroups: ${reason}`);
    const lanes = maxLanes(device);
    const cols = Math.max(1, e.cols);
    return taskPlan(
      e,
      shares.lists,
      { name: 'places', data: shares.places },
      {
        files: shaderFiles(spmvStaged, [x.variants.in_eights]),
        constants: {
          WORKGROUP_SIZE: lanes,
          WORKGROUPS: counts.workgroups,
          SHARES: counts.shares,
          TASKS: shares.tasks,
          ROWS: shares.rows,
          SUMS: shares.sums,
          COLS: cols,
          COPIES: Math.ceil(cols / lanes),
          GRANULARITIES: granularitiesOf(e),
          SEGMENTS: numbersOf(chosen).segments,
          LANE_FOR_LANE: device.subgroupMinSize === LANES && device.subgroupMaxSize === LANES ? 1 : 0,
        },
        workgroups: [counts.workgroups, 1, 1],
      },
    );
  },
};

/**
 * The order of the blocks' sums. The sum of block row i (a row of a block, counted through `rowIndices`) is at
 * `places[i]` of the partial sums; those of matrix row r are partialPtr[r] .. partialPtr[r + 1], in the order of
 * blocks.
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

/** Sets that the uniform has room for: up to two per granularity. */
const MAX_SETS = 8;
/** Elements of a set there, and of what precedes the sets. */
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

/** Lanes that share out the rows in the passes over y. */
const ROW_PASS_LANES = 64;

/** How sums of several blocks meet in a row. */
interface Meeting {
  /** arrays besides those that every variant reads */
  buffers(e: EcCsrEncoded): readonly BufferPlan[];
  /** names at the bindings 5 and 7 of the pass over the blocks */
  readonly where: string;
  readonly target: string;
  readonly piece: ShaderModule;
  /** the pass over the rows, before or after that over the blocks */
  readonly rowPass: { readonly shader: ShaderModule; readonly bindings: readonly string[] };
  readonly rowPassFirst: boolean;
}

/** Every sum at its own place, then row by row in a fixed order. */
const BY_PARTIALS: Meeting = {
  buffers(e) {
    const { places, partialPtr } = partialSums(e);
    return [
      { role: 'sparse', name: 'places', data: places },
      { role: 'sparse', name: 'partialPtr', data: partialPtr },
      { role: 'scratch', name: 'partials', bytes: places.byteLength },
    ];
  },
  where: 'places',
  target: 'partials',
  piece: sums.variants.partials,
  rowPass: {
    shader: sumRows,
    bindings: ['params', 'partialPtr', 'partials', 'y'],
  },
  rowPassFirst: false,
};

/** Every sum at once into y, which is cleared before. */
const BY_COMPARE_AND_SWAP: Meeting = {
  buffers: (e) => [{ role: 'sparse', name: 'rowIndices', data: e.rowIndices }],
  where: 'rowIndices',
  target: 'y',
  piece: sums.variants.compare_and_swap,
  rowPass: { shader: clear, bindings: ['params', 'y'] },
  rowPassFirst: true,
};

interface Variant extends ShaderKernel {
  readonly meeting: Meeting;
  /** without a trial */
  readonly lanes: number;
  readonly memoryBytesPerLane: number;
  /** lanes that take a block together */
  lanesPerBlock(e: EcCsrEncoded, device: DeviceFacts): number;
}

/**
 * The kernel of one variant: a pass over all blocks, whatever their granularity, and a pass over the rows. One rounding
 * besides those of the sum, that of the product: adding 0, which padding and cleared sums do, is exact, so that every
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
  const { meeting, lanes } = variant;
  const buffers: readonly BufferPlan[] = [
    { role: 'params', name: 'params', data: paramsOf(e) },
    { role: 'sparse', name: 'values', data: e.values },
    { role: 'sparse', name: 'deltaIndices', data: e.deltaIndices },
    { role: 'sparse', name: 'baseIndices', data: e.baseIndices },
    { role: 'sparse', name: 'blockPtr', data: e.blockPtr },
    ...meeting.buffers(e),
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
      meeting.piece,
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
      meeting.where,
      'x',
      meeting.target,
      // f16 values a second time, for loads of four
      ...(e.valueType === 'f16' ? ['values'] : []),
    ],
    workgroups: foldWorkgroups(workgroups),
  };
  const rowPass: PassPlan = {
    files: shaderFiles(meeting.rowPass.shader),
    bindings: meeting.rowPass.bindings,
    constants: { WORKGROUP_SIZE: ROW_PASS_LANES },
    workgroups: foldWorkgroups(Math.ceil(e.rows / ROW_PASS_LANES)),
  };
  const sparseBytes = buffers.reduce((sum, b) => sum + (b.role === 'sparse' ? b.data.byteLength : 0), 0);
  return {
    buffers,
    passes: meeting.rowPassFirst ? [rowPass, blockPass] : [blockPass, rowPass],
    bytes: sparseBytes + e.cols * 4 + e.rows * 4,
  };
}

const SUBGROUP_KERNEL_LANES = 128;
const WORKGROUP_KERNEL_LANES = 64;

/** A subgroup that is wider than a block takes several; in a narrower one, a lane does the work of several. */
const lanesOfSubgroup = (e: EcCsrEncoded, device: DeviceFacts): number => Math.min(e.lanes, device.subgroupMaxSize);

export const kernels: readonly KernelSpec<EcCsrEncoded>[] = [
  stagedKernel,
  ecCsrKernel({
    id: 'ec-csr/spmv_subgroup',
    title: 'subgroup per block, sums by row',
    features: ['subgroups'],
    shader: spmv.variants.subgroup,
    meeting: BY_PARTIALS,
    lanes: SUBGROUP_KERNEL_LANES,
    memoryBytesPerLane: 0,
    lanesPerBlock: lanesOfSubgroup,
  }),
  ecCsrKernel({
    id: 'ec-csr/spmv_compare_and_swap',
    title: 'subgroup per block, sums by atomic compare-and-swap',
    features: ['subgroups'],
    shader: spmv.variants.subgroup,
    meeting: BY_COMPARE_AND_SWAP,
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
    meeting: BY_PARTIALS,
    lanes: WORKGROUP_KERNEL_LANES,
    memoryBytesPerLane: 32,
    lanesPerBlock: (e) => e.lanes,
  }),
];
