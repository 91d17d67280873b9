import { finish } from '../../../core/job.ts';
import { CsrMatrix, type Matrix, toCsr } from '../../../core/matrix/index.ts';
import { bf16Bits, bf16Table } from '../../../core/number/index.ts';
import type { StorageLedger } from '../../../core/encoded/ledger.ts';
import { type Effect, type Trace, TraceBuilder, traceVector } from '../../../core/story/trace.ts';
import { encoding } from '../encoding.ts';
import { columnAt, countAt, entryAt, type TwellEncoded, valueBitsAt } from '../layout.ts';
import { type Overflow, overflowOf } from '../overflow.ts';
import { capacityOf, slotsOf, tilesOf, type TwellParams } from '../params.ts';
import { type BeyondSlots, clampedCount } from '../published.ts';
import { type Backward, backwardOf } from './backward.ts';
import { gateTile, type GateTile } from './gate.ts';
import { type FeedForward, feedForward, type WalkedEntry, walkRow } from './walk.ts';

/** What a step shows. */
export type TwellStep =
  | { readonly kind: 'ell'; readonly about: 'row' | 'width' | 'passes' }
  /** a tile of the gate GEMM: the product, the result of ReLU, the epilogue's stores */
  | { readonly kind: 'gate'; readonly about: 'product' | 'relu' | 'epilogue' }
  /** the tile of one token is packed */
  | { readonly kind: 'pack'; readonly tile: number; readonly row: number }
  /** the tile of `rows` tokens from `row` on is empty */
  | { readonly kind: 'empty'; readonly tile: number; readonly row: number; readonly rows: number }
  /** the tile of one token has more non-zeros than slots: the token leaves the story for the hybrid */
  | { readonly kind: 'refuse'; readonly tile: number; readonly row: number; readonly count: number }
  /** all tokens of a tile are packed */
  | { readonly kind: 'tile'; readonly tile: number }
  | { readonly kind: 'nothing'; readonly chapter: 'gate' | 'tiles' | 'walk' | 'hybrid' | 'backward' }
  | { readonly kind: 'word'; readonly about: 'value' | 'round' | 'column' | 'word' }
  | { readonly kind: 'overflow'; readonly about: 'fullest' | 'hot' | 'lower' | 'hybrid' }
  /** what the published kernel does with the hot tile row; packed layout only */
  | { readonly kind: 'published'; readonly beyond: BeyondSlots }
  /** a row of y = h x: the down projection alone, with one output */
  | { readonly kind: 'row'; readonly row: number }
  | { readonly kind: 'walk'; readonly about: 'entry' | 'up' | 'down'; readonly entry: number }
  | { readonly kind: 'walked' }
  | { readonly kind: 'route'; readonly row: number }
  | { readonly kind: 'routed' }
  | { readonly kind: 'transpose'; readonly about: 'count' | 'place' }
  /** gradients of a token at its stored places, and of a neuron over its tokens */
  | { readonly kind: 'backward'; readonly about: 'dh' | 'both' | 'column' }
  | { readonly kind: 'skipped'; readonly about: 'adds' | 'bytes' | 'limit' };

/** The non-zero whose word is explained. */
interface Sample {
  readonly value: number;
  readonly column: number;
  readonly bf16: number;
  /** its position; null for the example of the definition, if the window is empty */
  readonly at: { readonly row: number; readonly element: number } | null;
}

/** A tile row with more non-zeros than slots. */
interface HotTile {
  readonly row: number;
  readonly tile: number;
  /** columns of its non-zeros, counted from the start of the tile */
  readonly columns: readonly number[];
  /** how many of them are in the window; the others are invented */
  readonly real: number;
}

/** Where the tokens of the window would go in the hybrid format. */
interface Routing {
  /** W: most non-zeros of a row in the compact part */
  readonly slots: number;
  readonly counts: Uint32Array;
  /** the counts of the published conversion, which clamps that of each tile to the slots */
  readonly clamped: Uint32Array;
  /** rows of the tail, in order */
  readonly tail: readonly number[];
  /** the column that most tokens fire: the longest row of the transpose */
  readonly longestColumn: { readonly column: number; readonly count: number };
}

export interface TwellTrace extends Trace<TwellStep> {
  readonly window: CsrMatrix;
  readonly params: TwellParams;
  /** the window without the tokens that overflow: the story from chapter 2 on */
  readonly kept: CsrMatrix;
  readonly overflow: Overflow | null;
  /** values below 0, which ReLU would have removed */
  readonly negatives: number;
  readonly encoded: TwellEncoded;
  /** per tile row: number of the step that packs or refuses it */
  readonly packedAt: Uint32Array;
  readonly sample: Sample;
  readonly hot: HotTile;
  /** y = h x of every row, in f64 */
  readonly sums: Float64Array;
  readonly block: FeedForward;
  /** the token that is walked, and its first non-zeros */
  readonly walk: { readonly row: number; readonly count: number; readonly entries: readonly WalkedEntry[] };
  readonly routing: Routing;
  /** null where there are no cells */
  readonly gate: GateTile | null;
  readonly backward: Backward;
  readonly ledger: StorageLedger;
}

/** K of the block on the stage. */
const BLOCK_WIDTH = 4;
const BLOCK_SEED = 4;
/** Non-zeros of the walked token that are narrated; the others follow the same way. */
const WALKED = 3;
/** W of the hybrid on the stage. */
const ROUTED_SLOTS = 4;
/** The example of the definition: column 300, value 1. */
const EXAMPLE = { value: 1, column: 300 };

/**
 * The story of one window. Tokens that overflow are mentioned and then left out: from chapter 2 on it is the story of
 * the others. O(tile rows + non-zeros).
 */
export function trace(m: Matrix, params: TwellParams): TwellTrace {
  const window = new CsrMatrix(toCsr(m));
  const overflow = overflowOf(window, params.tileWidth, capacityOf(params));
  const kept = overflow ? withoutRows(window, overflow.byRow) : window;
  const encoded = finish(encoding.encodeSteps(kept, params));
  const x = traceVector(m.cols);
  const block = feedForward(m.cols, BLOCK_WIDTH, BLOCK_SEED);
  const row = longestOf(kept);
  const walked = m.rows === 0 ? [] : walkRow(encoded, row, block);
  const walk = { row, count: walked.length, entries: walked.slice(0, WALKED) };
  const routing = routingOf(window, params);
  const gate = gateTile(encoded, row, block.x);
  const builder = new TraceBuilder<TwellStep>();

  builder.chapter('ell', 'Why not ELL');
  for (const about of ['row', 'width', 'passes'] as const) builder.step({ kind: 'ell', about });
  builder.chapter('gate', 'Gate');
  if (gate) for (const about of ['product', 'relu', 'epilogue'] as const) builder.step({ kind: 'gate', about });
  else builder.step({ kind: 'nothing', chapter: 'gate' });
  builder.chapter('tiles', 'Tiles');
  const packedAt = tilesChapter(window, overflow, encoded, builder);
  builder.chapter('word', 'The word');
  for (const about of ['value', 'round', 'column', 'word'] as const) builder.step({ kind: 'word', about });
  builder.chapter('overflow', 'Overflow');
  for (const about of ['fullest', 'hot'] as const) builder.step({ kind: 'overflow', about });
  if (params.layout === 'packed')
    for (const beyond of ['wraps', 'goes on'] as const) builder.step({ kind: 'published', beyond });
  for (const about of ['lower', 'hybrid'] as const) builder.step({ kind: 'overflow', about });
  builder.chapter('walk', 'Up and down');
  const sums = rowsChapter(encoded, x, builder);
  walk.entries.forEach((_, entry) => {
    for (const about of ['entry', 'up', 'down'] as const) builder.step({ kind: 'walk', about, entry });
  });
  builder.step(walk.count > 0 ? { kind: 'walked' } : { kind: 'nothing', chapter: 'walk' });
  builder.chapter('hybrid', 'Hybrid');
  for (let r = 0; r < m.rows; r++) builder.step({ kind: 'route', row: r });
  if (m.rows === 0) builder.step({ kind: 'nothing', chapter: 'hybrid' });
  builder.step({ kind: 'routed' });
  for (const about of ['count', 'place'] as const) builder.step({ kind: 'transpose', about });
  builder.chapter('backward', 'Backward');
  if (walk.count > 0) for (const about of ['dh', 'both', 'column'] as const) builder.step({ kind: 'backward', about });
  else builder.step({ kind: 'nothing', chapter: 'backward' });
  builder.chapter('skipped', 'Skipped');
  for (const about of ['adds', 'bytes', 'limit'] as const) builder.step({ kind: 'skipped', about });

  return {
    format: 'twell',
    window,
    params,
    kept,
    overflow,
    negatives: window.data.filter((value) => value < 0).length,
    encoded,
    packedAt,
    sample: sampleOf(kept, encoded),
    hot: hotTileOf(window, overflow, encoded),
    x,
    sums,
    block,
    walk,
    routing,
    gate,
    backward: backwardOf(kept, block, row, walk.entries, longestColumnOf(kept).column),
    ledger: encoding.storage(encoded),
    chapters: builder.chapters,
    steps: builder.steps,
  };
}

/** The matrix with those rows emptied for which `leave` is not 0. */
function withoutRows(m: CsrMatrix, leave: Uint32Array): CsrMatrix {
  const indptr = new Uint32Array(m.rows + 1);
  const stays: number[] = [];
  for (let r = 0; r < m.rows; r++) {
    if (leave[r] === 0) for (let i = m.indptr[r]; i < m.indptr[r + 1]; i++) stays.push(i);
    indptr[r + 1] = stays.length;
  }
  return new CsrMatrix({
    rows: m.rows,
    cols: m.cols,
    indptr,
    indices: Uint32Array.from(stays, (i) => m.indices[i]),
    data: Float32Array.from(stays, (i) => m.data[i]),
  });
}

/** The first row with the most non-zeros; 0 without rows. */
function longestOf(m: CsrMatrix): number {
  let longest = 0;
  for (let r = 1; r < m.rows; r++) if (rowLength(m, r) > rowLength(m, longest)) longest = r;
  return longest;
}

export function rowLength({ indptr }: CsrMatrix, row: number): number {
  return indptr[row + 1] - indptr[row];
}

/** Tiles in a shuffled order, since none waits for another: every second one first. */
function tileOrder(tiles: number): readonly number[] {
  const all = Array.from({ length: tiles }, (_, t) => t);
  return [...all.filter((t) => t % 2 === 1), ...all.filter((t) => t % 2 === 0)];
}

/** Packs tile by tile, and in each token by token. Returns the step of every tile row. */
function tilesChapter(
  window: CsrMatrix,
  overflow: Overflow | null,
  e: TwellEncoded,
  builder: TraceBuilder<TwellStep>,
): Uint32Array {
  const packedAt = new Uint32Array(e.rows * e.tiles);
  for (const tile of tileOrder(e.tiles)) {
    for (let row = 0; row < e.rows; row++) {
      const first = row;
      const cells = cellsOf(window, row, tile * e.tileWidth, (tile + 1) * e.tileWidth);
      const visits = cells.map((col): Effect => ({ kind: 'visit', row, col }));
      if (overflow && overflow.byRow[row] > 0) {
        builder.step({ kind: 'refuse', tile, row, count: cells.length }, visits);
      } else if (cells.length > 0) {
        builder.step({ kind: 'pack', tile, row }, [...visits, ...stores(e, row * e.tiles + tile)]);
      } else {
        // Tokens with nothing in this tile follow each other in one step.
        const effects = [...stores(e, row * e.tiles + tile)];
        while (row + 1 < e.rows && isEmptyTile(window, overflow, row + 1, tile, e.tileWidth)) {
          row++;
          for (const effect of stores(e, row * e.tiles + tile)) effects.push(effect);
        }
        builder.step({ kind: 'empty', tile, row: first, rows: row + 1 - first }, effects);
      }
      for (let r = first; r <= row; r++) packedAt[r * e.tiles + tile] = builder.steps.length;
    }
    builder.step({ kind: 'tile', tile });
  }
  if (e.tiles === 0) builder.step({ kind: 'nothing', chapter: 'tiles' });
  return packedAt;
}

function isEmptyTile(
  window: CsrMatrix,
  overflow: Overflow | null,
  row: number,
  tile: number,
  tileWidth: number,
): boolean {
  if (overflow && overflow.byRow[row] > 0) return false;
  return cellsOf(window, row, tile * tileWidth, (tile + 1) * tileWidth).length === 0;
}

/** Columns of the non-zeros of a row in [from, to). */
export function cellsOf({ indptr, indices }: CsrMatrix, row: number, from: number, to: number): number[] {
  return Array.from(indices.subarray(indptr[row], indptr[row + 1])).filter((c) => c >= from && c < to);
}

/** The effects of packing one tile row: its entries and its count. */
function stores(e: TwellEncoded, tileRow: number): Effect[] {
  const effects: Effect[] = [];
  const first = entryAt(e, tileRow, 0);
  for (let at = first; at < first + countAt(e, tileRow); at++) {
    if (e.layout === 'packed') effects.push({ kind: 'store', array: 'words', index: at, value: e.words[at] });
    else {
      effects.push({ kind: 'store', array: 'values', index: at, value: e.values[at] });
      effects.push({ kind: 'store', array: 'indices', index: at, value: e.indices[at] });
    }
  }
  const count = countAt(e, tileRow);
  if (e.layout === 'packed') effects.push({ kind: 'store', array: 'words', index: tileRow * e.slots, value: count });
  else effects.push({ kind: 'store', array: 'counts', index: tileRow, value: count });
  return effects;
}

/** y = h x row by row. Returns the sums. */
function rowsChapter(e: TwellEncoded, x: Float32Array, builder: TraceBuilder<TwellStep>): Float64Array {
  const table = bf16Table();
  const sums = new Float64Array(e.rows);
  for (let row = 0; row < e.rows; row++) {
    const effects: Effect[] = [];
    for (let tileRow = row * e.tiles; tileRow < (row + 1) * e.tiles; tileRow++) {
      const first = entryAt(e, tileRow, 0);
      for (let at = first; at < first + countAt(e, tileRow); at++) {
        const value = table[valueBitsAt(e, at)] * x[columnAt(e, at)];
        sums[row] += value;
        effects.push({ kind: 'accumulate', row, value });
      }
    }
    builder.step({ kind: 'row', row }, effects);
  }
  return sums;
}

/** The last non-zero of the longest row, or the example of the definition. */
function sampleOf(m: CsrMatrix, e: TwellEncoded): Sample {
  if (m.nnz === 0) return { ...EXAMPLE, bf16: bf16Bits(EXAMPLE.value), at: null };
  const row = longestOf(m);
  const last = m.indptr[row + 1] - 1;
  const tileRow = row * e.tiles + Math.floor(m.indices[last] / e.tileWidth);
  const element = entryAt(e, tileRow, countAt(e, tileRow) - 1);
  return {
    value: m.data[last],
    column: columnAt(e, element),
    bf16: valueBitsAt(e, element),
    at: { row, element },
  };
}

/** The fullest tile row; one that does not overflow gets further non-zeros until two of them do not fit. */
function hotTileOf(m: CsrMatrix, overflow: Overflow | null, e: TwellEncoded): HotTile {
  let { row, tile } = overflow?.fullest ?? { row: 0, tile: 0 };
  if (!overflow) {
    for (let t = 0; t < e.rows * e.tiles; t++) {
      if (countAt(e, t) > countAt(e, row * e.tiles + tile)) {
        row = Math.floor(t / e.tiles);
        tile = t % e.tiles;
      }
    }
  }
  const from = tile * e.tileWidth;
  const columns = m.rows === 0 ? [] : cellsOf(m, row, from, from + e.tileWidth).map((c) => c - from);
  const real = columns.length;
  const wanted = overflow ? real : Math.max(real, capacityOf(e) + 2);
  const free = Array.from({ length: e.tileWidth }, (_, c) => c).filter((c) => !columns.includes(c));
  const shown = [...columns, ...free.slice(0, wanted - real)];
  return { row, tile, columns: shown.toSorted((a, b) => a - b), real };
}

/** Non-zeros of every tile of a row. */
function tileCounts({ cols, indptr, indices }: CsrMatrix, row: number, params: TwellParams): number[] {
  const counts = Array.from({ length: tilesOf(cols, params) }, () => 0);
  for (let i = indptr[row]; i < indptr[row + 1]; i++) counts[Math.floor(indices[i] / params.tileWidth)]++;
  return counts;
}

/** The first column with the most non-zeros. */
function longestColumnOf(m: CsrMatrix): Routing['longestColumn'] {
  const perColumn = new Uint32Array(m.cols);
  for (const column of m.indices) perColumn[column]++;
  let column = 0;
  for (let c = 1; c < m.cols; c++) if (perColumn[c] > perColumn[column]) column = c;
  return { column, count: perColumn[column] ?? 0 };
}

function routingOf(m: CsrMatrix, params: TwellParams): Routing {
  const counts = Uint32Array.from({ length: m.rows }, (_, r) => rowLength(m, r));
  return {
    slots: ROUTED_SLOTS,
    counts,
    clamped: counts.map((_, r) => clampedCount(tileCounts(m, r, params), slotsOf(params))),
    tail: Array.from(counts.keys()).filter((r) => counts[r] > ROUTED_SLOTS),
    longestColumn: longestColumnOf(m),
  };
}
