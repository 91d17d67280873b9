import type { Steps } from '../../core/job.ts';
import {
  type CsrArrays,
  lowerBound,
  type Region,
  rowBuffer,
  type RowBuffer,
  type Rows,
} from '../../core/matrix/index.ts';
import { checkPattern } from '../../core/matrix/prune-pattern.ts';
import { byWanda, atRandom, byMagnitude, type Scoring } from '../../generate/prune.ts';
import { RandomWeights } from '../../generate/random-weights.ts';
import { requireNorms } from './pruning.ts';

// Ranks entries in the order in which a pruning keeps them. With the ranks, a page can preview any pruning of a region
// without a further request to the worker.

/** Entries read between two yields: about 10 ms. Each row counts as ROW_COST further entries. */
const ENTRIES_PER_YIELD = 2 ** 20;
const ROW_COST = 64;

/** The order in which a pruning keeps entries. A pruning to a higher density keeps the same first entries, and more. */
export type Ranking =
  | { readonly way: 'magnitude' | 'rows' | 'wanda' }
  | { readonly way: 'random'; readonly seed: number }
  | { readonly way: 'n-of-m'; readonly group: number };

/** The stored cells of a region of a matrix, and the rank of each in the order in which a pruning keeps entries. */
export interface RankedCells extends CsrArrays {
  /**
   * One for each entry, from 1. Magnitude, random: among all entries of the matrix; the entry stays if its rank is at
   * most round(density * rows * cols). Rows, wanda: among the entries of its row; at most round(density * cols).
   * N-of-m: among the entries of its group; at most N.
   */
  readonly ranks: Uint32Array;
}

/**
 * Ranks the cells of `region` as the prunings do: by magnitude (NaN above infinity), |w| times norm, or a random score; ties:
 * in row-major order, in a group from the last column on. One pass over the matrix (magnitude,
 * random), or over the region's rows alone, also for random weights; memory: the region, a row, 256 KiB. `norms`: of
 * the columns' activations. Throws MatrixError for an invalid group, and for wanda without norms.
 */
export function* pruningRankSteps(
  m: Rows,
  region: Region,
  ranking: Ranking,
  norms: Float32Array | null = null,
): Steps<RankedCells> {
  if (ranking.way === 'n-of-m') {
    checkPattern(1, ranking.group);
    const { cells, numbers: ranks } = numberedCells(m, region, byMagnitude, rankIn(ranking.group));
    return { ...cells, ranks };
  }
  const scoring = m instanceof RandomWeights && ranking.way === 'magnitude' ? m.byMagnitude : scoringOf(ranking, norms);
  const { cells, numbers: scores } = numberedCells(m, region, scoring);
  // Random weights instead of a model's: expected ranks, so that none outside the region is computed.
  if (m instanceof RandomWeights && (ranking.way === 'magnitude' || ranking.way === 'random')) {
    return { ...cells, ranks: scores.map((score) => m.expectedRank(score)) };
  }
  const ranks = new Uint32Array(scores.length);
  if (ranking.way === 'rows' || ranking.way === 'wanda') {
    for (let r = 0; r < region.rows; r++) {
      const row = region.row + r;
      const [first, end] = [cells.indptr[r], cells.indptr[r + 1]];
      yield* rankSteps(m, region, scoring, row, row + 1, scores.subarray(first, end), ranks.subarray(first, end));
    }
  } else {
    yield* rankSteps(m, region, scoring, 0, m.rows, scores, ranks);
  }
  return { ...cells, ranks };
}

/** The scores by which a pruning ranks entries. */
function scoringOf(ranking: Exclude<Ranking, { readonly way: 'n-of-m' }>, norms: Float32Array | null): Scoring {
  if (ranking.way === 'random') return atRandom(ranking.seed);
  return ranking.way === 'wanda' ? byWanda(requireNorms(norms)) : byMagnitude;
}

/** Fills `ranks` with the ranks of the region's entries, whose scores are `regionScores`, among all entries in rows [from, to). */
function* rankSteps(
  m: Rows,
  region: Region,
  scoring: Scoring,
  from: number,
  to: number,
  regionScores: Uint32Array,
  ranks: Uint32Array,
): Steps<void> {
  if (regionScores.length === 0) return;
  const distinct = new Uint32Array(new Set(regionScores)).sort();
  const starts = bucketStarts(distinct);
  // By position in `distinct`: the entries with this score so far, and those with a score between the one before and this.
  const equalCounts = new Uint32Array(distinct.length);
  const betweenCounts = new Uint32Array(distinct.length + 1);
  // By entry of the region: the position of its score in `distinct`.
  const positionOf = new Uint32Array(regionScores.length);
  const buffer = rowBuffer(m.cols);
  const scoresOf = scoring(buffer);
  let regionEntry = 0;
  let entriesRead = 0;
  for (let row = from; row < to; row++) {
    const n = m.readRow(row, buffer);
    const scores = scoresOf(row, n);
    const inRegion = row >= region.row && row < region.row + region.rows;
    const regionStart = inRegion ? lowerBound(buffer.columns, n, region.col) : n;
    const regionEnd = inRegion ? lowerBound(buffer.columns, n, region.col + region.cols) : n;
    for (let i = 0; i < n; i++) {
      const score = scores[i];
      const bucket = score >>> 16;
      const bucketEnd = starts[bucket + 1];
      let position = starts[bucket];
      while (position < bucketEnd && distinct[position] < score) position++;
      if (position < bucketEnd && distinct[position] === score) {
        equalCounts[position]++;
        if (i >= regionStart && i < regionEnd) {
          positionOf[regionEntry] = position;
          ranks[regionEntry++] = equalCounts[position]; // among equal scores
        }
      } else {
        betweenCounts[position]++;
      }
    }
    entriesRead += n + ROW_COST;
    if (entriesRead > ENTRIES_PER_YIELD) {
      yield { what: 'Ranking', done: row - from + 1, total: to - from };
      entriesRead = 0;
    }
  }
  // betweenCounts[position + 1] becomes the number of entries with a larger score than distinct[position].
  let larger = 0;
  for (let position = distinct.length - 1; position >= 0; position--) {
    larger += betweenCounts[position + 1];
    betweenCounts[position + 1] = larger;
    larger += equalCounts[position];
  }
  for (let i = 0; i < regionScores.length; i++) ranks[i] += betweenCounts[positionOf[i] + 1];
}

/** A number for entry `i` of a row, from the scores and columns of its `n` entries. */
type NumberEntry = (scores: Uint32Array, i: number, n: number, columns: RowBuffer['columns']) => number;

/** The cells of a region with indices from 0, and a number for each; default: its score. */
function numberedCells(
  m: Rows,
  region: Region,
  scoring: Scoring,
  numberOf: NumberEntry = (scores, i) => scores[i],
): { cells: CsrArrays; numbers: Uint32Array } {
  const { rows, cols } = region;
  const buffer = rowBuffer(m.cols);
  const { columns, values } = buffer;
  const scoresOf = scoring(buffer);
  const indptr = new Uint32Array(rows + 1);
  const [indices, data, numbers]: number[][] = [[], [], []];
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(region.row + r, buffer);
    const scores = scoresOf(region.row + r, n);
    const end = lowerBound(columns, n, region.col + cols);
    for (let i = lowerBound(columns, n, region.col); i < end; i++) {
      indices.push(columns[i] - region.col);
      data.push(values[i]);
      numbers.push(numberOf(scores, i, n, columns));
    }
    indptr[r + 1] = indices.length;
  }
  const cells = { rows, cols, indptr, indices: Uint32Array.from(indices), data: Float32Array.from(data) };
  return { cells, numbers: Uint32Array.from(numbers) };
}

/** The score of every NaN in a group: just above infinity. */
const NAN_SCORE = 0x7f800001;

/** The rank of an entry among all of its group, also those outside the region. */
function rankIn(group: number): NumberEntry {
  return (scores, i, n, columns) => {
    const groupStart = Math.floor(columns[i] / group) * group;
    const score = Math.min(scores[i], NAN_SCORE);
    let rank = 1;
    for (let j = i - 1; j >= 0 && columns[j] >= groupStart; j--) if (Math.min(scores[j], NAN_SCORE) > score) rank++;
    for (let j = i + 1; j < n && columns[j] < groupStart + group; j++) if (scores[j] >= score) rank++;
    return rank;
  };
}

/** For each value of the upper 15 of 31 bits: the index in `ascending` where its scores begin; then the end. */
function bucketStarts(ascending: Uint32Array): Uint32Array {
  const starts = new Uint32Array(2 ** 15 + 1);
  let position = 0;
  for (let bucket = 0; bucket < starts.length; bucket++) {
    while (position < ascending.length && ascending[position] >>> 16 < bucket) position++;
    starts[bucket] = position;
  }
  return starts;
}
