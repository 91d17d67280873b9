import { blockColumns, type EcCsrParams, reachOf } from './params.ts';

/** A run [start, end) of a list of columns: the distance from each to the next fits into a delta. */
interface Run {
  start: number;
  readonly end: number;
}

/**
 * Divides `columns`, which the same rows share, into blocks; columns that do not fill a block are omitted. Only
 * distances inside a lane are stored, as deltas: only these must fit into `deltaBits`.
 *
 * The columns are split into maximal runs whose distances fit. A block has L lanes (`lanes`) of s columns each, s the
 * largest multiple of v (`vectorSize`) for which the runs contain L such lanes; it uses the first columns of each run, in
 * order. The next block is made from the rest, until the rest has no L lanes of v columns. Of a single run, the blocks
 * take the largest possible multiple of L v columns. O(columns + blocks * runs * log columns).
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
    let filledLanes = 0;
    for (const run of runs) {
      const n = Math.min(lanes - filledLanes, Math.floor((run.end - run.start) / perLane));
      block.set(columns.subarray(run.start, run.start + n * perLane), filledLanes * perLane);
      run.start += n * perLane;
      filledLanes += n;
    }
    blocks.push(block);
  }
  return blocks;
}

/** Whether a list of columns is a block without changes: its lanes are full, and the distances inside them fit into deltas. */
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

/** The most vectors in a lane, up to `max`, for which `fits` is true, as it must be for 1 and for all fewer vectors. */
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
