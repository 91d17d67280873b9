import values from '../../../shaders/ec-csr/values.wgsl';
import deltas from '../../../shaders/ec-csr/deltas.wgsl';
import bases from '../../../shaders/ec-csr/bases.wgsl';
import clear from '../../../shaders/ec-csr/clear.wgsl';
import sums from '../../../shaders/ec-csr/sums.wgsl';
import spmvSubgroup from '../../../shaders/ec-csr/spmv_subgroup.wgsl';
import spmvWorkgroup from '../../../shaders/ec-csr/spmv_workgroup.wgsl';
import sumRows from '../../../shaders/ec-csr/sum_rows.wgsl';
import { laneChoice } from '../../core/kernel/device-limits.ts';
import {
  type BufferPlan,
  type DeviceFacts,
  foldWorkgroups,
  type KernelPlan,
  type KernelSpec,
  type PassPlan,
} from '../../core/kernel/kernel.ts';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';
import { fitsDevice } from '../../core/kernel/spmv-plan.ts';
import { baseBits, type EcCsrEncoded, isWhole, setInfos } from './layout.ts';
import { ownedRowsKernel } from './owned-rows-kernel.ts';
import { partialSums } from './partial-sums.ts';
import { stagedKernel } from './staged-kernel.ts';

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

interface Variant {
  readonly id: string;
  readonly title: string;
  readonly features: readonly string[];
  readonly shader: ShaderModule;
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
    shader: spmvSubgroup,
    meeting: BY_PARTIALS,
    lanes: SUBGROUP_KERNEL_LANES,
    memoryBytesPerLane: 0,
    lanesPerBlock: lanesOfSubgroup,
  }),
  ecCsrKernel({
    id: 'ec-csr/spmv_compare_and_swap',
    title: 'subgroup per block, sums by compare-and-swap',
    features: ['subgroups'],
    shader: spmvSubgroup,
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
    shader: spmvWorkgroup,
    meeting: BY_PARTIALS,
    lanes: WORKGROUP_KERNEL_LANES,
    memoryBytesPerLane: 32,
    lanesPerBlock: (e) => e.lanes,
  }),
];
