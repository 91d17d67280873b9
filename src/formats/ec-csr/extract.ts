import { type Progress, rowsPerYield, type Steps } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { CHUNK_WORDS, countChunks, type OverlapEngine, plainOverlaps, type UnitBits, wordsPerUnit } from './overlap.ts';
import { blockColumns, type EcCsrParams, reachOf } from './params.ts';

/** A dense block: `rows` matrix rows by `columns` columns, every cell of it a non-zero of the matrix. */
export interface Block {
  readonly rows: Uint32Array;
  /** ascending */
  readonly columns: Uint32Array;
}

/** What the extraction found. Every non-zero of the matrix is in exactly one block. */
export interface Extraction {
  /** by granularity, ascending: 1, 2, 4, 8; the blocks that did not go into larger ones */
  readonly sets: readonly { readonly granularity: number; readonly blocks: readonly Block[] }[];
  readonly rounds: readonly RoundSummary[];
}

export interface RoundSummary {
  /** granularity of the unit rows that were matched */
  readonly granularity: number;
  readonly round: number;
  readonly pairs: number;
  /** blocks of twice the granularity */
  readonly blocks: number;
  /** non-zeros in them */
  readonly nnz: number;
}

/**
 * What a progress counts towards. Nobody knows beforehand how many rounds there will be: reading the matrix takes the
 * first tenth, every round half of what then is left up to eight tenths, and the rest is for the layout.
 */
export const PROGRESS = { total: 1000, read: 100, extracted: 800 } as const;

/** Progress within round `round`, counted over all levels, when a `share` of it is done. */
function roundProgress(round: number, share: number): number {
  const left = 2 ** -round * (1 - share / 2);
  return Math.floor(PROGRESS.extracted - (PROGRESS.extracted - PROGRESS.read) * left);
}

/** Told about every pair, for the animation: who was matched, and what left. */
export interface ExtractionListener {
  pair(
    granularity: number,
    round: number,
    unit: number,
    partner: number,
    shared: readonly number[],
    blocks: readonly Block[],
  ): void;
  levelStarts(granularity: number, units: readonly Block[]): void;
  levelEnds(granularity: number, residuals: readonly Block[]): void;
}

/** Unit rows of one level, as bits and as the matrix rows that they stand for. */
interface Level {
  readonly granularity: number;
  readonly rowsOf: readonly Uint32Array[];
  readonly bits: UnitBits;
}

/**
 * Hierarchical block extraction (EC-SpMV, algorithms 1 and 2, as docs/formats/ec-csr.md defines them).
 *
 * Per level: rounds of greedy matching (each unmatched unit row takes the unmatched one after it that shares the most
 * columns), the shared columns of each pair split into runs that deltas can follow and cut to multiples of L v, until a
 * round extracts nothing. The extracted blocks are the unit rows of the next level.
 * O(rows^2 * cols / 32) per round; memory: one bit per cell and level.
 */
export function* extractSteps(
  m: Matrix,
  p: EcCsrParams,
  overlaps: OverlapEngine = plainOverlaps,
  listener?: ExtractionListener,
): Steps<Extraction> {
  const sets: { granularity: number; blocks: Block[] }[] = [];
  const rounds: RoundSummary[] = [];
  let level = yield* levelOfRows(m, overlaps);
  for (;;) {
    listener?.levelStarts(level.granularity, unitsOf(level));
    const extracted: Block[] = [];
    const canGrow = level.granularity < p.maxGranularity;
    for (let round = 0; canGrow && (p.maxRounds === 0 || round < p.maxRounds); round++) {
      const before = extracted.length;
      const progress = new RoundProgress(m.nnz, rounds, round);
      const summary = yield* matchRound(p, level, progress, extracted, overlaps, listener);
      if (extracted.length === before) break;
      rounds.push(summary);
    }
    const residuals = unitsOf(level).filter(({ columns }) => columns.length > 0);
    listener?.levelEnds(level.granularity, residuals);
    sets.push({ granularity: level.granularity, blocks: residuals });
    if (extracted.length === 0) break;
    // step: level
    level = levelOfBlocks(extracted, 2 * level.granularity, m.cols, overlaps);
  }
  return { sets, rounds };
}

/** What a round tells about itself: where it stands, and how much of the matrix is in blocks of its size. */
class RoundProgress {
  /** within its level, from 0 */
  readonly round: number;
  readonly #nnz: number;
  readonly #rounds: readonly RoundSummary[];

  constructor(nnz: number, rounds: readonly RoundSummary[], round: number) {
    this.round = round;
    this.#nnz = nnz;
    this.#rounds = rounds;
  }

  at(granularity: number, share: number, roundNnz: number): Progress {
    const before = this.#rounds.reduce((sum, r) => sum + (r.granularity === granularity ? r.nnz : 0), 0);
    const covered = Math.round((100 * (before + roundNnz)) / Math.max(1, this.#nnz));
    const what = `granularity ${2 * granularity}, round ${this.round + 1}: ${covered} % of the non-zeros in blocks`;
    return { what, done: roundProgress(this.#rounds.length, share), total: PROGRESS.total };
  }
}

function* matchRound(
  p: EcCsrParams,
  { granularity, rowsOf, bits }: Level,
  progress: RoundProgress,
  extracted: Block[],
  overlaps: OverlapEngine,
  listener: ExtractionListener | undefined,
): Steps<RoundSummary> {
  const least = blockColumns(p);
  const chunks = bits.words / CHUNK_WORDS;
  // A unit row with fewer columns than a block can give nothing, so nobody has to look at it.
  const { free } = bits;
  for (let u = 0; u < bits.units; u++) free[u] = bits.chunkCounts[u * chunks] >= least ? 1 : 0;
  let pairs = 0;
  let nnz = 0;
  const before = extracted.length;
  for (let unit = 0; unit < bits.units; unit++) {
    if (free[unit] === 0) continue;
    free[unit] = 0;
    // step: match
    const { partner } = overlaps.bestPartner(bits, unit, least);
    if (unit % 16 === 0) yield progress.at(granularity, unit / bits.units, nnz);
    if (partner < 0) continue;
    free[partner] = 0;
    pairs++;
    const shared = sharedColumns(bits, unit, partner);
    // step: extract
    const runs = cutRuns(shared, reachOf(p), least);
    const rows = concatRows(rowsOf[unit], rowsOf[partner]);
    const blocks = runs.map((columns) => ({ rows, columns }));
    for (const { columns } of blocks) {
      removeColumns(bits, unit, columns);
      removeColumns(bits, partner, columns);
      nnz += columns.length * rows.length;
    }
    if (blocks.length > 0) {
      countChunks(bits, unit);
      countChunks(bits, partner);
      extracted.push(...blocks);
    }
    listener?.pair(granularity, progress.round, unit, partner, shared, blocks);
  }
  return { granularity, round: progress.round, pairs, blocks: extracted.length - before, nnz };
}

function* levelOfRows(m: Matrix, overlaps: OverlapEngine): Steps<Level> {
  const bits = overlaps.allocate(m.rows, wordsPerUnit(m.cols));
  const buffer = rowBuffer(m.cols);
  const pause = rowsPerYield(m.cols);
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    setColumns(bits, r, buffer.columns.subarray(0, n));
    if (r % pause === pause - 1) {
      yield { what: 'reading rows', done: Math.floor((PROGRESS.read * (r + 1)) / m.rows), total: PROGRESS.total };
    }
  }
  return { granularity: 1, rowsOf: Array.from({ length: m.rows }, (_, r) => Uint32Array.of(r)), bits };
}

function levelOfBlocks(blocks: readonly Block[], granularity: number, cols: number, overlaps: OverlapEngine): Level {
  const bits = overlaps.allocate(blocks.length, wordsPerUnit(cols));
  blocks.forEach(({ columns }, u) => setColumns(bits, u, columns));
  return { granularity, rowsOf: blocks.map((b) => b.rows), bits };
}

/** The unit rows of a level with the columns that they still have, in the order of their numbers; some have none. */
function unitsOf({ rowsOf, bits }: Level): Block[] {
  return rowsOf.map((rows, u) => ({ rows, columns: Uint32Array.from(sharedColumns(bits, u, u)) }));
}

function setColumns(bits: UnitBits, unit: number, columns: Uint32Array): void {
  const start = unit * bits.words;
  for (const c of columns) bits.bits[start + (c >>> 5)] |= 1 << (c & 31);
  countChunks(bits, unit);
}

function removeColumns({ words, bits }: UnitBits, unit: number, columns: Uint32Array): void {
  const start = unit * words;
  for (const c of columns) bits[start + (c >>> 5)] &= ~(1 << (c & 31));
}

/** Columns that both unit rows have, ascending. */
export function sharedColumns({ words, bits }: UnitBits, a: number, b: number): number[] {
  const columns: number[] = [];
  for (let w = 0; w < words; w++) {
    let word = bits[a * words + w] & bits[b * words + w];
    while (word !== 0) {
      columns.push(w * 32 + 31 - Math.clz32(word & -word));
      word &= word - 1;
    }
  }
  return columns;
}

/**
 * Maximal runs in which neighbours differ by at most `reach`, each cut down to a multiple of `multiple` columns (the
 * leading ones stay); runs that become empty are dropped.
 */
export function cutRuns(columns: readonly number[], reach: number, multiple: number): Uint32Array[] {
  const runs: Uint32Array[] = [];
  for (let start = 0; start < columns.length;) {
    let end = start + 1;
    while (end < columns.length && columns[end] - columns[end - 1] <= reach) end++;
    const kept = Math.floor((end - start) / multiple) * multiple;
    if (kept > 0) runs.push(Uint32Array.from(columns.slice(start, start + kept)));
    start = end;
  }
  return runs;
}

function concatRows(a: Uint32Array, b: Uint32Array): Uint32Array {
  const rows = new Uint32Array(a.length + b.length);
  rows.set(a);
  rows.set(b, a.length);
  return rows;
}
