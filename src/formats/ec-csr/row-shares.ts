import { largest } from '../../core/number/statistics.ts';
import type { EcCsrEncoded } from './layout.ts';
import { type BlockTask, blockTasks, evenly, rowOwners, tasksByOwner } from './row-owners.ts';

/** Who computes. */
export interface ShareCounts {
  readonly workgroups: number;
  /** shares of a workgroup, one for each of its subgroups */
  readonly shares: number;
  /** what a block takes beside its bytes, as bytes: starting on it, its sums and their places */
  readonly blockCost: number;
}

/** Rows and blocks as ec-csr/spmv_staged shares them out. */
export interface RowShares {
  /** the lists of shaders/ec-csr/spmv_staged.wgsl, one behind the other */
  readonly lists: Uint32Array;
  /** where the sum of every row of every task goes in the memory of its workgroup */
  readonly places: Uint32Array;
  /** tasks of the share that has most, at least 1 */
  readonly tasks: number;
  /** rows of the tasks of the workgroup that has most */
  readonly taskRows: number;
  /** rows of the workgroup that has most */
  readonly rows: number;
  /** places for sums of the workgroup that has most: its sums, and one for all rows of others */
  readonly sums: number;
}

/** Words of every entry of the lists: a workgroup, a task, a row. */
const WORDS = 4;

const known = new WeakMap<Uint32Array, Map<string, RowShares>>();

/**
 * Each workgroup has rows of its own and computes all blocks that have any of them. Made once per matrix and counts, in
 * about the time that `rowOwners` takes.
 */
export function rowShares(e: EcCsrEncoded, counts: ShareCounts): RowShares {
  const key = `${counts.workgroups} ${counts.shares} ${counts.blockCost}`;
  const made = known.get(e.rowIndices) ?? new Map<string, RowShares>();
  known.set(e.rowIndices, made);
  const found = made.get(key) ?? makeShares(e, counts);
  made.set(key, found);
  return found;
}

/** What one workgroup has: rows, with where their sums begin and end, and the tasks of each share. */
interface Part {
  readonly rows: readonly (readonly [row: number, begin: number, end: number])[];
  readonly shares: readonly (readonly BlockTask[])[];
  readonly sums: number;
}

function makeShares(e: EcCsrEncoded, { workgroups, shares, blockCost }: ShareCounts): RowShares {
  const all = blockTasks(e, blockCost);
  const owners = rowOwners(e.rows, all, workgroups);
  const sumsOf = new Uint32Array(e.rows);
  for (const row of e.rowIndices) sumsOf[row]++;
  const rowsOf = Array.from({ length: workgroups }, (): number[] => []);
  for (const [row, w] of owners.entries()) rowsOf[w].push(row);
  const parts = tasksByOwner(all, owners, workgroups).map((own, w): Part => {
    let sums = 0;
    const rows = rowsOf[w].map((row) => [row, sums, (sums += sumsOf[row])] as const);
    return { rows, shares: evenly(own, shares), sums };
  });
  const tasks = Math.max(1, largest(parts.flatMap((part) => part.shares.map((share) => share.length))));
  const sums = 1 + largest(parts.map((part) => part.sums));

  // Past the last row stands one more entry, which lanes without a row may read.
  const lists = new Uint32Array(WORDS * (workgroups * (1 + shares * tasks) + e.rows + 1));
  const places: number[] = [];
  let taskRows = 0;
  let rowAt = workgroups * (1 + shares * tasks);
  for (const [w, part] of parts.entries()) {
    const placesAt = places.length;
    lists.set([placesAt, rowAt, part.rows.length], WORDS * w);
    const next = new Map(part.rows.map(([row, begin]) => [row, begin]));
    for (const [s, share] of part.shares.entries()) {
      // The order of a share decides nothing but which of its blocks comes first: those of more rows, the longest first.
      const ordered = share.toSorted((a, b) => b.set.granularity - a.set.granularity || b.cost - a.cost);
      for (const [t, task] of ordered.entries()) {
        const at = workgroups + (w * shares + s) * tasks + t;
        lists.set(taskWords(e, task, places.length - placesAt), WORDS * at);
        for (const row of task.rows) {
          const place = next.get(row);
          places.push(place ?? sums - 1);
          if (place !== undefined) next.set(row, place + 1);
        }
      }
    }
    for (const row of part.rows) lists.set(row, WORDS * rowAt++);
    taskRows = Math.max(taskRows, places.length - placesAt);
  }
  const rows = largest(parts.map((part) => part.rows.length));
  return { lists, places: Uint32Array.from(places), tasks, taskRows, rows, sums };
}

/** A task as shaders/ec-csr/task_rows.wgsl reads it; `first` counts the rows of the tasks before it in its workgroup. */
function taskWords(e: EcCsrEncoded, { set, block, columns }: BlockTask, first: number): readonly number[] {
  const { granularity, blockPtrAt, baseIndicesAt, deltaWordAt, valuesAt } = set;
  const start = e.blockPtr[blockPtrAt + block];
  const kind = Math.log2(granularity);
  return [
    deltaWordAt + (start * e.deltaBits) / 32,
    (valuesAt + granularity * start) / 4,
    baseIndicesAt + e.lanes * block,
    (columns / e.lanes) | (kind << 14) | (first << 16),
  ];
}
