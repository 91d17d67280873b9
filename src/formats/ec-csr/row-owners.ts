import { indexOfSmallest, largest } from '../../core/number/statistics.ts';
import { type EcCsrEncoded, infosOfSets } from './layout.ts';

// Divides the rows of an EC-CSR matrix among workgroups, so that all have about as much work. A block is G rows (its
// granularity) that share all their columns; a set contains the blocks of one granularity.

/** The blocks of all sets as pieces of work, numbered from one set on to the next, as in the arrays. */
export interface BlockWork {
  readonly count: number;
  /** of each block: the number of its set, and its own within the set */
  readonly set: Uint32Array;
  readonly indexInSet: Uint32Array;
  /** matrix rows of all blocks; block b has the rows from rowsAt[b] up to rowsAt[b + 1] */
  readonly rows: Uint32Array;
  readonly rowsAt: Uint32Array;
  /** columns of each block, padding included */
  readonly columns: Uint32Array;
  /** bytes of each block, or an equivalent amount of time */
  readonly cost: Float64Array;
}

/** The blocks of a matrix as work; `blockCost`: overhead of a block, in bytes. O(blocks). */
export function blockWork(e: EcCsrEncoded, blockCost: number): BlockWork {
  const sets = infosOfSets(e);
  const count = sets.reduce((sum, { blocks }) => sum + blocks, 0);
  const work = {
    count,
    set: new Uint32Array(count),
    indexInSet: new Uint32Array(count),
    rows: e.rowIndices,
    rowsAt: new Uint32Array(count + 1),
    columns: new Uint32Array(count),
    cost: new Float64Array(count),
  };
  let block = 0;
  for (const [s, { granularity, blocks, rowIndicesAt, blockPtrAt }] of sets.entries()) {
    const bytesPerColumn = granularity * e.values.BYTES_PER_ELEMENT + e.deltaBits / 8;
    for (let inSet = 0; inSet < blocks; inSet++) {
      work.set[block] = s;
      work.indexInSet[block] = inSet;
      work.columns[block] = e.blockPtr[blockPtrAt + inSet + 1] - e.blockPtr[blockPtrAt + inSet];
      work.cost[block] = blockCost + work.columns[block] * bytesPerColumn;
      // The rows of a set follow the rows of the set before.
      work.rowsAt[++block] = rowIndicesAt + (inSet + 1) * granularity;
    }
  }
  return work;
}

/** The indices of `cost` by descending cost, of equals the lowest first. */
export function byCost(cost: Float64Array): Uint32Array {
  return numbers(cost.length).sort((a, b) => cost[b] - cost[a] || a - b);
}

/** Numbers from 0 to count - 1. */
function numbers(count: number): Uint32Array {
  const list = new Uint32Array(count);
  for (let i = 0; i < count; i++) list[i] = i;
  return list;
}

/** Rows by their group, ascending in each: group g has the rows from at[g] up to at[g + 1]. O(rows + groups). */
export function rowsByGroup(groupOf: Uint32Array, groups: number): Readonly<Record<'rows' | 'at', Uint32Array>> {
  const at = new Uint32Array(groups + 1);
  for (const group of groupOf) at[group + 1]++;
  for (let g = 0; g < groups; g++) at[g + 1] += at[g];
  const next = at.slice();
  const rows = new Uint32Array(groupOf.length);
  for (let row = 0; row < groupOf.length; row++) rows[next[groupOf[row]]++] = row;
  return { rows, at };
}

/** The workgroups that own any row of each block: for block b from at[b] up to at[b + 1]. O(rows of blocks). */
export function ownersOfBlocks({ count, rows, rowsAt }: BlockWork, owners: Uint32Array) {
  const holders = new Uint32Array(rows.length);
  const at = new Uint32Array(count + 1);
  let end = 0;
  for (let block = 0; block < count; block++) {
    for (let i = rowsAt[block]; i < rowsAt[block + 1]; i++) {
      const owner = owners[rows[i]];
      if (!has(holders, at[block], end, owner)) holders[end++] = owner;
    }
    at[block + 1] = end;
  }
  return { holders, at };
}

/** Whether a value is among those from `from` to before `to`. */
function has(values: Uint32Array, from: number, to: number, value: number): boolean {
  for (let i = from; i < to; i++) if (values[i] === value) return true;
  return false;
}

/** The rows with their work, and which of them share blocks. */
interface RowGraph {
  /** of each row: its part of the work, if the cost of every block is divided equally among the block's rows */
  readonly cost: Float64Array;
  /** blocks of row r, from blocksAt[r] up to blocksAt[r + 1] */
  readonly blocks: Uint32Array;
  readonly blocksAt: Uint32Array;
  readonly pairs: Pairs;
}

/** Pairs of rows that share blocks, those that share most work first. */
interface Pairs {
  readonly row: Uint32Array;
  readonly other: Uint32Array;
  readonly order: Uint32Array;
}

/** The graph of the rows of a matrix. O(rows of blocks), plus the time of `pairsOf`. */
function graphOf(rowCount: number, work: BlockWork): RowGraph {
  const { count, rows, rowsAt } = work;
  const cost = new Float64Array(rowCount);
  const blocksAt = new Uint32Array(rowCount + 1);
  for (const row of rows) blocksAt[row + 1]++;
  for (let r = 0; r < rowCount; r++) blocksAt[r + 1] += blocksAt[r];
  const next = blocksAt.slice();
  const blocks = new Uint32Array(rows.length);
  for (let block = 0; block < count; block++) {
    const part = work.cost[block] / (rowsAt[block + 1] - rowsAt[block]);
    for (let i = rowsAt[block]; i < rowsAt[block + 1]; i++) {
      cost[rows[i]] += part;
      blocks[next[rows[i]]++] = block;
    }
  }
  return { cost, blocks, blocksAt, pairs: pairsOf(work, blocks, blocksAt) };
}

/** All pairs of rows that share blocks. O(rows of blocks times rows of a block), and sorting the pairs. */
function pairsOf({ rows, rowsAt, cost }: BlockWork, blocks: Uint32Array, blocksAt: Uint32Array): Pairs {
  let max = 0;
  for (let block = 0; block + 1 < rowsAt.length; block++) {
    const granularity = rowsAt[block + 1] - rowsAt[block];
    max += (granularity * (granularity - 1)) / 2;
  }
  const row = new Uint32Array(max);
  const other = new Uint32Array(max);
  const shared = new Float64Array(max);
  // By other row: index of its pair with row r, plus 1; at most `first` if there is none yet.
  const pairOf = new Uint32Array(blocksAt.length);
  let pairs = 0;
  for (let r = 0; r + 1 < blocksAt.length; r++) {
    const first = pairs;
    for (let i = blocksAt[r]; i < blocksAt[r + 1]; i++) {
      const block = blocks[i];
      for (let j = rowsAt[block]; j < rowsAt[block + 1]; j++) {
        const o = rows[j];
        if (o <= r) continue;
        if (pairOf[o] <= first) {
          row[pairs] = r;
          other[pairs] = o;
          pairOf[o] = ++pairs;
        }
        shared[pairOf[o] - 1] += cost[block];
      }
    }
  }
  return { row, other, order: byCost(shared.subarray(0, pairs)) };
}

/** Merges rows that share the most into clusters of up to `max` work. Returns the first row of its cluster for each row. */
function clustersOf({ cost, pairs }: RowGraph, max: number): Uint32Array {
  const parent = numbers(cost.length);
  const work = cost.slice();
  const find = (row: number): number => {
    let at = row;
    while (parent[at] !== at) at = parent[at] = parent[parent[at]];
    return at;
  };
  for (const pair of pairs.order) {
    const a = find(pairs.row[pair]);
    const b = find(pairs.other[pair]);
    if (a === b || work[a] + work[b] > max) continue;
    parent[b] = a;
    work[a] += work[b];
  }
  const first = new Uint32Array(parent.length).fill(parent.length);
  return parent.map((_, row) => {
    const root = find(row);
    return (first[root] = Math.min(first[root], row));
  });
}

/** Finds the smallest of changing values, of equals the first. O(log values) per change. */
class MinTree {
  readonly #values: Float64Array;
  /** binary tree: node 1 is the root, 2n and 2n + 1 are the children of n; each is the index of the smallest below */
  readonly #winners: Uint32Array;

  constructor(values: Float64Array) {
    this.#values = values;
    const leaves = 2 ** Math.ceil(Math.log2(Math.max(1, values.length)));
    this.#winners = new Uint32Array(2 * leaves);
    for (let i = 0; i < leaves; i++) this.#winners[leaves + i] = i; // beyond the values: never smaller
    for (let node = leaves - 1; node > 0; node--) this.#play(node);
  }

  /** the index of the smallest value */
  get index(): number {
    return this.#winners[1];
  }

  /** to be called when the value at `index` has changed */
  changed(index: number): void {
    for (let node = (this.#winners.length / 2 + index) >> 1; node > 0; node >>= 1) this.#play(node);
  }

  #play(node: number): void {
    const [a, b] = [this.#winners[2 * node], this.#winners[2 * node + 1]];
    this.#winners[node] = b < this.#values.length && this.#values[b] < this.#values[a] ? b : a;
  }
}

/** The workgroup of each row: clusters, the largest first, go to the workgroup that then has least work. */
function assignClusters(
  { cost, blocks, blocksAt }: RowGraph,
  all: BlockWork,
  clusters: Uint32Array,
  workgroups: number,
): Uint32Array {
  const rowCount = cost.length;
  const { rows: clusterRows, at: clusterRowsAt } = rowsByGroup(clusters, rowCount);
  const work = new Float64Array(rowCount);
  for (let r = 0; r < rowCount; r++) work[clusters[r]] += cost[r];

  // The work of each workgroup so far.
  const load = new Float64Array(workgroups);
  const min = new MinTree(load);
  // How much of the cluster's work each workgroup has already, and the workgroups that have any of it.
  const alreadyIn = new Float64Array(workgroups);
  const holdersOfAny: number[] = [];
  const owners = new Uint32Array(rowCount);
  // The workgroups that have block b so far, from all.rowsAt[b] on, and how many they are.
  const holders = new Uint32Array(all.rows.length);
  const holderCount = new Uint32Array(all.count);
  // By block: the cluster that met it last, plus 1.
  const lastCluster = new Uint32Array(all.count);
  const clusterBlocks = new Uint32Array(all.count);
  for (const cluster of byCost(work)) {
    let blockCount = 0;
    let added = 0;
    for (let i = clusterRowsAt[cluster]; i < clusterRowsAt[cluster + 1]; i++) {
      const row = clusterRows[i];
      for (let j = blocksAt[row]; j < blocksAt[row + 1]; j++) {
        const block = blocks[j];
        if (lastCluster[block] === cluster + 1) continue;
        lastCluster[block] = cluster + 1;
        clusterBlocks[blockCount++] = block;
        added += all.cost[block];
        for (let h = all.rowsAt[block]; h < all.rowsAt[block] + holderCount[block]; h++) {
          if (alreadyIn[holders[h]] === 0) holdersOfAny.push(holders[h]);
          alreadyIn[holders[h]] += all.cost[block];
        }
      }
    }
    if (blockCount === 0) continue;
    let best = min.index;
    for (const w of holdersOfAny) {
      const difference = load[w] - alreadyIn[w] - (load[best] - alreadyIn[best]);
      if (difference < 0 || (difference === 0 && w < best)) best = w;
    }
    load[best] += added - alreadyIn[best];
    min.changed(best);
    for (const w of holdersOfAny) alreadyIn[w] = 0;
    holdersOfAny.length = 0;
    for (let i = clusterRowsAt[cluster]; i < clusterRowsAt[cluster + 1]; i++) owners[clusterRows[i]] = best;
    for (let i = 0; i < blockCount; i++) {
      const at = all.rowsAt[clusterBlocks[i]];
      if (!has(holders, at, at + holderCount[clusterBlocks[i]], best))
        holders[at + holderCount[clusterBlocks[i]]++] = best;
    }
  }
  // Rows without a block are no work, but their outputs still have to be written.
  return owners.map((owner, row) => (blocksAt[row] === blocksAt[row + 1] ? row % workgroups : owner));
}

function maxWork(work: BlockWork, owners: Uint32Array, workgroups: number): number {
  const { holders, at } = ownersOfBlocks(work, owners);
  const load = new Float64Array(workgroups);
  for (let block = 0; block < work.count; block++)
    for (let i = at[block]; i < at[block + 1]; i++) load[holders[i]] += work.cost[block];
  return largest(load);
}

/** Largest work of a cluster, as a multiple of the mean work of a workgroup. Above 1, it can fill a workgroup alone. */
const CLUSTER_LIMITS = [0.15, 0.3, 0.6, 1.1, 1.4];

/**
 * Assigns a workgroup to every row, so that all have about as much work. A block with rows of several workgroups is
 * work for each of them, so rows that share blocks are kept together as far as possible. Tries a few sizes of clusters
 * and returns the result whose busiest workgroup has least work. O(P log P + rows log rows + workgroups), with up to
 * P = blocks * G^2 pairs of rows that share a block of G rows.
 */
export function rowOwners(rows: number, work: BlockWork, workgroups: number): Uint32Array {
  const graph = graphOf(rows, work);
  const meanWork = graph.cost.reduce((a, b) => a + b, 0) / workgroups;
  // If no rows share a block, every cluster is a single row, for every limit.
  const limits = graph.pairs.order.length === 0 ? CLUSTER_LIMITS.slice(0, 1) : CLUSTER_LIMITS;
  const trials = limits.map((limit) => assignClusters(graph, work, clustersOf(graph, limit * meanWork), workgroups));
  return trials[indexOfSmallest(trials.map((owners) => maxWork(work, owners, workgroups)))];
}
