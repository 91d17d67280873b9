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
import { byWanda } from '../../generate/prune-wanda.ts';
import { atRandom, byMagnitude, type Scoring } from '../../generate/scores.ts';
import { StandIn } from '../../generate/stand-in.ts';
import { knownNorms } from './pruning.ts';

// Ranks of entries: by them a page can preview any pruning of a region without asking the worker again.

/** Entries that are read between two reports: about 10 ms. */
const SLICE = 2 ** 20;

/** The order in which a pruning keeps entries: the first few are among those of any pruning that keeps more. */
export type Ranking =
  | { readonly way: 'magnitude' | 'rows' | 'wanda' }
  | { readonly way: 'random'; readonly seed: number }
  | { readonly way: 'n-of-m'; readonly group: number };

/** The cells of a region of a matrix, with the place of each in the order in which a pruning keeps them. */
export interface RankedCells extends CsrArrays {
  /**
   * From 1, one for each entry. Among all entries of the matrix (magnitude, random): the entry stays when
   * round(density * rows * cols) is at least its rank. Among those of its row (rows, wanda): when round(density * cols) is.
   * Among those of its group (n-of-m): when N is.
   */
  readonly ranks: Uint32Array;
}

/**
 * Ranks the cells of `region` exactly as the prunings choose: by magnitude, NaN above infinity, or by the scores of
 * `atRandom`, the first of equal ones in row-major order; in a group, of equal ones those in higher columns. One pass
 * over the matrix (magnitude, random), or over the region's rows alone, also for stand-in weights; memory: the region, a
 * row and 256 KiB. `norms` as in `pruneSteps`. Throws MatrixError for an invalid group, and for a ranking by norms without them.
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
  const scoring = m instanceof StandIn && ranking.way === 'magnitude' ? m.byMagnitude : scoringOf(ranking, norms);
  const { cells, numbers: scores } = numberedCells(m, region, scoring);
  // Ranks as expected of stand-in weights (random ones for a model's): those outside the region are not computed.
  if (m instanceof StandIn && (ranking.way === 'magnitude' || ranking.way === 'random')) {
    return { ...cells, ranks: scores.map((score) => m.rankOf(score)) };
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

function scoringOf(ranking: Exclude<Ranking, { readonly way: 'n-of-m' }>, norms: Float32Array | null): Scoring {
  if (ranking.way === 'random') return atRandom(ranking.seed);
  return ranking.way === 'wanda' ? byWanda(knownNorms(norms)) : byMagnitude;
}

/** Fills `ranks` with those of the region's entries, of the scores `own`, among the matrix's in rows `from` to `to`. */
function* rankSteps(
  m: Rows,
  region: Region,
  scoring: Scoring,
  from: number,
  to: number,
  own: Uint32Array,
  ranks: Uint32Array,
): Steps<void> {
  if (own.length === 0) return;
  const distinct = new Uint32Array(new Set(own)).sort();
  const starts = bucketStarts(distinct);
  // by place among `distinct`: entries equal to it so far, and those above it and below the next
  const equal = new Uint32Array(distinct.length);
  const between = new Uint32Array(distinct.length + 1);
  const placeOf = new Uint32Array(own.length);
  const buffer = rowBuffer(m.cols);
  const scoresOf = scoring(buffer);
  let at = 0;
  let work = 0;
  for (let row = from; row < to; row++) {
    const n = m.readRow(row, buffer);
    const scores = scoresOf(row, n);
    const inRegion = row >= region.row && row < region.row + region.rows;
    const regionStart = inRegion ? lowerBound(buffer.columns, n, region.col) : n;
    const regionEnd = inRegion ? lowerBound(buffer.columns, n, region.col + region.cols) : n;
    for (let i = 0; i < n; i++) {
      const score = scores[i];
      const bucket = score >>> 16;
      const limit = starts[bucket + 1];
      let place = starts[bucket];
      while (place < limit && distinct[place] < score) place++;
      if (place < limit && distinct[place] === score) {
        equal[place]++;
        if (i >= regionStart && i < regionEnd) {
          placeOf[at] = place;
          // its place among its equals
          ranks[at++] = equal[place];
        }
      } else {
        between[place]++;
      }
    }
    work += n + 64;
    if (work > SLICE) {
      yield { what: 'Ranking', done: row - from + 1, total: to - from };
      work = 0;
    }
  }
  // Turned into the number of entries that are larger than each of `distinct`.
  let larger = 0;
  for (let place = distinct.length - 1; place >= 0; place--) {
    larger += between[place + 1];
    between[place + 1] = larger;
    larger += equal[place];
  }
  for (let i = 0; i < own.length; i++) ranks[i] += between[placeOf[i] + 1];
}

/** A number of entry `i` of a row, whose first `n` entries are in the buffer, from the scores of all of them. */
type NumberEntry = (scores: Uint32Array, i: number, n: number, columns: RowBuffer['columns']) => number;

/** The cells of a region with indices from 0, and a number of each; default: its score. */
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

/** In a group every NaN counts the same, just above infinity. */
const NAN_SCORE = 0x7f800001;

/** The rank of each entry in its group; groups that reach out of the region are looked at whole. */
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

/** For each value of the upper 15 bits: where its magnitudes begin; one more for the end. */
function bucketStarts(ascending: Uint32Array): Uint32Array {
  const starts = new Uint32Array(2 ** 15 + 1);
  let place = 0;
  for (let bucket = 0; bucket < starts.length; bucket++) {
    while (place < ascending.length && ascending[place] >>> 16 < bucket) place++;
    starts[bucket] = place;
  }
  return starts;
}
