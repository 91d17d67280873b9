import type { KernelPlan, PassPlan } from '../../core/kernel/kernel.ts';
import {
  input,
  output,
  partsPlan,
  type StoredArrays,
  storedArrays,
  storedParts,
} from '../../core/kernel/multi-pass-plan.ts';
import { baseBits, type EcCsrEncoded, isWhole, infosOfSets } from './layout.ts';
import type { BlockAssignment } from './block-assignment.ts';

// What the two kernels share that give each row to one workgroup: their tasks, checks and plan. A task is a block (rows
// that share columns) that 32 lanes compute (task_rows.wgsl).

/** Lanes that compute a task. */
export const TASK_LANES = 32;

/** The parameters that task_rows.wgsl is written for. */
export const TASK_PARAMS = { lanes: [TASK_LANES], vectorSize: [4], deltaBits: [8], valueType: ['f16'] } as const;

/** Maximum rows of all tasks of a workgroup, which a task numbers in 16 bits. */
const MAX_TASK_ROWS = 2 ** 16;

/** The arrays of the matrix that tasks read, in the order of their bindings. */
export function taskArrays(e: EcCsrEncoded): StoredArrays {
  return storedArrays(e, ['values', 'deltaIndices', 'baseIndices']);
}

/** Why tasks cannot read the bases of a matrix (the first column of each lane), as a clause; null if they can. */
export function basesMisfit(e: EcCsrEncoded): string | null {
  return baseBits(e) > 16 ? `supports only bases of 16 bits, found ${e.cols} columns, which need 32` : null;
}

/** Why tasks cannot compute a matrix divided this way among workgroups, as a clause; null if they can. */
export function taskMisfit(e: EcCsrEncoded, { maxTaskRows }: BlockAssignment): string | null {
  if (maxTaskRows > MAX_TASK_ROWS)
    return `a workgroup would have ${maxTaskRows} rows of blocks, at most ${MAX_TASK_ROWS}`;
  if (infosOfSets(e).some((set) => set.granularity === 8 && !isWhole(e, set))) {
    return 'blocks of eight rows have columns after their last whole segment'; // segment: v columns of a lane
  }
  return null;
}

/** The granularities (rows of a block: 1, 2, 4 or 8) of all sets of blocks, as the bits of one number. */
export function granularitiesOf(e: EcCsrEncoded): number {
  return infosOfSets(e).reduce((bits, { granularity }) => bits | granularity, 0);
}

/**
 * The plan of a kernel in one pass over the lists of tasks and the arrays of the matrix. `rowTargets` specifies where the
 * sums of a task's rows go. Values are bound twice, for loads of four.
 */
export function taskPlan(
  e: EcCsrEncoded,
  lists: Uint32Array,
  rowTargets: StoredArrays[number],
  pass: Omit<PassPlan, 'bindings'>,
): KernelPlan {
  const stored = storedParts([{ name: 'lists', data: lists }, ...taskArrays(e), rowTargets]);
  const bindings = ['lists', 'values', 'deltaIndices', 'baseIndices', 'values', rowTargets.name, 'x', 'y'];
  return partsPlan([], [...stored, input('x', e.cols, 'f32'), output('y', 4 * e.rows)], [{ ...pass, bindings }]);
}
