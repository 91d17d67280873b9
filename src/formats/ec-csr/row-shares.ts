import { indexOfSmallest, largest } from '../../core/number/statistics.ts';
import { type EcCsrEncoded, type SetInfo, infosOfSets } from './layout.ts';
import { type BlockWork, blockWork, byCost, ownersOfBlocks, rowOwners, rowsByGroup } from './row-owners.ts';

/** How many workgroups and shares compute the blocks (rows with the same columns), and the cost of a block. */
export interface ShareCounts {
  readonly workgroups: number;
  /** shares of a workgroup's blocks, one for each of its subgroups */
  readonly shares: number;
  /** overhead of a block, as if it were bytes: its start, its sums and their positions */
  readonly blockCost: number;
}

/** Rows and tasks (blocks to compute) of every workgroup, for the kernels ec-csr/spmv_staged and spmv_owned_rows. */
export interface RowShares {
  /** workgroups, then their tasks, then their rows, as shaders/ec-csr/spmv_staged.wgsl reads them */
  readonly lists: Uint32Array;
  /** for every row of every task: where its sum goes in the memory of the workgroup */
  readonly places: Uint32Array;
  /** maximum number of tasks of a share, at least 1 */
  readonly tasks: number;
  /** maximum number of task rows of a workgroup */
  readonly taskRows: number;
  /** maximum number of rows of a workgroup */
  readonly rows: number;
  /** maximum number of slots for sums in a workgroup: its sums, and one slot for all rows of other workgroups */
  readonly sums: number;
}

/** Words of every entry of the lists: a workgroup, a task, a row. */
const WORDS = 4;

const cache = new WeakMap<Uint32Array, Map<string, RowShares>>();

/** Divides rows among workgroups; each computes all blocks with any of its rows. Cached; as slow as `rowOwners`. */
export function rowShares(e: EcCsrEncoded, counts: ShareCounts): RowShares {
  const key = `${counts.workgroups} ${counts.shares} ${counts.blockCost}`;
  const ofMatrix = cache.get(e.rowIndices) ?? new Map<string, RowShares>();
  cache.set(e.rowIndices, ofMatrix);
  const shares = ofMatrix.get(key) ?? makeShares(e, counts);
  ofMatrix.set(key, shares);
  return shares;
}

/** The blocks of every share: share i has the blocks from at[i] up to at[i + 1]. */
interface ShareBlocks {
  readonly blocks: Uint32Array;
  readonly at: Uint32Array;
}

function makeShares(e: EcCsrEncoded, { workgroups, shares, blockCost }: ShareCounts): RowShares {
  const work = blockWork(e, blockCost);
  const owners = rowOwners(e.rows, work, workgroups);
  const tasksOfShares = shareBlocks(e, work, owners, { workgroups, shares });
  const tasks = Math.max(1, largest(tasksOfShares.at.subarray(1).map((end, i) => end - tasksOfShares.at[i])));
  const { rows: byOwner, at: rowsAt } = rowsByGroup(owners, workgroups);

  // Lanes without a row may read the entry after the last row.
  const lists = new Uint32Array(WORDS * (workgroups * (1 + shares * tasks) + e.rows + 1));
  const sumsOf = new Uint32Array(e.rows);
  for (const row of e.rowIndices) sumsOf[row]++;
  // By row: the position of its next sum in the memory of its workgroup.
  const nextSum = new Uint32Array(e.rows);
  const max = { rows: 0, sums: 0 };
  let at = WORDS * workgroups * (1 + shares * tasks);
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
    max.rows = Math.max(max.rows, rowsAt[w + 1] - rowsAt[w]);
    max.sums = Math.max(max.sums, sums);
  }

  const infos = infosOfSets(e);
  const slotCount = tasksOfShares.blocks.reduce((sum, t) => sum + work.rowsAt[t + 1] - work.rowsAt[t], 0);
  const positions = new Uint32Array(slotCount);
  let taskRows = 0;
  let position = 0;
  for (let w = 0; w < workgroups; w++) {
    const positionsAt = position;
    lists[WORDS * w] = positionsAt;
    for (let s = w * shares; s < (w + 1) * shares; s++) {
      for (let i = tasksOfShares.at[s]; i < tasksOfShares.at[s + 1]; i++) {
        const t = tasksOfShares.blocks[i];
        const words = taskWords(e, infos[work.set[t]], work.indexInSet[t], work.columns[t], position - positionsAt);
        lists.set(words, WORDS * (workgroups + s * tasks + i - tasksOfShares.at[s]));
        for (let r = work.rowsAt[t]; r < work.rowsAt[t + 1]; r++) {
          const row = work.rows[r];
          positions[position++] = owners[row] === w ? nextSum[row]++ : max.sums;
        }
      }
    }
    taskRows = Math.max(taskRows, position - positionsAt);
  }
  return { lists, places: positions, tasks, taskRows, rows: max.rows, sums: max.sums + 1 };
}

/** Represents a row of another workgroup instead of a row number; a workgroup has fewer rows than this. */
export const NO_SLOT = 255;

/** Eight bytes per task: for each row of its block, the row's number in the workgroup, or NO_SLOT. O(tasks). */
export function rowSlots(
  { lists, places, tasks, sums }: RowShares,
  { workgroups, shares }: ShareCounts,
): Uint8Array<ArrayBuffer> {
  const ofWorkgroup = shares * tasks;
  const slots = new Uint8Array(8 * workgroups * ofWorkgroup);
  const slotOf = new Uint8Array(sums);
  for (let w = 0; w < workgroups; w++) {
    const [positionsAt, rowsAt, rows] = lists.subarray(WORDS * w, WORDS * (w + 1));
    slotOf.fill(NO_SLOT);
    for (let r = 0; r < rows; r++) {
      const [, begin, end] = lists.subarray(WORDS * (rowsAt + r), WORDS * (rowsAt + r + 1));
      slotOf.fill(r, begin, end);
    }
    for (let t = w * ofWorkgroup; t < (w + 1) * ofWorkgroup; t++) {
      const { columns, granularity, first } = taskOf(lists[WORDS * (workgroups + t) + 3]);
      for (let r = 0; columns > 0 && r < granularity; r++) slots[8 * t + r] = slotOf[places[positionsAt + first + r]];
    }
  }
  return slots;
}

/** The fields of a task's last word. */
function taskOf(word: number): { readonly columns: number; readonly granularity: number; readonly first: number } {
  return { columns: word & 0x3fff, granularity: 1 << ((word >>> 14) & 3), first: word >>> 16 };
}

/**
 * Distributes each workgroup's blocks over its shares: the most costly first, each to the share that has least so far.
 * Within a share, only which block comes first matters: blocks of more rows, the most costly first.
 */
function shareBlocks(
  e: EcCsrEncoded,
  work: BlockWork,
  owners: Uint32Array,
  { workgroups, shares }: Pick<ShareCounts, 'workgroups' | 'shares'>,
): ShareBlocks {
  const { holders, at: ownersAt } = ownersOfBlocks(work, owners);
  const load = Array.from({ length: workgroups }, () => new Float64Array(shares));
  const shareOf = new Uint32Array(holders.length);
  const at = new Uint32Array(workgroups * shares + 1);
  const ordered = byCost(work.cost);
  for (const t of ordered) {
    for (let i = ownersAt[t]; i < ownersAt[t + 1]; i++) {
      const share = indexOfSmallest(load[holders[i]]);
      load[holders[i]][share] += work.cost[t];
      shareOf[i] = holders[i] * shares + share;
      at[shareOf[i] + 1]++;
    }
  }
  for (let s = 1; s < at.length; s++) at[s] += at[s - 1];
  const next = at.slice();
  const blocks = new Uint32Array(ownersAt[work.count]);
  for (const granularity of [...new Set(infosOfSets(e).map((set) => set.granularity))].toSorted((a, b) => b - a)) {
    for (const t of ordered) {
      if (work.rowsAt[t + 1] - work.rowsAt[t] !== granularity) continue;
      for (let i = ownersAt[t]; i < ownersAt[t + 1]; i++) blocks[next[shareOf[i]]++] = t;
    }
  }
  return { blocks, at };
}

/** A task as shaders/ec-csr/task_rows.wgsl reads it; `first` counts the rows of earlier tasks in its workgroup. */
function taskWords(
  e: EcCsrEncoded,
  { granularity, blockPtrAt, baseIndicesAt, deltaWordAt, valuesAt }: SetInfo,
  block: number,
  columns: number,
  first: number,
): readonly number[] {
  const start = e.blockPtr[blockPtrAt + block];
  const kind = Math.log2(granularity);
  return [
    deltaWordAt + (start * e.deltaBits) / 32,
    (valuesAt + granularity * start) / 4,
    baseIndicesAt + e.lanes * block,
    (columns / e.lanes) | (kind << 14) | (first << 16),
  ];
}
