import { blockColumns, type EcCsrParams, reachOf } from './params.ts';

/** A run in a list of columns, from `start` to before `end`: deltas reach from each to the next. */
interface Run {
  start: number;
  readonly end: number;
}

/**
 * Cuts the columns that rows share into blocks. Only distances between two columns of the same lane are deltas: a lane needs columns
 * whose distances are within the reach of a delta, and the distance to the next lane does not matter.
 *
 * The columns are split into maximal runs whose neighbours a delta can reach. A block consists of L lanes of s columns
 * each, s the largest multiple of v for which the runs hold L such lanes; it takes the leading columns of each run,
 * runs in their order. Then the next block is made from the rest, until there are no L lanes of v columns. From a
 * single run this takes the largest multiple of L v. O(columns + blocks * runs * log columns).
 */
export function blocksOf(columns: Uint32Array, p: EcCsrParams): Uint32Array[] {
  const { lanes, vectorSize } = p;
  const runs = runsOf(columns, reachOf(p));
  const lanesOf = (perLane: number): number =>
    runs.reduce((sum, { start, end }) => sum + Math.floor((end - start) / perLane), 0);
  const blocks: Uint32Array[] = [];
  while (lanesOf(vectorSize) >= lanes) {
    const perLane = vectorSize * longestLane((vectors) => lanesOf(vectors * vectorSize) >= lanes, columns.length);
    const block = new Uint32Array(lanes * perLane);
    let taken = 0;
    for (const run of runs) {
      const n = Math.min(lanes - taken, Math.floor((run.end - run.start) / perLane));
      block.set(columns.subarray(run.start, run.start + n * perLane), taken * perLane);
      run.start += n * perLane;
      taken += n;
    }
    blocks.push(block);
  }
  return blocks;
}

/** Whether a list of columns is a block already: its lanes are full, and deltas reach within each. */
export function isBlock(columns: Uint32Array, p: EcCsrParams): boolean {
  if (columns.length === 0 || columns.length % blockColumns(p) !== 0) return false;
  const perLane = columns.length / p.lanes;
  const reach = reachOf(p);
  for (let i = 1; i < columns.length; i++) {
    if (i % perLane !== 0 && columns[i] - columns[i - 1] > reach) return false;
  }
  return true;
}

/** Maximal runs in which neighbours differ by at most `reach`. */
function runsOf(columns: Uint32Array, reach: number): Run[] {
  const runs: Run[] = [];
  for (let start = 0; start < columns.length;) {
    let end = start + 1;
    while (end < columns.length && columns[end] - columns[end - 1] <= reach) end++;
    runs.push({ start, end });
    start = end;
  }
  return runs;
}

/** The largest number from 1 to `max` that fits, if all smaller ones fit too; 1 does. */
function longestLane(fits: (vectors: number) => boolean, max: number): number {
  let low = 1;
  let high = max;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
