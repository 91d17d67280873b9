import { indexOfSmallest, largest } from '../../core/number/statistics.ts';
import { type EcCsrEncoded, type SetInfo, infosOfSets } from './layout.ts';
import { type BlockWork, blockWork, byCost, ownersOfBlocks, rowOwners, rowsByGroup } from './row-owners.ts';

/** How many workgroups and subgroups compute the blocks (rows with the same columns), and the cost of a block. */
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
   * | row       | row of the matrix              | slot of its first sum  | end of its sums | unused                     |
   */
  readonly lists: Uint32Array;
  /** for every row of every task: the slot of its sum in the memory of the workgroup */
  readonly places: Uint32Array;
  /** tasks of the subgroup that has most, at least 1; the lists of other subgroups are filled with tasks without columns */
  readonly maxTasks: number;
  /** rows of all tasks of the workgroup that has most */
  readonly maxTaskRows: number;
  /** rows of the workgroup that has most */
  readonly maxRows: number;
  /** slots for sums in the workgroup that has most: its sums, and one slot for all rows of other workgroups */
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

function makeAssignment(e: EcCsrEncoded, { workgroups, subgroups, blockCost }: SubgroupCounts): BlockAssignment {
  const work = blockWork(e, blockCost);
  const owners = rowOwners(e.rows, work, workgroups);
  const tasksOfSubgroups = subgroupBlocks(e, work, owners, { workgroups, subgroups });
  const maxTasks = Math.max(1, largest(tasksOfSubgroups.at.subarray(1).map((end, i) => end - tasksOfSubgroups.at[i])));
  const { rows: byOwner, at: rowsAt } = rowsByGroup(owners, workgroups);

  // Records of workgroups and of rows. Lanes without a row may read the record after the last row.
  const lists = new Uint32Array(WORDS * (workgroups * (1 + subgroups * maxTasks) + e.rows + 1));
  const sumsOf = new Uint32Array(e.rows);
  for (const row of e.rowIndices) sumsOf[row]++;
  // By row: the position of its next sum in the memory of its workgroup.
  const nextSum = new Uint32Array(e.rows);
  let maxRows = 0;
  let maxSums = 0;
  let at = WORDS * workgroups * (1 + subgroups * maxTasks);
  for (let w = 0; w < workgroups; w++) {
    lists[WORDS * w + 1] = at / WORDS;
    lists[WORDS * w + 2] = rowsAt[w + 1] - rowsAt[w];
    let sums = 0;
    for (let i = rowsAt[w]; i < rowsAt[w + 1]; i++, at += WORDS) {
      const row = byOwner[i];
      nextSum[row] = sums;
      lists[at] = row;
      lists[at + 1] = sums;
      lists[at + 2] = sums += sumsOf[row];
    }
    maxRows = Math.max(maxRows, rowsAt[w + 1] - rowsAt[w]);
    maxSums = Math.max(maxSums, sums);
  }

  // Records of tasks, and the slots of the sums of their rows.
  const infos = infosOfSets(e);
  const slotCount = tasksOfSubgroups.blocks.reduce((sum, t) => sum + work.rowsAt[t + 1] - work.rowsAt[t], 0);
  const places = new Uint32Array(slotCount);
  let maxTaskRows = 0;
  let position = 0;
  for (let w = 0; w < workgroups; w++) {
    const positionsAt = position;
    lists[WORDS * w] = positionsAt;
    for (let s = w * subgroups; s < (w + 1) * subgroups; s++) {
      for (let i = tasksOfSubgroups.at[s]; i < tasksOfSubgroups.at[s + 1]; i++) {
        const t = tasksOfSubgroups.blocks[i];
        const words = taskWords(e, infos[work.set[t]], work.indexInSet[t], work.columns[t], position - positionsAt);
        lists.set(words, WORDS * (workgroups + s * maxTasks + i - tasksOfSubgroups.at[s]));
        for (let r = work.rowsAt[t]; r < work.rowsAt[t + 1]; r++) {
          const row = work.rows[r];
          places[position++] = owners[row] === w ? nextSum[row]++ : maxSums;
        }
      }
    }
    maxTaskRows = Math.max(maxTaskRows, position - positionsAt);
  }
  return { lists, places, maxTasks, maxTaskRows, maxRows, maxSums: maxSums + 1 };
}

/** Stands for a row of another workgroup instead of a row number; a workgroup has fewer rows than this. */
export const NO_SLOT = 255;

/** Eight bytes per task: for each row of its block, the row's number in the workgroup, or NO_SLOT. O(tasks). */
export function rowSlots(
  { lists, places, maxTasks, maxSums }: BlockAssignment,
  { workgroups, subgroups }: SubgroupCounts,
): Uint8Array<ArrayBuffer> {
  const workgroupTasks = subgroups * maxTasks;
  const slots = new Uint8Array(8 * workgroups * workgroupTasks);
  /** by slot of a sum: the number, in the workgroup, of its row */
  const rowOfSum = new Uint8Array(maxSums);
  for (let w = 0; w < workgroups; w++) {
    const [positionsAt, rowsAt, rows] = lists.subarray(WORDS * w, WORDS * (w + 1));
    rowOfSum.fill(NO_SLOT);
    for (let r = 0; r < rows; r++) {
      const [, begin, end] = lists.subarray(WORDS * (rowsAt + r), WORDS * (rowsAt + r + 1));
      rowOfSum.fill(r, begin, end);
    }
    for (let t = w * workgroupTasks; t < (w + 1) * workgroupTasks; t++) {
      const { columnsPerLane, granularity, first } = taskOf(lists[WORDS * (workgroups + t) + 3]);
      for (let r = 0; columnsPerLane > 0 && r < granularity; r++)
        slots[8 * t + r] = rowOfSum[places[positionsAt + first + r]];
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
 * Distributes each workgroup's blocks over its subgroups: the most costly first, each to the subgroup that has least so far.
 * Within a subgroup, only which block comes first matters: blocks of more rows, the most costly first.
 */
function subgroupBlocks(
  e: EcCsrEncoded,
  work: BlockWork,
  owners: Uint32Array,
  { workgroups, subgroups }: Pick<SubgroupCounts, 'workgroups' | 'subgroups'>,
): SubgroupBlocks {
  const { holders, at: ownersAt } = ownersOfBlocks(work, owners);
  // By workgroup and subgroup: the cost of its blocks so far.
  const load = Array.from({ length: workgroups }, () => new Float64Array(subgroups));
  const subgroupOf = new Uint32Array(holders.length);
  const at = new Uint32Array(workgroups * subgroups + 1);
  const ordered = byCost(work.cost);
  for (const t of ordered) {
    for (let i = ownersAt[t]; i < ownersAt[t + 1]; i++) {
      const subgroup = indexOfSmallest(load[holders[i]]);
      load[holders[i]][subgroup] += work.cost[t];
      subgroupOf[i] = holders[i] * subgroups + subgroup;
      at[subgroupOf[i] + 1]++;
    }
  }
  for (let s = 1; s < at.length; s++) at[s] += at[s - 1];
  const next = at.slice();
  const blocks = new Uint32Array(ownersAt[work.count]);
  for (const granularity of [...new Set(infosOfSets(e).map((set) => set.granularity))].toSorted((a, b) => b - a)) {
    for (const t of ordered) {
      if (work.rowsAt[t + 1] - work.rowsAt[t] !== granularity) continue;
      for (let i = ownersAt[t]; i < ownersAt[t + 1]; i++) blocks[next[subgroupOf[i]]++] = t;
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
  const kind = Math.log2(granularity);
  return [
    deltaWordAt + (start * e.deltaBits) / 32,
    (valuesAt + granularity * start) / 4,
    baseIndicesAt + e.lanes * block,
    columnsPerLane | (kind << 14) | (first << 16),
  ];
}
