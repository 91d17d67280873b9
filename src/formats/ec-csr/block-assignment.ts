import { indexOfSmallest, largest } from '../../core/number/statistics.ts';
import { type EcCsrEncoded, type SetInfo, infosOfSets } from './layout.ts';
import { type BlockWork, blockWork, byCost, rowsByGroup, workgroupsOfBlocks } from './block-work.ts';
import { rowOwners } from './row-owners.ts';

// Assigns the blocks of an EC-CSR matrix (rows with the same columns) to workgroups and subgroups, as lists that kernels read.

/** How many workgroups and subgroups compute the blocks, and the cost of a block. */
export interface SubgroupCounts {
  readonly workgroups: number;
  /** subgroups of a workgroup, or groups of 32 lanes that act like one; each computes a part of the workgroup's blocks */
  readonly subgroups: number;
  /** overhead of a block, as if it were bytes: its start, its sums and their positions */
  readonly blockCost: number;
}

/** Rows and tasks (blocks to compute) of every workgroup, for the kernels ec-csr/spmv_staged and spmv_owned_rows. */
export interface BlockAssignment {
  /**
   * records of four words: one per workgroup, then `maxTasks` per subgroup of each, then one per row, by workgroup. They are
   * read by shaders/ec-csr/spmv_staged.wgsl.
   *
   * | record    | word 0                         | word 1                 | word 2          | word 3                     |
   * |-----------|--------------------------------|------------------------|-----------------|----------------------------|
   * | workgroup | its first element of `places`  | record of its first row | number of rows | unused                     |
   * | task      | its first word of deltas       | first four values      | first base      | packed: see `taskOf`       |
   * | row       | row of the matrix              | its first sum          | end of its sums | unused                     |
   */
  readonly lists: Uint32Array;
  /**
   * for every row of every task: the number of its sum in the memory of the workgroup, where a row of another workgroup has
   * the last sum, maxSums - 1
   */
  readonly places: Uint32Array;
  /** tasks of the subgroup that has most, at least 1; the lists of other subgroups are filled with tasks without columns */
  readonly maxTasks: number;
  /** rows of all tasks of the workgroup that has most */
  readonly maxTaskRows: number;
  /** rows of the workgroup that has most */
  readonly maxRows: number;
  /** sums of the workgroup that has most, and one more, to which all rows of other workgroups are added */
  readonly maxSums: number;
}

/** Words of a record of `lists`. */
const WORDS = 4;

const cache = new WeakMap<Uint32Array, Map<string, BlockAssignment>>();

/** Divides rows among workgroups; each computes all blocks with any of its rows. Cached; as slow as `rowOwners`. */
export function assignBlocks(e: EcCsrEncoded, counts: SubgroupCounts): BlockAssignment {
  const key = `${counts.workgroups} ${counts.subgroups} ${counts.blockCost}`;
  const byCounts = cache.get(e.rowIndices) ?? new Map<string, BlockAssignment>();
  cache.set(e.rowIndices, byCounts);
  const assignment = byCounts.get(key) ?? makeAssignment(e, counts);
  byCounts.set(key, assignment);
  return assignment;
}

/** The blocks of every subgroup: subgroup i, counted over all workgroups, has the blocks from at[i] up to at[i + 1]. */
interface SubgroupBlocks {
  readonly blocks: Uint32Array;
  readonly at: Uint32Array;
}

function makeAssignment(e: EcCsrEncoded, counts: SubgroupCounts): BlockAssignment {
  const { workgroups, subgroups, blockCost } = counts;
  const work = blockWork(e, blockCost);
  const owners = rowOwners(e.rows, work, workgroups);
  const tasks = subgroupBlocks(e, work, owners, counts);
  const maxTasks = Math.max(1, largest(tasks.at.subarray(1).map((end, i) => end - tasks.at[i])));
  const firstRowRecord = workgroups * (1 + subgroups * maxTasks);
  // Lanes without a row may read the record after the last row.
  const lists = new Uint32Array(WORDS * (firstRowRecord + e.rows + 1));
  const { firstSum, maxRows, maxOwnSums } = writeRows(lists, e, owners, workgroups, firstRowRecord);
  const { places, maxTaskRows } = writeTasks(lists, e, counts, { work, owners, tasks, maxTasks, firstSum, maxOwnSums });
  return { lists, places, maxTasks, maxTaskRows, maxRows, maxSums: maxOwnSums + 1 };
}

/**
 * Writes the records of all rows, and the words of workgroups that refer to them. A row has a sum for each of its blocks;
 * the sums of a workgroup are numbered row by row. Returns the number of the first sum of each row.
 */
function writeRows(
  lists: Uint32Array,
  e: EcCsrEncoded,
  owners: Uint32Array,
  workgroups: number,
  firstRowRecord: number,
): { readonly firstSum: Uint32Array; readonly maxRows: number; readonly maxOwnSums: number } {
  const { rows: rowsInOrder, starts: rowsAt } = rowsByGroup(owners, workgroups);
  const sumsOfRow = new Uint32Array(e.rows);
  for (const row of e.rowIndices) sumsOfRow[row]++;
  const firstSum = new Uint32Array(e.rows);
  let maxRows = 0;
  let maxOwnSums = 0;
  let record = firstRowRecord;
  for (let w = 0; w < workgroups; w++) {
    const rowCount = rowsAt[w + 1] - rowsAt[w];
    lists[WORDS * w + 1] = record;
    lists[WORDS * w + 2] = rowCount;
    let sums = 0;
    for (let i = rowsAt[w]; i < rowsAt[w + 1]; i++, record++) {
      const row = rowsInOrder[i];
      firstSum[row] = sums;
      sums += sumsOfRow[row];
      lists.set([row, firstSum[row], sums], WORDS * record);
    }
    maxRows = Math.max(maxRows, rowCount);
    maxOwnSums = Math.max(maxOwnSums, sums);
  }
  return { firstSum, maxRows, maxOwnSums };
}

/** What `writeTasks` needs to know of the rows and blocks of all workgroups. */
interface AssignedTasks {
  readonly work: BlockWork;
  /** the workgroup of each row */
  readonly owners: Uint32Array;
  readonly tasks: SubgroupBlocks;
  readonly maxTasks: number;
  /** of each row: the number of its first sum in its workgroup */
  readonly firstSum: Uint32Array;
  /** sums of the workgroup that has most, and thus the number of the sum for rows of other workgroups */
  readonly maxOwnSums: number;
}

/** Writes the records of all tasks, and the words of workgroups that refer to `places`. Returns `places`. */
function writeTasks(
  lists: Uint32Array,
  e: EcCsrEncoded,
  { workgroups, subgroups }: SubgroupCounts,
  { work, owners, tasks, maxTasks, firstSum, maxOwnSums }: AssignedTasks,
): { readonly places: Uint32Array; readonly maxTaskRows: number } {
  const infos = infosOfSets(e);
  const places = new Uint32Array(
    tasks.blocks.reduce((sum, block) => sum + work.rowsAt[block + 1] - work.rowsAt[block], 0),
  );
  const nextSum = firstSum.slice();
  let maxTaskRows = 0;
  let placeCount = 0;
  for (let w = 0; w < workgroups; w++) {
    const firstPlace = placeCount;
    lists[WORDS * w] = firstPlace;
    for (let s = w * subgroups; s < (w + 1) * subgroups; s++) {
      for (let i = tasks.at[s]; i < tasks.at[s + 1]; i++) {
        const block = tasks.blocks[i];
        const set = infos[work.set[block]];
        const words = taskWords(e, set, work.indexInSet[block], work.columns[block], placeCount - firstPlace);
        lists.set(words, WORDS * (workgroups + s * maxTasks + i - tasks.at[s]));
        for (let r = work.rowsAt[block]; r < work.rowsAt[block + 1]; r++) {
          const row = work.rows[r];
          places[placeCount++] = owners[row] === w ? nextSum[row]++ : maxOwnSums;
        }
      }
    }
    maxTaskRows = Math.max(maxTaskRows, placeCount - firstPlace);
  }
  return { places, maxTaskRows };
}

/** Stands for a row of another workgroup instead of a row number. owned-rows-kernel.ts checks that no workgroup has more rows. */
export const NO_SLOT = 255;

/** Eight bytes per task: for each row of its block, the row's number in the workgroup, or NO_SLOT. O(tasks). */
export function rowSlots(
  { lists, places, maxTasks, maxSums }: BlockAssignment,
  { workgroups, subgroups }: SubgroupCounts,
): Uint8Array<ArrayBuffer> {
  const tasksOfWorkgroup = subgroups * maxTasks;
  const slots = new Uint8Array(8 * workgroups * tasksOfWorkgroup);
  /** by number of a sum: the number, in the workgroup, of its row */
  const rowOfSum = new Uint8Array(maxSums);
  for (let w = 0; w < workgroups; w++) {
    const [firstPlace, firstRowRecord, rows] = lists.subarray(WORDS * w, WORDS * (w + 1));
    rowOfSum.fill(NO_SLOT);
    for (let r = 0; r < rows; r++) {
      const [, begin, end] = lists.subarray(WORDS * (firstRowRecord + r), WORDS * (firstRowRecord + r + 1));
      rowOfSum.fill(r, begin, end);
    }
    for (let task = w * tasksOfWorkgroup; task < (w + 1) * tasksOfWorkgroup; task++) {
      const { columnsPerLane, granularity, first } = taskOf(lists[WORDS * (workgroups + task) + 3]);
      for (let r = 0; columnsPerLane > 0 && r < granularity; r++)
        slots[8 * task + r] = rowOfSum[places[firstPlace + first + r]];
    }
  }
  return slots;
}

/** The fields of a task's last word. `first`: its first row among the rows of its workgroup's tasks. */
function taskOf(word: number): {
  readonly columnsPerLane: number;
  readonly granularity: number;
  readonly first: number;
} {
  return { columnsPerLane: word & 0x3fff, granularity: 1 << ((word >>> 14) & 3), first: word >>> 16 };
}

/**
 * Distributes the blocks of each workgroup over its subgroups: the most costly first, each to the subgroup that has least
 * work so far. Within a subgroup, blocks of more rows come first, and of these the most costly.
 */
function subgroupBlocks(
  e: EcCsrEncoded,
  work: BlockWork,
  owners: Uint32Array,
  { workgroups, subgroups }: Pick<SubgroupCounts, 'workgroups' | 'subgroups'>,
): SubgroupBlocks {
  const { workgroups: workgroupsOf, starts: workgroupsAt } = workgroupsOfBlocks(work, owners);
  // By workgroup and subgroup: the cost of its blocks so far.
  const load = Array.from({ length: workgroups }, () => new Float64Array(subgroups));
  // By position in `workgroupsOf`: the subgroup, counted over all workgroups, that computes the block.
  const subgroupOf = new Uint32Array(workgroupsOf.length);
  const at = new Uint32Array(workgroups * subgroups + 1);
  const mostCostlyFirst = byCost(work.cost);
  for (const block of mostCostlyFirst) {
    for (let i = workgroupsAt[block]; i < workgroupsAt[block + 1]; i++) {
      const w = workgroupsOf[i];
      const subgroup = indexOfSmallest(load[w]);
      load[w][subgroup] += work.cost[block];
      subgroupOf[i] = w * subgroups + subgroup;
      at[subgroupOf[i] + 1]++;
    }
  }
  for (let s = 1; s < at.length; s++) at[s] += at[s - 1];
  const next = at.slice();
  const blocks = new Uint32Array(workgroupsAt[work.count]);
  for (const granularity of [...new Set(infosOfSets(e).map((set) => set.granularity))].toSorted((a, b) => b - a)) {
    for (const block of mostCostlyFirst) {
      if (work.rowsAt[block + 1] - work.rowsAt[block] !== granularity) continue;
      for (let i = workgroupsAt[block]; i < workgroupsAt[block + 1]; i++) blocks[next[subgroupOf[i]]++] = block;
    }
  }
  return { blocks, at };
}

/** The record of a task. `columns`: of its block; `first`: how many rows the earlier tasks of its workgroup have. */
function taskWords(
  e: EcCsrEncoded,
  { granularity, blockPtrAt, baseIndicesAt, deltaWordAt, valuesAt }: SetInfo,
  block: number,
  columns: number,
  first: number,
): readonly number[] {
  const start = e.blockPtr[blockPtrAt + block];
  const columnsPerLane = columns / e.lanes;
  const granularityBits = Math.log2(granularity);
  return [
    deltaWordAt + (start * e.deltaBits) / 32,
    (valuesAt + granularity * start) / 4,
    baseIndicesAt + e.lanes * block,
    columnsPerLane | (granularityBits << 14) | (first << 16),
  ];
}
