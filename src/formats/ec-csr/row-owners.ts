import { indexOfSmallest, largest } from '../../core/number/statistics.ts';
import { type EcCsrEncoded, type SetInfo, setInfos } from './layout.ts';

/** A block as a piece of work. */
export interface BlockTask {
  readonly set: SetInfo;
  /** its number in the set */
  readonly block: number;
  /** matrix rows */
  readonly rows: Uint32Array;
  /** columns, padding included */
  readonly columns: number;
  /** bytes, or what takes as long */
  readonly cost: number;
}

/** Every block, in the order of the arrays; `blockCost` is what it takes beside its bytes, as bytes. O(blocks). */
export function blockTasks(e: EcCsrEncoded, blockCost: number): readonly BlockTask[] {
  return setInfos(e).flatMap((set) => {
    const { granularity, blocks, rowIndicesAt, blockPtrAt } = set;
    return Array.from({ length: blocks }, (_, block): BlockTask => {
      const from = rowIndicesAt + granularity * block;
      const columns = e.blockPtr[blockPtrAt + block + 1] - e.blockPtr[blockPtrAt + block];
      const bytes = columns * (granularity * e.values.BYTES_PER_ELEMENT + e.deltaBits / 8);
      return { set, block, rows: e.rowIndices.subarray(from, from + granularity), columns, cost: blockCost + bytes };
    });
  });
}

/** Items in bins so that the fullest holds little more than the others: the largest first, each to the emptiest. O(items bins). */
export function evenly<T extends { readonly cost: number }>(items: readonly T[], bins: number): T[][] {
  const full = new Float64Array(bins);
  const out = Array.from({ length: bins }, (): T[] => []);
  for (const item of items.toSorted((a, b) => b.cost - a.cost)) {
    let emptiest = 0;
    for (let b = 1; b < bins; b++) if (full[b] < full[emptiest]) emptiest = b;
    out[emptiest].push(item);
    full[emptiest] += item.cost;
  }
  return out;
}

/** The blocks that each workgroup computes: those that have any of its rows. O(rows of blocks). */
export function tasksByOwner(tasks: readonly BlockTask[], owners: Uint32Array, workgroups: number): BlockTask[][] {
  const out = Array.from({ length: workgroups }, (): BlockTask[] => []);
  for (const task of tasks) for (const w of new Set(Array.from(task.rows, (row) => owners[row]))) out[w].push(task);
  return out;
}

/** How much work rows have, and share. */
interface RowGraph {
  /** of each row, its parts of its blocks */
  readonly cost: Float64Array;
  /** by row */
  readonly tasks: readonly (readonly BlockTask[])[];
  /** rows that share blocks, those that share most work first */
  readonly pairs: readonly { readonly row: number; readonly other: number; readonly shared: number }[];
}

function graphOf(rows: number, all: readonly BlockTask[]): RowGraph {
  const cost = new Float64Array(rows);
  const tasks = Array.from({ length: rows }, (): BlockTask[] => []);
  const shared = Array.from({ length: rows }, () => new Map<number, number>());
  for (const task of all) {
    for (const row of task.rows) {
      tasks[row].push(task);
      cost[row] += task.cost / task.rows.length;
      for (const other of task.rows) {
        if (row < other) shared[row].set(other, (shared[row].get(other) ?? 0) + task.cost);
      }
    }
  }
  const pairs = shared.flatMap((others, row) => Array.from(others, ([other, work]) => ({ row, other, shared: work })));
  return { cost, tasks, pairs: pairs.toSorted((a, b) => b.shared - a.shared) };
}

/** Rows that share most are put together, up to `most` work: for every row the first of its cluster. */
function clustersOf({ cost, pairs }: RowGraph, most: number): Uint32Array {
  const parent = Uint32Array.from(cost.keys());
  const work = cost.slice();
  const find = (row: number): number => {
    let at = row;
    while (parent[at] !== at) at = parent[at] = parent[parent[at]];
    return at;
  };
  for (const { row, other } of pairs) {
    const a = find(row);
    const b = find(other);
    if (a === b || work[a] + work[b] > most) continue;
    parent[b] = a;
    work[a] += work[b];
  }
  return parent.map((_, row) => find(row));
}

/** Clusters to workgroups, the largest first, each to the one that then has least work: what it has costs nothing more. */
function shareClusters({ cost, tasks }: RowGraph, clusters: Uint32Array, workgroups: number): Uint32Array {
  const work = new Float64Array(cost.length);
  const own = new Map<number, Set<BlockTask>>();
  for (const [row, cluster] of clusters.entries()) {
    work[cluster] += cost[row];
    const blocks = own.get(cluster) ?? new Set<BlockTask>();
    own.set(cluster, blocks);
    for (const task of tasks[row]) blocks.add(task);
  }
  const full = new Float64Array(workgroups);
  const owners = new Uint32Array(cost.length);
  const has = new Map<BlockTask, Set<number>>();
  for (const [cluster, blocks] of [...own].toSorted(([a], [b]) => work[b] - work[a])) {
    const then = full.slice();
    let all = 0;
    for (const task of blocks) {
      all += task.cost;
      for (const w of has.get(task) ?? []) then[w] -= task.cost;
    }
    let best = 0;
    for (let w = 1; w < workgroups; w++) if (then[w] < then[best]) best = w;
    full[best] = then[best] + all;
    owners[cluster] = best;
    for (const task of blocks) has.set(task, (has.get(task) ?? new Set<number>()).add(best));
  }
  // Rows without a block are no work, and yet somebody has to write them.
  return owners.map((_, row) => (tasks[row].length === 0 ? row % workgroups : owners[clusters[row]]));
}

/** Clusters are at most so large a part of a workgroup's work: large enough for rows that share nearly everything. */
const CLUSTER_PARTS = [0.15, 0.3, 0.6];

/**
 * The workgroup of every row, so that all have about as much work. A block with rows of several workgroups is work for each
 * of them, so rows that share blocks come together where that is possible. Of a few sizes of clusters, the one whose
 * longest workgroup is shortest. O(blocks G^2 log + clusters workgroups), for blocks of G rows.
 */
export function rowOwners(rows: number, tasks: readonly BlockTask[], workgroups: number): Uint32Array {
  const graph = graphOf(rows, tasks);
  const part = graph.cost.reduce((a, b) => a + b, 0) / workgroups;
  const ways = CLUSTER_PARTS.map((share) => shareClusters(graph, clustersOf(graph, share * part), workgroups));
  const longest = ways.map((owners) =>
    largest(tasksByOwner(tasks, owners, workgroups).map((own) => own.reduce((sum, { cost }) => sum + cost, 0))),
  );
  return ways[indexOfSmallest(longest)];
}
