import spmvStaged from '../../../shaders/ec-csr/spmv_staged.wgsl';
import x from '../../../shaders/ec-csr/x.wgsl';
import { type Choice, type Chosen, startOf } from '../../core/kernel/choices.ts';
import { maxLanes } from '../../core/kernel/equal-shares.ts';
import type { DeviceFacts, KernelPlan, KernelSpec } from '../../core/kernel/kernel.ts';
import { shaderFiles } from '../../core/kernel/shader.ts';
import { type StoredArrays, storedArrays } from '../../core/kernel/multi-pass-plan.ts';
import { fitsDevice } from '../../core/kernel/spmv-plan.ts';
import { type EcCsrEncoded, infosOfSets } from './layout.ts';
import { type BlockAssignment, assignBlocks, type SubgroupCounts } from './block-assignment.ts';
import {
  basesMisfit,
  granularitiesOf,
  TASK_LANES,
  TASK_PARAMS,
  taskArrays,
  taskMisfit,
  taskPlan,
} from './task-kernels.ts';

/**
 * Most lanes of a subgroup, and most blocks assigned to it (`tasks` in the shader): each lane loads the record of one block,
 * and all lanes together compute each block.
 */
const MAX_SUBGROUP_LANES = TASK_LANES;

/** What tuning tries: segments (four columns a lane) loaded at once, workgroups, a block's overhead in bytes. */
const CHOICES: readonly Choice[] = [
  { kind: 'one-of', name: 'segments', start: 1, values: [1, 2, 4] },
  { kind: 'one-of', name: 'workgroups', start: 128, values: [128, 132] },
  { kind: 'one-of', name: 'block cost', start: 4000, values: [700, 2000, 4000] },
];

/** The chosen settings, or else the start of each choice. */
const settingsOf = (chosen: Chosen = {}): Chosen => ({ ...startOf(CHOICES), ...chosen });

function countsOf(device: DeviceFacts, chosen?: Chosen): SubgroupCounts {
  const { workgroups, 'block cost': blockCost } = settingsOf(chosen);
  return { workgroups, blockCost, subgroups: Math.floor(maxLanes(device) / Math.max(1, device.subgroupMaxSize)) };
}

/** A lower bound on the blocks of the busiest subgroup: the blocks of an equal division. */
function minBlocks(e: EcCsrEncoded, { workgroups, subgroups }: SubgroupCounts): number {
  const blocks = infosOfSets(e).reduce((sum, set) => sum + set.blocks, 0);
  return Math.ceil(blocks / (workgroups * Math.max(1, subgroups)));
}

/** Why the shader cannot compute the blocks as assigned, as a clause; null if it can. */
function misfit(e: EcCsrEncoded, assignment: BlockAssignment): string | null {
  const { maxTasks } = assignment;
  if (maxTasks > MAX_SUBGROUP_LANES)
    return `a subgroup would have ${maxTasks} blocks, expected at most ${MAX_SUBGROUP_LANES}, one for each lane`;
  return taskMisfit(e, assignment);
}

/**
 * The kernel 'ec-csr/spmv_staged': y = A x in one pass. Every row belongs to one workgroup, which computes all blocks
 * with any of its rows, with x and the sums in its memory (docs/decisions/ec-csr.md). Only for TASK_PARAMS.
 */
export const stagedKernel: KernelSpec<EcCsrEncoded> = {
  id: 'ec-csr/spmv_staged',
  title: 'rows to workgroups, x in workgroup memory',
  operation: 'spmv',
  extraRoundings: 1,
  features: ['subgroups'],
  only: TASK_PARAMS,
  fits(e, device) {
    const reject = (reason: string) => ({ ok: false, reason, remedy: null }) as const;
    if (device.subgroupMaxSize > MAX_SUBGROUP_LANES) {
      return reject(
        `a subgroup has up to ${device.subgroupMaxSize} lanes on this device, expected at most ${MAX_SUBGROUP_LANES}`,
      );
    }
    const bases = basesMisfit(e);
    if (bases !== null) return reject(bases);
    const { rows, cols } = e;
    // A device counts both arrays in workgroup memory, x and the sums, in whole 16 bytes.
    const fit = (arrays: StoredArrays, sums: number) =>
      fitsDevice(
        { rows, cols, params: [], arrays, xType: 'f32' },
        { lanes: maxLanes(device), memoryBytes: 16 * (Math.ceil(Math.max(1, cols) / 4) + Math.ceil(sums / 4)) },
        device,
      );
    // Rows are divided only where x fits, and where blocks are not too many even if divided equally.
    const withoutSums = fit(taskArrays(e), 0);
    if (!withoutSums.ok) return withoutSums;
    const counts = countsOf(device);
    const min = minBlocks(e, counts);
    if (min > MAX_SUBGROUP_LANES)
      return reject(
        `a subgroup would have ${min} blocks or more, expected at most ${MAX_SUBGROUP_LANES}, one for each lane`,
      );
    const assignment = assignBlocks(e, counts);
    const reason = misfit(e, assignment);
    if (reason !== null) return reject(reason);
    return fit(storedArrays(assignment, ['lists', 'places']), assignment.maxSums);
  },
  choices: () => CHOICES,
  plan(e, device, _, chosen): KernelPlan {
    const counts = countsOf(device, chosen);
    const assignment = assignBlocks(e, counts);
    const reason = misfit(e, assignment);
    if (reason !== null) throw new RangeError(`ec-csr/spmv_staged with ${counts.workgroups} workgroups: ${reason}`);
    const lanes = maxLanes(device);
    const cols = Math.max(1, e.cols);
    const slots = { name: 'places', data: assignment.places }; // positions of the sums of a task's rows, in workgroup memory
    return taskPlan(e, assignment.lists, slots, {
      files: shaderFiles(spmvStaged, [x.variants.in_eights]),
      constants: {
        WORKGROUP_SIZE: lanes,
        WORKGROUPS: counts.workgroups,
        SHARES: counts.subgroups,
        TASKS: assignment.maxTasks,
        ROWS: assignment.maxRows,
        SUMS: assignment.maxSums,
        COLS: cols,
        COPIES: Math.ceil(cols / lanes),
        GRANULARITIES: granularitiesOf(e),
        SEGMENTS: settingsOf(chosen).segments,
        // whether every subgroup has 32 lanes, one for each lane of a task
        LANE_FOR_LANE:
          device.subgroupMinSize === MAX_SUBGROUP_LANES && device.subgroupMaxSize === MAX_SUBGROUP_LANES ? 1 : 0,
      },
      workgroups: [counts.workgroups, 1, 1],
    });
  },
};
