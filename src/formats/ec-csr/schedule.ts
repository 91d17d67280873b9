import { type EcCsrEncoded, type SetInfo, setInfos } from './layout.ts';
import { partialSums } from './partial-sums.ts';

/**
 * Blocks dealt out to workgroups, in tasks of eight block rows: one block of 8, two of 4, four of 2 or eight of 1 row.
 * The layout of `words` is told in shaders/ec-csr/tasks.wgsl. Row r of task t, counted over all workgroups, has its
 * sum at places[8 t + r].
 */
export interface Schedule {
  readonly words: Uint32Array;
  readonly places: Uint32Array;
  readonly workgroups: number;
  /** sums of the workgroup that has most */
  readonly mostSums: number;
}

/** As many workgroups as fill the largest GPUs once, with the whole memory of a core for each. */
const WORKGROUPS = 128;
const TASK_ROWS = 8;
/** Place of rows that only fill up a task. */
const NOWHERE = 0xffffffff;

interface BlockRef {
  readonly set: number;
  readonly block: number;
}

const closed = new WeakMap<Uint32Array, Schedule>();
const open = new WeakMap<Uint32Array, Schedule>();

function once(known: WeakMap<Uint32Array, Schedule>, e: EcCsrEncoded, make: () => Schedule): Schedule {
  const found = known.get(e.rowIndices) ?? make();
  known.set(e.rowIndices, found);
  return found;
}

/**
 * Blocks whose rows are the same, directly or through others, go to one workgroup, so that it has all sums of its rows;
 * places are counted within the workgroup. Made once per matrix. O(rows x workgroups + block rows).
 */
export function closedSchedule(e: EcCsrEncoded): Schedule {
  return once(closed, e, () => {
    const infos = setInfos(e);
    const clusterOf = clustersOfRows(e, infos);
    const weights = new Float64Array(e.rows);
    forEachBlock(infos, (ref, rowAt) => {
      weights[clusterOf[e.rowIndices[rowAt]]] += work(e, infos[ref.set], ref.block);
    });
    const workgroupOf = dealOut(clusterOf, weights);
    const blocks = emptyShares(infos.length);
    forEachBlock(infos, (ref, rowAt) => {
      blocks[workgroupOf[clusterOf[e.rowIndices[rowAt]]]][ref.set].push(ref.block);
    });
    const rows: number[][] = Array.from({ length: WORKGROUPS }, () => []);
    clusterOf.forEach((cluster, row) => rows[workgroupOf[cluster]].push(row));
    return layOut(e, infos, blocks, rows);
  });
}

/** Tasks go to workgroups in turn; places are those of partialSums. Made once per matrix. O(block rows). */
export function openSchedule(e: EcCsrEncoded): Schedule {
  return once(open, e, () => {
    const infos = setInfos(e);
    const blocks = emptyShares(infos.length);
    let task = 0;
    for (const [s, { granularity, blocks: count }] of infos.entries()) {
      const perTask = TASK_ROWS / granularity;
      for (let b = 0; b < count; b++) {
        blocks[task % WORKGROUPS][s].push(b);
        if ((b + 1) % perTask === 0 || b === count - 1) task++;
      }
    }
    return layOut(e, infos, blocks, null);
  });
}

const emptyShares = (sets: number): number[][][] =>
  Array.from({ length: WORKGROUPS }, () => Array.from({ length: sets }, () => []));

function forEachBlock(infos: readonly SetInfo[], visit: (ref: BlockRef, rowIndicesAt: number) => void): void {
  for (const [set, { blocks, granularity, rowIndicesAt }] of infos.entries()) {
    for (let block = 0; block < blocks; block++) visit({ set, block }, rowIndicesAt + block * granularity);
  }
}

/** Bytes of values and deltas of a block, of its bases, and what a block costs besides, in the same unit. */
function work(e: EcCsrEncoded, set: SetInfo, block: number): number {
  const columns = e.blockPtr[set.blockPtrAt + block + 1] - e.blockPtr[set.blockPtrAt + block];
  return columns * (set.granularity * (e.valueType === 'f16' ? 2 : 4) + e.deltaBits / 8) + e.lanes * 4;
}

/** Per row the smallest row that it shares blocks with, directly or through others. */
function clustersOfRows(e: EcCsrEncoded, infos: readonly SetInfo[]): Uint32Array {
  const parent = Uint32Array.from({ length: e.rows }, (_, row) => row);
  const rootOf = (row: number): number => {
    let at = row;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  };
  forEachBlock(infos, ({ set }, rowAt) => {
    for (let g = 1; g < infos[set].granularity; g++) {
      const a = rootOf(e.rowIndices[rowAt]);
      const b = rootOf(e.rowIndices[rowAt + g]);
      parent[Math.max(a, b)] = Math.min(a, b);
    }
  });
  return parent.map((_, row) => rootOf(row));
}

/** The workgroup of every cluster: heaviest first, each to the workgroup that has least so far. */
function dealOut(clusterOf: Uint32Array, weights: Float64Array): Uint32Array {
  const heaviestFirst = Array.from(clusterOf.keys())
    .filter((row) => clusterOf[row] === row)
    .toSorted((a, b) => weights[b] - weights[a]);
  const load = new Float64Array(WORKGROUPS);
  const workgroupOf = new Uint32Array(clusterOf.length);
  for (const cluster of heaviestFirst) {
    let least = 0;
    for (let w = 1; w < WORKGROUPS; w++) if (load[w] < load[least]) least = w;
    // Rows without blocks are work as well.
    load[least] += weights[cluster] + 1;
    workgroupOf[cluster] = least;
  }
  return workgroupOf;
}

/** `rows` of each workgroup where it has all their sums, null where sums go to the places of partialSums. */
function layOut(
  e: EcCsrEncoded,
  infos: readonly SetInfo[],
  blocks: readonly (readonly (readonly number[])[])[],
  rows: readonly (readonly number[])[] | null,
): Schedule {
  const heads: number[] = [];
  const records: number[] = [];
  const places: number[] = [];
  const rowEntries: number[] = [];
  const globalPlaces = rows ? null : partialSums(e).places;
  const next = new Uint32Array(e.rows);
  let mostSums = 1;
  for (const [w, ofSets] of blocks.entries()) {
    const firstRecord = records.length / 4;
    const firstPlace = places.length;
    const firstRow = rowEntries.length / 4;
    if (rows) mostSums = Math.max(mostSums, countSums(e, infos, ofSets, rows[w], next, rowEntries));
    const tasks: Record<number, number> = { 8: 0, 4: 0, 2: 0, 1: 0 };
    for (const [s, ofSet] of ofSets.entries()) {
      const set = infos[s];
      const perTask = TASK_ROWS / set.granularity;
      const count = Math.ceil(ofSet.length / perTask);
      tasks[set.granularity] += count;
      for (let i = 0; i < count * perTask; i++) {
        const block = ofSet.at(i);
        records.push(...recordOf(e, set, s, block));
        for (let g = 0; g < set.granularity; g++) {
          const at = set.rowIndicesAt + (block ?? 0) * set.granularity + g;
          if (block === undefined) places.push(NOWHERE);
          else places.push(globalPlaces ? globalPlaces[at] : next[e.rowIndices[at]]++);
        }
      }
    }
    heads.push(firstRecord, tasks[8], tasks[4], tasks[2], tasks[1], firstPlace, firstRow, rows ? rows[w].length : 0);
  }
  const recordsAt = heads.length / 4;
  const rowsAt = recordsAt + records.length / 4;
  for (let w = 0; w < heads.length; w += 8) {
    heads[w] += recordsAt;
    heads[w + 6] += rowsAt;
  }
  return {
    words: Uint32Array.from([heads, records, rowEntries].flat()),
    places: Uint32Array.from(places.length > 0 ? places : [NOWHERE]),
    workgroups: WORKGROUPS,
    mostSums,
  };
}

/** One block of a task: bases, first column, segments, set. */
function recordOf(e: EcCsrEncoded, set: SetInfo, s: number, block: number | undefined): readonly number[] {
  if (block === undefined) return [set.baseIndicesAt, 0, 0, s];
  const start = e.blockPtr[set.blockPtrAt + block];
  const columns = e.blockPtr[set.blockPtrAt + block + 1] - start;
  return [set.baseIndicesAt + block * e.lanes, start, columns / (e.lanes * set.vectorSize), s];
}

/** Gives every row of a workgroup its part of the sums, writes its entry, and leaves in `next` where the part begins. */
function countSums(
  e: EcCsrEncoded,
  infos: readonly SetInfo[],
  ofSets: readonly (readonly number[])[],
  rows: readonly number[],
  next: Uint32Array,
  rowEntries: number[],
): number {
  for (const [s, ofSet] of ofSets.entries()) {
    const { granularity, rowIndicesAt } = infos[s];
    for (const block of ofSet) {
      const at = rowIndicesAt + block * granularity;
      for (let g = 0; g < granularity; g++) next[e.rowIndices[at + g]]++;
    }
  }
  let sums = 0;
  for (const row of rows) {
    const count = next[row];
    rowEntries.push(row, sums, sums + count, 0);
    next[row] = sums;
    sums += count;
  }
  return sums;
}
