import x from '../../../shaders/ec-csr/x.wgsl';
import spmvOwnedRows from '../../../shaders/ec-csr/spmv_owned_rows.wgsl';
import { type Choice, type Chosen, startOf } from '../../core/kernel/choices.ts';
import { laneChoice } from '../../core/kernel/device-limits.ts';
import type { DeviceFacts, KernelPlan, KernelSpec } from '../../core/kernel/kernel.ts';
import { shaderFiles } from '../../core/kernel/shader.ts';
import type { StoredArrays } from '../../core/kernel/multi-pass-plan.ts';
import { fitsDevice } from '../../core/kernel/spmv-plan.ts';
import type { EcCsrEncoded } from './layout.ts';
import { NO_SLOT, type BlockAssignment, assignBlocks, rowSlots, type SubgroupCounts } from './block-assignment.ts';
import {
  basesMisfit,
  granularitiesOf,
  TASK_LANES,
  TASK_PARAMS,
  taskArrays,
  taskMisfit,
  taskPlan,
} from './task-kernels.ts';

/*
 * The kernel for y = A x in one pass without subgroups: every row belongs to one workgroup, as in `ec-csr/spmv_staged`
 * (docs/decisions/ec-csr.md); each lane has a sum for each of its rows in workgroup memory. x is read through the
 * cache. A task is a block (rows that share columns) that 32 lanes compute; its bases are where lanes begin.
 */

/** Lanes of a workgroup, unless tuning has found another number. */
const LANES = 256;
/** Most rows of a workgroup, unless tuning has found another number, or `MAX_WORKGROUPS` is reached. */
const ROWS = 8;
/** Most rows that a workgroup can have: their numbers are bytes, and NO_SLOT (255) means no row. */
const MAX_ROWS = NO_SLOT;
/** Most workgroups, unless tuning has found another number; a dispatch can have 65,535. */
const MAX_WORKGROUPS = 2 ** 14;
/** Overhead of a block, as if it were bytes. */
const BLOCK_COST = 2000;

/** Numbers of workgroups to try: a power of two, its half and double, and 1/32 more of each. The device decides. */
function workgroupChoice({ rows }: EcCsrEncoded): Choice {
  const start = Math.min(MAX_WORKGROUPS, 2 ** Math.ceil(Math.log2(Math.max(1, rows / ROWS))));
  const counts = [start / 2, start, 2 * start].flatMap((count) => [count, (count * 33) / 32]);
  return { kind: 'one-of', name: 'workgroups', start, values: counts.filter((count) => Number.isInteger(count)) };
}

function choicesOf(e: EcCsrEncoded, device: DeviceFacts): readonly Choice[] {
  return [
    workgroupChoice(e),
    laneChoice(LANES, device),
    { kind: 'one-of', name: 'segments', start: 1, values: [1, 2, 4] },
  ];
}

/** How rows are divided among workgroups. */
interface Distribution {
  readonly lanes: number;
  /** in blocks of one or two rows: how many groups of four columns a lane loads at once */
  readonly segments: number;
  readonly counts: SubgroupCounts;
  /** rows and tasks of each workgroup; a share is the tasks of 32 lanes */
  readonly assignment: BlockAssignment;
  /** rows of the workgroup with most rows; at least 1, since memory of size 0 cannot be declared */
  readonly rows: number;
  /** size of the workgroup memory */
  readonly memoryBytes: number;
}

function distribute(e: EcCsrEncoded, device: DeviceFacts, chosen: Chosen = {}): Distribution {
  const { lanes, workgroups, segments } = { ...startOf(choicesOf(e, device)), ...chosen };
  const counts = { workgroups, subgroups: lanes / TASK_LANES, blockCost: BLOCK_COST };
  const assignment = assignBlocks(e, counts);
  const rows = Math.max(1, assignment.maxRows);
  return { lanes, segments, counts, assignment, rows, memoryBytes: 4 * rows * lanes };
}

/** Why the shader cannot compute the blocks as assigned, as a clause; null where it can. */
function misfit(e: EcCsrEncoded, assignment: BlockAssignment): string | null {
  if (assignment.maxRows > MAX_ROWS) return `a workgroup would have ${assignment.maxRows} rows, at most ${MAX_ROWS}`;
  return taskMisfit(e, assignment);
}

/** The array of slots: for each row of a task's block, its number among the rows of the workgroup. */
function slotsOf({ assignment, counts }: Distribution): StoredArrays[number] {
  return { name: 'slots', data: rowSlots(assignment, counts) };
}

/** Lanes that add up the sums of a row at the end: as many as allow all rows to be added up at the same time. */
function rowLanes(lanes: number, rows: number): number {
  return Math.min(TASK_LANES, 2 ** Math.floor(Math.log2(Math.max(1, lanes / rows))));
}

const reject = (reason: string) => ({ ok: false, reason, remedy: null }) as const;

/** The kernel 'ec-csr/spmv_owned_rows'. */
export const ownedRowsKernel: KernelSpec<EcCsrEncoded> = {
  id: 'ec-csr/spmv_owned_rows',
  title: 'rows to workgroups, without subgroups',
  operation: 'spmv',
  extraRoundings: 1,
  features: [],
  only: TASK_PARAMS,
  fits(e, device) {
    const bases = basesMisfit(e);
    if (bases !== null) return reject(bases);
    const distribution = distribute(e, device);
    const reason = misfit(e, distribution.assignment);
    if (reason !== null) return reject(reason);
    const { rows, cols } = e;
    const arrays = [{ name: 'lists', data: distribution.assignment.lists }, ...taskArrays(e), slotsOf(distribution)];
    return fitsDevice({ rows, cols, params: [], arrays, xType: 'f32' }, distribution, device);
  },
  choices: choicesOf,
  plan(e, device, _, chosen): KernelPlan {
    const distribution = distribute(e, device, chosen);
    const { lanes, segments, assignment, rows, memoryBytes } = distribution;
    const { workgroups } = distribution.counts;
    const max = device.limits.maxComputeWorkgroupStorageSize;
    const reason = memoryBytes > max ? `${memoryBytes} bytes of memory, at most ${max}` : misfit(e, assignment);
    if (reason !== null) throw new RangeError(`ec-csr/spmv_owned_rows with ${workgroups} workgroups: ${reason}`);
    return taskPlan(e, assignment.lists, slotsOf(distribution), {
      files: shaderFiles(spmvOwnedRows, [x.variants.cached]),
      constants: {
        WORKGROUP_SIZE: lanes,
        WORKGROUPS: workgroups,
        TASKS: assignment.maxTasks,
        ROWS: rows,
        ROW_LANES: rowLanes(lanes, rows),
        GRANULARITIES: granularitiesOf(e),
        SEGMENTS: segments,
      },
      workgroups: [workgroups, 1, 1],
    });
  },
};
