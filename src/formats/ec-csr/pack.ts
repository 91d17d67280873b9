/* From extracted blocks to stored blocks: gaps are bridged, lanes are filled, and long blocks are split. */

import { finish, type Steps } from '../../core/job.ts';
import { blocksOf, isBlock } from './block-columns.ts';
import { type Block, type Extraction, PROGRESS } from './extract.ts';
import type { Padding } from './layout.ts';
import { blockColumns, columnStep, type EcCsrParams, reachOf, type Remainder } from './params.ts';

/** A block (rows that share columns) as it will be stored: its columns in matrix order, some of them only padding. */
export interface PackedBlock {
  readonly rows: Uint32Array;
  readonly columns: Uint32Array;
  /** 1 for a column of the block, 0 for padding */
  readonly real: Uint8Array;
}

/** Blocks of one granularity (rows of a block: 1, 2, 4 or 8), in storage order. */
export interface PackedSet {
  readonly granularity: number;
  /** which columns of its blocks: all; the most that fill L lanes with vectors of v (a multiple of L v); the rest */
  readonly part: 'all' | 'long' | 'short';
  readonly blocks: readonly PackedBlock[];
}

/** A block split into pieces, and how many columns of the last one only fill up lanes. */
interface Pieces {
  readonly pieces: readonly PackedBlock[];
  readonly filling: number;
}

/** The stored blocks for either choice of `remainder`: columns and padding are the same, but in different blocks. */
export interface Packed {
  /** the stored sets for each way to store the remainder of a block */
  readonly packings: Readonly<Record<Remainder, readonly PackedSet[]>>;
  readonly padding: Padding;
}

/** Values packed or laid out between two reports of progress: about 10 ms of work. */
export const VALUES_PER_STEP = 2 ** 18;

/** `packSteps` without pauses. */
export function packBlocks(extraction: Extraction, p: EcCsrParams): Packed {
  return finish(packSteps(extraction, p));
}

/**
 * The blocks to store. A block whose lanes are full and whose deltas fit stays unchanged; others are first split into
 * such blocks (`blocksOf`). In the remaining columns, and in single rows, gaps too wide for a delta get columns of zeros,
 * and the last lanes are padded. The remainder that does not fill a vector of every lane stays in its block, or becomes
 * a short block. Longer blocks are split into pieces of at most the columns of `clipOf`. Sets are ordered by granularity
 * descending, long before short; blocks by stored values descending, or as found. O(values of all blocks).
 */
export function* packSteps(extraction: Extraction, p: EcCsrParams): Steps<Packed> {
  const padding = { gapColumns: 0, gapValues: 0, tailColumns: 0, tailValues: 0 };
  const maxColumns = clipOf(extraction, p);
  const packings: Record<Remainder, PackedSet[]> = { 'same-block': [], 'short-block': [] };
  let values = 0;
  for (const { granularity, blocks } of extraction.sets.toReversed()) {
    const clip = maxColumns(granularity);
    const packed: Pieces[] = [];
    for (const block of blocks) {
      values += granularity * block.columns.length;
      if (values > VALUES_PER_STEP) {
        values = 0;
        yield { what: 'packing blocks', done: PROGRESS.extracted, total: PROGRESS.total };
      }
      const { unpadded, restBlock } = granularity === 1 ? { unpadded: [], restBlock: block } : splitByLanes(block, p);
      for (const unpaddedBlock of unpadded) packed.push({ pieces: clipped(unpaddedBlock, clip, p), filling: 0 });
      if (restBlock.columns.length === 0) continue;
      const bridged = bridgeGaps(restBlock, reachOf(p));
      const bridges = bridged.columns.length - restBlock.columns.length;
      padding.gapColumns += bridges;
      padding.gapValues += bridges * granularity;
      const padded = padTail(bridged, columnStep(p));
      const filling = padded.columns.length - bridged.columns.length;
      padding.tailColumns += filling;
      padding.tailValues += filling * granularity;
      packed.push({ pieces: clipped(padded, clip, p), filling });
    }
    const allPieces = packed.flatMap(({ pieces }) => pieces);
    const { longPieces, shortPieces } = longAndShort(packed, p);
    for (const set of setOf(granularity, 'all', allPieces, p)) packings['same-block'].push(set);
    for (const set of setOf(granularity, 'long', longPieces, p)) packings['short-block'].push(set);
    for (const set of setOf(granularity, 'short', shortPieces, p)) packings['short-block'].push(set);
  }
  return { packings, padding };
}

/** Every block split in two: a multiple of L v columns without padding of lanes, and the remainder. */
function longAndShort(
  packed: readonly Pieces[],
  p: EcCsrParams,
): { longPieces: PackedBlock[]; shortPieces: PackedBlock[] } {
  const longPieces: PackedBlock[] = [];
  const shortPieces: PackedBlock[] = [];
  for (const { pieces, filling } of packed) {
    for (const piece of pieces.slice(0, -1)) longPieces.push(piece);
    // Pieces before the last are multiples of L v.
    const last = pieces[pieces.length - 1];
    const used = last.columns.length - filling;
    const fullBlocks = used - (used % blockColumns(p));
    if (fullBlocks > 0) longPieces.push(slice(last, 0, fullBlocks));
    if (fullBlocks < used) shortPieces.push(slice(last, fullBlocks, last.columns.length));
  }
  return { longPieces, shortPieces };
}

/** A list of one set, these blocks in storage order; empty without blocks. The story quotes the line below `step`. */
function setOf(granularity: number, part: PackedSet['part'], blocks: readonly PackedBlock[], { order }: EcCsrParams) {
  if (blocks.length === 0) return [];
  if (order === 'as-found') return [{ granularity, part, blocks }];
  // toSorted is stable: equal blocks stay in the order in which they were found.
  // step: order
  const ordered = blocks.toSorted((a, b) => b.columns.length - a.columns.length);
  return [{ granularity, part, blocks: ordered }];
}

/** A block of a large matrix has at most a 4096th of its values: large devices run about as many subgroups. */
const MIN_PIECES = 4096;
/** Minimum multiples of L v values in a piece: shorter ones cost more for bases and sums of blocks than they save. */
const MIN_PIECE_MULTIPLES = 16;

/** The clip (most columns of a block) by granularity: the given limit, or the columns of 1/4096 of all values. O(blocks). */
export function clipOf({ sets }: Extraction, p: EcCsrParams): (granularity: number) => number {
  let values = 0;
  for (const { granularity, blocks } of sets) for (const { columns } of blocks) values += granularity * columns.length;
  return clipOfValues(values, p);
}

/** Like `clipOf`, for `values` values in all blocks. */
export function clipOfValues(values: number, p: EcCsrParams): (granularity: number) => number {
  const multiple = blockColumns(p);
  if (p.clipColumns > 0) {
    const clip = Math.max(multiple, Math.floor(p.clipColumns / multiple) * multiple);
    return () => clip;
  }
  const multiples = Math.max(MIN_PIECE_MULTIPLES, values / MIN_PIECES / multiple);
  return (granularity) => Math.ceil(multiples / granularity) * multiple;
}

/** The blocks that fill lanes without padding, and the remaining columns. */
function splitByLanes({ rows, columns }: Block, p: EcCsrParams): { unpadded: PackedBlock[]; restBlock: Block } {
  const packed = (packedColumns: Uint32Array): PackedBlock => {
    return { rows, columns: packedColumns, real: new Uint8Array(packedColumns.length).fill(1) };
  };
  if (isBlock(columns, p)) return { unpadded: [packed(columns)], restBlock: { rows, columns: columns.subarray(0, 0) } };
  const blocks = blocksOf(columns, p);
  const inBlocks = new Set(blocks.flatMap((block) => Array.from(block)));
  return { unpadded: blocks.map(packed), restBlock: { rows, columns: columns.filter((c) => !inBlocks.has(c)) } };
}

/**
 * Pieces of at most `clip` columns, a multiple of L v. If all gaps fit a delta, a piece continues the previous one;
 * otherwise it contains the next columns of every lane, so that wide gaps stay between lanes.
 */
function clipped(block: PackedBlock, clip: number, p: EcCsrParams): PackedBlock[] {
  const { columns } = block;
  if (columns.length <= clip) return [block];
  const pieces: PackedBlock[] = [];
  const gapsFitDeltas = columns.every((c, i) => i === 0 || c - columns[i - 1] <= reachOf(p));
  for (let start = 0; start < columns.length; start += clip) {
    const end = Math.min(columns.length, start + clip);
    pieces.push(gapsFitDeltas ? slice(block, start, end) : laneSlices(block, start / p.lanes, end / p.lanes, p.lanes));
  }
  return pieces;
}

/** Columns from .. to - 1 of every lane. */
function laneSlices({ rows, columns, real }: PackedBlock, from: number, to: number, lanes: number): PackedBlock {
  const perLane = columns.length / lanes;
  const sliced = new Uint32Array(lanes * (to - from));
  const slicedReal = new Uint8Array(sliced.length);
  for (let lane = 0; lane < lanes; lane++) {
    const [start, end] = [lane * perLane + from, lane * perLane + to];
    sliced.set(columns.subarray(start, end), lane * (to - from));
    slicedReal.set(real.subarray(start, end), lane * (to - from));
  }
  return { rows, columns: sliced, real: slicedReal };
}

/** The block with columns of zeros in gaps wider than `reach`, the largest delta. */
function bridgeGaps({ rows, columns }: Block, reach: number): PackedBlock {
  let bridges = 0;
  for (let i = 1; i < columns.length; i++) {
    const gap = columns[i] - columns[i - 1];
    if (gap > reach) bridges += Math.ceil(gap / reach) - 1;
  }
  if (bridges === 0) return { rows, columns, real: new Uint8Array(columns.length).fill(1) };
  const bridged = new Uint32Array(columns.length + bridges);
  const real = new Uint8Array(bridged.length);
  let n = 0;
  for (let i = 0; i < columns.length; i++) {
    for (let c = i === 0 ? columns[0] : columns[i - 1] + reach; i > 0 && c < columns[i]; c += reach) bridged[n++] = c;
    real[n] = 1;
    bridged[n++] = columns[i];
  }
  return { rows, columns: bridged, real };
}

/** Columns from `start` to before `end`. */
function slice({ rows, columns, real }: PackedBlock, start: number, end: number): PackedBlock {
  return { rows, columns: columns.subarray(start, end), real: real.subarray(start, end) };
}

/** Fills up the last lanes by repeating the last column: delta 0, value 0. */
function padTail(block: PackedBlock, multiple: number): PackedBlock {
  const { rows, columns, real } = block;
  const length = Math.ceil(columns.length / multiple) * multiple;
  if (length === columns.length) return block;
  const padded = new Uint32Array(length).fill(columns[columns.length - 1]);
  padded.set(columns);
  const paddedReal = new Uint8Array(length);
  paddedReal.set(real);
  return { rows, columns: padded, real: paddedReal };
}
