import { type EcCsrEncoded, infosOfSets } from './layout.ts';

// The blocks of an EC-CSR matrix as pieces of work for workgroups. A block is G rows (its granularity) that share all
// their columns; a set contains the blocks of one granularity.

/** The blocks of all sets as pieces of work, numbered on from one set to the next, as in the arrays. */
export interface BlockWork {
  readonly count: number;
  /** of each block: the number of its set, and its number within the set */
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

/** The indices of `cost` by descending cost; ties: the lowest index first. */
export function byCost(cost: Float64Array): Uint32Array {
  return numbers(cost.length).sort((a, b) => cost[b] - cost[a] || a - b);
}

/** The numbers from 0 to count - 1. */
export function numbers(count: number): Uint32Array {
  const list = new Uint32Array(count);
  for (let i = 0; i < count; i++) list[i] = i;
  return list;
}

/**
 * The rows sorted by group, and by row number within a group: group g has the rows from starts[g] up to starts[g + 1].
 * `groupOf`: the group of each row. O(rows + groups).
 */
export function rowsByGroup(groupOf: Uint32Array, groups: number): Readonly<Record<'rows' | 'starts', Uint32Array>> {
  const starts = new Uint32Array(groups + 1);
  for (const group of groupOf) starts[group + 1]++;
  for (let g = 0; g < groups; g++) starts[g + 1] += starts[g];
  const next = starts.slice();
  const rows = new Uint32Array(groupOf.length);
  for (let row = 0; row < groupOf.length; row++) rows[next[groupOf[row]]++] = row;
  return { rows, starts };
}

/**
 * The workgroups that compute each block: block b is computed by those from starts[b] up to starts[b + 1], each of which
 * owns at least one of its rows. `owners`: the workgroup of each row. O(rows of blocks).
 */
export function workgroupsOfBlocks({ count, rows, rowsAt }: BlockWork, owners: Uint32Array) {
  const workgroups = new Uint32Array(rows.length);
  const starts = new Uint32Array(count + 1);
  let end = 0;
  for (let block = 0; block < count; block++) {
    for (let i = rowsAt[block]; i < rowsAt[block + 1]; i++) {
      const owner = owners[rows[i]];
      if (!isWithin(workgroups, starts[block], end, owner)) workgroups[end++] = owner;
    }
    starts[block + 1] = end;
  }
  return { workgroups, starts };
}

/** Whether a value is among values[from] up to, without, values[to]. */
export function isWithin(values: Uint32Array, from: number, to: number, value: number): boolean {
  for (let i = from; i < to; i++) if (values[i] === value) return true;
  return false;
}
