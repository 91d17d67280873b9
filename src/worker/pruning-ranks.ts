import type { Steps } from '../core/job.ts';
import { type CsrArrays, lowerBound, type Matrix, type Region, rowBuffer } from '../core/matrix/index.ts';

/** Entries that are looked at between two reports: about 10 ms. */
const SLICE = 2 ** 20;

/** Prunings in which a smaller density keeps a part of what a larger one keeps. */
export type RankedWay = 'magnitude' | 'rows';

/** The cells of a region of a matrix, with the place of each in the order in which a pruning keeps them. */
export interface RankedCells extends CsrArrays {
  /**
   * From 1, one for each entry. Among all entries of the matrix (magnitude): the entry stays when
   * round(density * rows * cols) is at least its rank. Among those of its row (rows): when round(density * cols) is.
   */
  readonly ranks: Uint32Array;
}

/**
 * Ranks the cells of `region` by magnitude: exactly as pruneByMagnitude and pruneRows choose, the first of equal ones
 * in row-major order, NaN above infinity. One pass over the matrix, or over the region's rows; memory: the region, a
 * row and 256 KiB.
 */
export function* pruningRankSteps(m: Matrix, region: Region, way: RankedWay): Steps<RankedCells> {
  const cells = cellsOf(m, region);
  const ranks = new Uint32Array(cells.data.length);
  if (way === 'magnitude') {
    yield* rankSteps(m, region, cells, 0, m.rows, 0, cells.data.length, ranks);
  } else {
    for (let r = 0; r < region.rows; r++) {
      const row = region.row + r;
      yield* rankSteps(m, region, cells, row, row + 1, cells.indptr[r], cells.indptr[r + 1], ranks);
    }
  }
  return { ...cells, ranks };
}

/** The ranks of the entries `first` to `end` of the region among the entries of the matrix in rows `from` to `to`. */
function* rankSteps(
  m: Matrix,
  region: Region,
  cells: CsrArrays,
  from: number,
  to: number,
  first: number,
  end: number,
  ranks: Uint32Array,
): Steps<void> {
  if (first === end) return;
  const wanted = distinctMagnitudes(cells.data.subarray(first, end));
  const starts = bucketStarts(wanted);
  // by place among `wanted`: entries equal to it so far, and those above it and below the next
  const equal = new Uint32Array(wanted.length);
  const between = new Uint32Array(wanted.length + 1);
  const placeOf = new Uint32Array(end - first);
  const { columns, values } = rowBuffer(m.cols);
  // The bits of an f32 without its sign are in the order of the magnitudes.
  const bits = new Uint32Array(values.buffer);
  let at = first;
  let work = 0;
  for (let row = from; row < to; row++) {
    const n = m.readRow(row, { columns, values });
    const inRegion = row >= region.row && row < region.row + region.rows;
    const regionStart = inRegion ? lowerBound(columns, n, region.col) : n;
    const regionEnd = inRegion ? lowerBound(columns, n, region.col + region.cols) : n;
    for (let i = 0; i < n; i++) {
      const magnitude = bits[i] & 0x7fffffff;
      const bucket = magnitude >>> 16;
      const limit = starts[bucket + 1];
      let place = starts[bucket];
      while (place < limit && wanted[place] < magnitude) place++;
      if (place < limit && wanted[place] === magnitude) {
        equal[place]++;
        if (i >= regionStart && i < regionEnd) {
          placeOf[at - first] = place;
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
  // Turned into the number of entries that are larger than each of `wanted`.
  let larger = 0;
  for (let place = wanted.length - 1; place >= 0; place--) {
    larger += between[place + 1];
    between[place + 1] = larger;
    larger += equal[place];
  }
  for (let i = first; i < end; i++) ranks[i] += between[placeOf[i - first] + 1];
}

/** The cells of a region with indices from 0; values keep every bit, of NaN too, since they are found again by them. */
function cellsOf(m: Matrix, region: Region): CsrArrays {
  const { rows, cols } = region;
  const { columns, values } = rowBuffer(m.cols);
  const bits = new Uint32Array(values.buffer);
  const indptr = new Uint32Array(rows + 1);
  const indices: number[] = [];
  const data: number[] = [];
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(region.row + r, { columns, values });
    const end = lowerBound(columns, n, region.col + cols);
    for (let i = lowerBound(columns, n, region.col); i < end; i++) {
      indices.push(columns[i] - region.col);
      data.push(bits[i]);
    }
    indptr[r + 1] = indices.length;
  }
  const values32 = new Float32Array(Uint32Array.from(data).buffer);
  return { rows, cols, indptr, indices: Uint32Array.from(indices), data: values32 };
}

/** The magnitudes, each once, ascending, as the bits of f32. */
function distinctMagnitudes(data: Float32Array): Uint32Array {
  const bits = new Uint32Array(data.buffer, data.byteOffset, data.length);
  return new Uint32Array(new Set(bits.map((b) => b & 0x7fffffff))).sort();
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
