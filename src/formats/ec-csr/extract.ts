import { type Progress, rowsPerYield, type Steps } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { popcount } from '../../core/statistics/half-words.ts';
import { blocksOf } from './block-columns.ts';
import { type Match, matchSteps, type Round, witnessSteps } from './matching.ts';
import { columnCount, countChunks, type OverlapEngine, plainOverlaps, type UnitBits, wordsPerUnit } from './overlap.ts';
import { blockColumns, type EcCsrParams } from './params.ts';

/** A dense block: `rows` matrix rows by `columns` columns, every cell of it a non-zero of the matrix. */
export interface Block {
  readonly rows: Uint32Array;
  /** ascending */
  readonly columns: Uint32Array;
}

/** All blocks of a matrix: every non-zero is in exactly one. */
export interface Extraction {
  /** by granularity (rows of a block), ascending: 1, 2, 4, 8; the blocks that did not become part of larger ones */
  readonly sets: readonly { readonly granularity: number; readonly blocks: readonly Block[] }[];
  readonly rounds: readonly RoundSummary[];
}

/** What a round of matching found. */
interface RoundSummary {
  /** granularity of the units (rows of the matrix, or blocks of rows) that were matched */
  readonly granularity: number;
  readonly round: number;
  readonly pairs: number;
  /** blocks of twice the granularity */
  readonly blocks: number;
  /** non-zeros in them */
  readonly nnz: number;
}

/**
 * Progress in thousandths: reading the matrix ends at 100 and the extraction at 800, since the number of rounds is not known:
 * every round takes half of the remaining part. The layout takes the rest.
 */
export const PROGRESS = { total: 1000, read: 100, extracted: 800 } as const;

/** Progress in thousandths when a `share` of a round is done; `round` counts the rounds of all levels. */
function roundProgress(round: number, share: number): number {
  const remaining = 2 ** -round * (1 - share / 2);
  return Math.floor(PROGRESS.extracted - (PROGRESS.extracted - PROGRESS.read) * remaining);
}

/** A pair of units that a round matched, and the blocks extracted from it. Units are numbered within their level. */
export interface ExtractedPair {
  readonly granularity: number;
  readonly round: number;
  readonly unit: number;
  readonly partner: number;
  /** columns that both have, ascending */
  readonly shared: Uint32Array;
  readonly blocks: readonly Block[];
  /** the witnesses: shared columns that one of these units lacks are not extracted */
  readonly witnesses: readonly number[];
}

/** Receives every level and pair of an extraction, for its story. */
export interface ExtractionListener {
  pair(pair: ExtractedPair): void;
  levelStarts(granularity: number, units: readonly Block[]): void;
  levelEnds(granularity: number, residuals: readonly Block[]): void;
}

/** The units of one level (rows of the matrix, or blocks of rows), as bits and as their matrix rows. */
interface Level {
  readonly granularity: number;
  readonly rowsOf: readonly Uint32Array[];
  readonly bits: UnitBits;
  /** by unit: 1 if the unit found no partner in the round before */
  readonly foundNone: Uint8Array;
}

/**
 * Hierarchical block extraction (EC-SpMV, algorithms 1 and 2, as docs/formats/ec-csr.md defines them).
 *
 * Per level, rounds of greedy matching until a round extracts nothing: each unmatched unit is paired with the unmatched unit
 * after it that shares the most columns; from the columns that a pair shares, blocks of a multiple of L v columns (L
 * lanes, v columns per load) are extracted. These blocks are the units of the next level.
 * O(rows^2 * cols / 32) per round; memory: two bits per cell of a level. The story quotes lines after `// step: NAME`.
 */
export function* extractSteps(
  m: Matrix,
  p: EcCsrParams,
  overlaps: OverlapEngine = plainOverlaps(),
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
      const blocksBefore = extracted.length;
      const progress = progressOf(level.granularity, m.nnz, rounds, round);
      const summary = yield* matchRound(p, level, progress, extracted, overlaps, listener);
      if (extracted.length === blocksBefore) break;
      rounds.push(summary);
    }
    const residuals = unitsOf(level).filter(({ columns }) => columns.length > 0);
    listener?.levelEnds(level.granularity, residuals);
    sets.push({ granularity: level.granularity, blocks: residuals });
    if (extracted.length === 0) break;
    level = levelOfBlocks(extracted, 2 * level.granularity, m.cols, overlaps);
  }
  return { sets, rounds };
}

/** The number of a round in its level, from 0, and its progress. */
interface RoundProgress {
  readonly round: number;
  at(share: number, roundNnz: number): Progress;
}

/** Number and progress of a round; the progress names the share of non-zeros in blocks of twice the granularity. */
function progressOf(granularity: number, nnz: number, rounds: readonly RoundSummary[], round: number): RoundProgress {
  const nnzBefore = rounds.reduce((sum, r) => sum + (r.granularity === granularity ? r.nnz : 0), 0);
  const at = (share: number, roundNnz: number): Progress => {
    const covered = Math.round((100 * (nnzBefore + roundNnz)) / Math.max(1, nnz));
    const what = `granularity ${2 * granularity}, round ${round + 1}: ${covered}\u202f% of the non-zeros in blocks`;
    return { what, done: roundProgress(rounds.length, share), total: PROGRESS.total };
  };
  return { round, at };
}

/** A matched pair, the columns that it shares, and those that are extracted as blocks. */
interface ExtractedColumns extends Match {
  readonly shared: Uint32Array;
  readonly blocks: readonly Uint32Array[];
  /** units that decided which shared columns are not extracted; without any, the last ones are not */
  readonly witnesses: readonly number[];
}

/** Share of a round that is done after the search for partners, and after the search for witnesses. */
const MATCHED_SHARE = 0.8;
const REFINED_SHARE = 0.95;

/** Pairs between two yields: about 10 ms of work. */
const PAIRS_PER_YIELD = 128;

/**
 * One round: matches units in pairs, extracts blocks from their shared columns, and removes these columns from the units.
 * Appends the blocks to `extracted`.
 */
function* matchRound(
  p: EcCsrParams,
  { granularity, rowsOf, bits, foundNone }: Level,
  progress: RoundProgress,
  extracted: Block[],
  engine: OverlapEngine,
  listener: ExtractionListener | undefined,
): Steps<RoundSummary> {
  const minShared = blockColumns(p);
  // Units with fewer columns than a block are skipped.
  const candidates = new Uint8Array(bits.units);
  for (let u = 0; u < bits.units; u++) candidates[u] = columnCount(bits, u) >= minShared ? 1 : 0;
  const shared = engine.prepare(candidates);
  const progressAt = (share: number): Progress => progress.at(share, 0);
  const matching = { engine, bits, shared, foundNone, progress: (share: number) => progressAt(MATCHED_SHARE * share) };
  const matches = yield* matchSteps(matching, candidates.slice(), minShared);
  const pairs: ExtractedColumns[] = [];
  for (const [i, match] of matches.entries()) {
    const columns = sharedColumns(bits, match.unit, match.partner);
    pairs.push({ ...match, shared: columns, blocks: blocksOf(columns, p), witnesses: [] });
    if (i % PAIRS_PER_YIELD === PAIRS_PER_YIELD - 1) yield progressAt(MATCHED_SHARE);
  }
  if (progress.round === 0 && p.witnesses === 'two') {
    const refining = {
      ...matching,
      progress: (share: number) => progressAt(MATCHED_SHARE + (REFINED_SHARE - MATCHED_SHARE) * share),
    };
    yield* refineSteps(refining, candidates, pairs, p);
  }
  const blocksBefore = extracted.length;
  let nnz = 0;
  for (const [i, { unit, partner, blocks: extractedColumns, ...rest }] of pairs.entries()) {
    // step: extract
    const rows = concatRows(rowsOf[unit], rowsOf[partner]);
    const blocks = extractedColumns.map((columns) => ({ rows, columns }));
    for (const block of blocks) {
      removeColumns(bits, unit, block.columns);
      removeColumns(bits, partner, block.columns);
      nnz += block.columns.length * rows.length;
    }
    if (blocks.length > 0) {
      countChunks(bits.words, bits.bits, bits.chunkCounts, unit); // columns from each chunk of words on
      countChunks(bits.words, bits.bits, bits.chunkCounts, partner);
      for (const block of blocks) extracted.push(block);
    }
    listener?.pair({ ...rest, granularity, round: progress.round, unit, partner, blocks });
    if (i % PAIRS_PER_YIELD === PAIRS_PER_YIELD - 1) yield progress.at(REFINED_SHARE, nnz);
  }
  return { granularity, round: progress.round, pairs: matches.length, blocks: extracted.length - blocksBefore, nnz };
}

/**
 * For pairs that share more columns than their blocks take, leaves out the columns that no larger block could use. The
 * two units with most of the pair's shared columns are witnesses: a column that a witness lacks is not extracted,
 * unless fewer columns could then be extracted. Without this, rows that also share a few columns by chance would be split
 * at different positions, and the next level would lose a whole multiple of L v for each.
 */
function* refineSteps(round: Round, candidates: Uint8Array, pairs: ExtractedColumns[], p: EcCsrParams): Steps<void> {
  const columnsIn = (blocks: readonly Uint32Array[]): number => blocks.reduce((sum, block) => sum + block.length, 0);
  // Pairs with blocks that leave some of the shared columns.
  const withRemainder = [...pairs.keys()].filter((i) => {
    const taken = columnsIn(pairs[i].blocks);
    return taken > 0 && taken < pairs[i].shared.length;
  });
  const queries = withRemainder.map((i) => ({ ...pairs[i], min: columnsIn(pairs[i].blocks) }));
  const witnesses = yield* witnessSteps(round, candidates, queries);
  for (const [q, i] of withRemainder.entries()) {
    // Both witnesses decide, or only the first if both leave too few columns.
    for (const deciding of [witnesses[q], witnesses[q].slice(0, 1)]) {
      const confirmed = pairs[i].shared.filter((c) => deciding.every((unit) => hasColumn(round.bits, unit, c)));
      const blocks = blocksOf(confirmed, p);
      if (columnsIn(blocks) < queries[q].min) continue;
      pairs[i] = { ...pairs[i], blocks, witnesses: deciding };
      break;
    }
  }
}

/** The first level: the rows of the matrix. */
function* levelOfRows(m: Matrix, overlaps: OverlapEngine): Steps<Level> {
  const bits = overlaps.allocate(m.rows, wordsPerUnit(m.cols));
  const buffer = rowBuffer(m.cols);
  const rowsPerStep = rowsPerYield(m.cols);
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    setColumns(bits, r, buffer.columns.subarray(0, n));
    if (r % rowsPerStep === rowsPerStep - 1) {
      yield { what: 'reading rows', done: Math.floor((PROGRESS.read * (r + 1)) / m.rows), total: PROGRESS.total };
    }
  }
  const rowsOf = Array.from({ length: m.rows }, (_, r) => Uint32Array.of(r));
  return { granularity: 1, rowsOf, bits, foundNone: new Uint8Array(m.rows) };
}

/** The next level: extracted blocks, each with all of its rows. */
function levelOfBlocks(blocks: readonly Block[], granularity: number, cols: number, overlaps: OverlapEngine): Level {
  const bits = overlaps.allocate(blocks.length, wordsPerUnit(cols));
  blocks.forEach(({ columns }, u) => setColumns(bits, u, columns));
  return { granularity, rowsOf: blocks.map((b) => b.rows), bits, foundNone: new Uint8Array(blocks.length) };
}

/** The units of a level with their remaining columns, in the order of their numbers; some have none. */
function unitsOf({ rowsOf, bits }: Level): Block[] {
  const none = new Uint32Array(0);
  return rowsOf.map((rows, u) => ({ rows, columns: columnCount(bits, u) === 0 ? none : sharedColumns(bits, u, u) }));
}

/** Gives a unit of a new level its columns. */
function setColumns(bits: UnitBits, unit: number, columns: Uint32Array): void {
  // A new level's bits and counts are 0.
  if (columns.length === 0) return;
  const start = unit * bits.words;
  for (const c of columns) bits.bits[start + (c >>> 5)] |= 1 << (c & 31);
  countChunks(bits.words, bits.bits, bits.chunkCounts, unit);
}

/** Removes extracted columns from a unit. */
function removeColumns({ words, bits }: UnitBits, unit: number, columns: Uint32Array): void {
  const start = unit * words;
  for (const c of columns) bits[start + (c >>> 5)] &= ~(1 << (c & 31));
}

/** Columns that both units have, ascending. */
function sharedColumns({ words, bits }: UnitBits, a: number, b: number): Uint32Array {
  let count = 0;
  for (let w = 0; w < words; w++) count += popcount(bits[a * words + w] & bits[b * words + w]);
  const columns = new Uint32Array(count);
  let n = 0;
  for (let w = 0; n < count; w++) {
    let word = bits[a * words + w] & bits[b * words + w];
    while (word !== 0) {
      columns[n++] = w * 32 + 31 - Math.clz32(word & -word);
      word &= word - 1;
    }
  }
  return columns;
}

function hasColumn({ words, bits }: UnitBits, unit: number, column: number): boolean {
  return ((bits[unit * words + (column >>> 5)] >>> (column & 31)) & 1) === 1;
}

function concatRows(a: Uint32Array, b: Uint32Array): Uint32Array {
  const rows = new Uint32Array(a.length + b.length);
  rows.set(a);
  rows.set(b, a.length);
  return rows;
}
