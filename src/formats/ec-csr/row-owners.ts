import { indexOfSmallest, largest } from '../../core/number/statistics.ts';
import { type BlockWork, byCost, isWithin, numbers, rowsByGroup, workgroupsOfBlocks } from './block-work.ts';

// Divides the rows of an EC-CSR matrix among workgroups, so that all have about as much work. The workgroup that owns a row
// computes every block with this row. So a block whose rows have several owners is computed several times, and rows that
// share blocks are first merged into clusters, which are assigned as a whole.

/** The rows as nodes of a graph: the work of each row, and which rows share blocks. */
interface RowGraph {
  /** of each row: its share of the work, if the cost of every block is divided equally among the block's rows */
  readonly cost: Float64Array;
  /** blocks of row r, from blocksAt[r] up to blocksAt[r + 1] */
  readonly blocks: Uint32Array;
  readonly blocksAt: Uint32Array;
  readonly pairs: Pairs;
}

/** Pairs of rows that share blocks. */
interface Pairs {
  /** of each pair: its two rows */
  readonly row: Uint32Array;
  readonly partner: Uint32Array;
  /** numbers of all pairs, those that share most work first */
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
    const share = work.cost[block] / (rowsAt[block + 1] - rowsAt[block]);
    for (let i = rowsAt[block]; i < rowsAt[block + 1]; i++) {
      cost[rows[i]] += share;
      blocks[next[rows[i]]++] = block;
    }
  }
  return { cost, blocks, blocksAt, pairs: pairsOf(work, blocks, blocksAt) };
}

/** All pairs of rows that share blocks. O(rows of blocks times rows of a block), and sorting the pairs. */
function pairsOf({ rows, rowsAt, cost }: BlockWork, blocks: Uint32Array, blocksAt: Uint32Array): Pairs {
  let maxPairs = 0; // if no pair shared several blocks
  for (let block = 0; block + 1 < rowsAt.length; block++) {
    const granularity = rowsAt[block + 1] - rowsAt[block];
    maxPairs += (granularity * (granularity - 1)) / 2;
  }
  const row = new Uint32Array(maxPairs);
  const partner = new Uint32Array(maxPairs);
  const sharedCost = new Float64Array(maxPairs);
  // By partner row: number of its pair with row r, plus 1; at most `firstPair` if there is none yet.
  const pairOf = new Uint32Array(blocksAt.length);
  let pairs = 0;
  for (let r = 0; r + 1 < blocksAt.length; r++) {
    const firstPair = pairs;
    for (let i = blocksAt[r]; i < blocksAt[r + 1]; i++) {
      const block = blocks[i];
      for (let j = rowsAt[block]; j < rowsAt[block + 1]; j++) {
        const partnerRow = rows[j];
        if (partnerRow <= r) continue;
        if (pairOf[partnerRow] <= firstPair) {
          row[pairs] = r;
          partner[pairs] = partnerRow;
          pairOf[partnerRow] = ++pairs;
        }
        sharedCost[pairOf[partnerRow] - 1] += cost[block];
      }
    }
  }
  return { row, partner, order: byCost(sharedCost.subarray(0, pairs)) };
}

/**
 * Merges rows that share most work into clusters of up to `maxWork`, with a union-find structure. Returns for each row the
 * first row of its cluster, which stands for the cluster.
 */
function clustersOf({ cost, pairs }: RowGraph, maxWork: number): Uint32Array {
  const parent = numbers(cost.length);
  const work = cost.slice();
  const rootOf = (row: number): number => {
    let node = row;
    while (parent[node] !== node) node = parent[node] = parent[parent[node]]; // halves the path for later calls
    return node;
  };
  for (const pair of pairs.order) {
    const a = rootOf(pairs.row[pair]);
    const b = rootOf(pairs.partner[pair]);
    if (a === b || work[a] + work[b] > maxWork) continue;
    parent[b] = a;
    work[a] += work[b];
  }
  const firstRow = new Uint32Array(parent.length).fill(parent.length);
  return parent.map((_, row) => {
    const root = rootOf(row);
    return (firstRow[root] = Math.min(firstRow[root], row));
  });
}

/** Finds the smallest of changing values; ties: the first. A tournament tree: O(log values) per change. */
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

/**
 * The work of every workgroup while clusters of rows are assigned to them. A cluster adds to the work of its workgroup only
 * the blocks that the workgroup does not compute yet for other clusters.
 */
class WorkgroupLoads {
  readonly #work: BlockWork;
  /** by workgroup: the cost of all blocks that it computes */
  readonly #load: Float64Array;
  readonly #leastLoad: MinTree;
  /** by workgroup: the cost of the blocks to be assigned that it computes already; 0 for all between calls */
  readonly #alreadyComputed: Float64Array;
  /** the workgroups that compute block b, from index work.rowsAt[b] on, and their number */
  readonly #workgroups: Uint32Array;
  readonly #workgroupCount: Uint32Array;

  constructor(work: BlockWork, workgroups: number) {
    this.#work = work;
    this.#load = new Float64Array(workgroups);
    this.#leastLoad = new MinTree(this.#load);
    this.#alreadyComputed = new Float64Array(workgroups);
    this.#workgroups = new Uint32Array(work.rows.length);
    this.#workgroupCount = new Uint32Array(work.count);
  }

  /** Assigns the blocks of a cluster to the workgroup that then has least work, and returns it. Ties: the first workgroup. */
  assign(blocks: Uint32Array): number {
    const load = this.#load;
    const alreadyComputed = this.#alreadyComputed;
    const { cost, sharing } = this.#measure(blocks);
    let best = this.#leastLoad.index;
    for (const w of sharing) {
      const difference = load[w] - alreadyComputed[w] - (load[best] - alreadyComputed[best]);
      if (difference < 0 || (difference === 0 && w < best)) best = w;
    }
    load[best] += cost - alreadyComputed[best];
    this.#leastLoad.changed(best);
    for (const w of sharing) alreadyComputed[w] = 0;
    for (const block of blocks) this.#addWorkgroup(block, best);
    return best;
  }

  /** Returns the cost of blocks, and the workgroups that compute any of them already; fills `#alreadyComputed`. */
  #measure(blocks: Uint32Array): { readonly cost: number; readonly sharing: readonly number[] } {
    const sharing: number[] = [];
    let cost = 0;
    for (const block of blocks) {
      const blockCost = this.#work.cost[block];
      cost += blockCost;
      const begin = this.#work.rowsAt[block];
      for (let i = begin; i < begin + this.#workgroupCount[block]; i++) {
        const workgroup = this.#workgroups[i];
        if (this.#alreadyComputed[workgroup] === 0) sharing.push(workgroup);
        this.#alreadyComputed[workgroup] += blockCost;
      }
    }
    return { cost, sharing };
  }

  /** Notes that a workgroup computes a block. */
  #addWorkgroup(block: number, workgroup: number): void {
    const begin = this.#work.rowsAt[block];
    const end = begin + this.#workgroupCount[block];
    if (isWithin(this.#workgroups, begin, end, workgroup)) return;
    this.#workgroups[end] = workgroup;
    this.#workgroupCount[block]++;
  }
}

/** Returns a function for the distinct blocks of some rows. Its result is valid until the next call. */
function blockCollector({ blocks, blocksAt }: RowGraph, blockCount: number): (rows: Uint32Array) => Uint32Array {
  const collected = new Uint32Array(blockCount);
  /** by block: the last call that collected it */
  const lastCall = new Uint32Array(blockCount);
  let call = 0;
  return (rows) => {
    call++;
    let count = 0;
    for (const row of rows) {
      for (let i = blocksAt[row]; i < blocksAt[row + 1]; i++) {
        const block = blocks[i];
        if (lastCall[block] === call) continue;
        lastCall[block] = call;
        collected[count++] = block;
      }
    }
    return collected.subarray(0, count);
  };
}

/**
 * Assigns each cluster, the one with most work first, to the workgroup that then has least work. `clusters`: the cluster of
 * each row. Returns the workgroup of each row.
 */
function assignClusters(graph: RowGraph, work: BlockWork, clusters: Uint32Array, workgroups: number): Uint32Array {
  const { cost, blocksAt } = graph;
  const { rows, starts } = rowsByGroup(clusters, cost.length);
  const clusterCost = new Float64Array(cost.length);
  for (let row = 0; row < cost.length; row++) clusterCost[clusters[row]] += cost[row];
  const blocksOfRows = blockCollector(graph, work.count);
  const loads = new WorkgroupLoads(work, workgroups);
  const owners = new Uint32Array(cost.length);
  for (const cluster of byCost(clusterCost)) {
    const clusterRows = rows.subarray(starts[cluster], starts[cluster + 1]);
    const blocks = blocksOfRows(clusterRows);
    if (blocks.length === 0) continue;
    const workgroup = loads.assign(blocks);
    for (const row of clusterRows) owners[row] = workgroup;
  }
  // Rows without a block are no work, but their outputs still have to be written.
  return owners.map((owner, row) => (blocksAt[row] === blocksAt[row + 1] ? row % workgroups : owner));
}

/** The work of the workgroup that has most. */
function maxLoad(work: BlockWork, owners: Uint32Array, workgroupCount: number): number {
  const { workgroups, starts } = workgroupsOfBlocks(work, owners);
  const load = new Float64Array(workgroupCount);
  for (let block = 0; block < work.count; block++)
    for (let i = starts[block]; i < starts[block + 1]; i++) load[workgroups[i]] += work.cost[block];
  return largest(load);
}

/** Largest work of a cluster, as a multiple of the mean work of a workgroup. Above 1, it can fill a workgroup alone. */
const CLUSTER_LIMITS = [0.15, 0.3, 0.6, 1.1, 1.4];

/**
 * Assigns a workgroup to every row, its owner, so that all workgroups have about as much work. Tries a few sizes of clusters
 * and returns the result whose busiest workgroup has least work. O(P log P + rows log rows + workgroups), with up to
 * P = blocks * G^2 pairs of rows that share a block of G rows.
 */
export function rowOwners(rows: number, work: BlockWork, workgroups: number): Uint32Array {
  const graph = graphOf(rows, work);
  const meanWork = graph.cost.reduce((a, b) => a + b, 0) / workgroups;
  // If no rows share a block, every cluster is a single row, for every limit.
  const limits = graph.pairs.order.length === 0 ? CLUSTER_LIMITS.slice(0, 1) : CLUSTER_LIMITS;
  const trials = limits.map((limit) => assignClusters(graph, work, clustersOf(graph, limit * meanWork), workgroups));
  return trials[indexOfSmallest(trials.map((owners) => maxLoad(work, owners, workgroups)))];
}
