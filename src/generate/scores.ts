import type { RowBuffer } from '../core/matrix/index.ts';
import { mix, rowSeed } from './seeds.ts';

/** Scores of 31 bits for the first `n` entries of the row that was read last; valid until the next call. */
type RowScores = (row: number, n: number) => Uint32Array;

/**
 * Makes the scores of a pruning from the buffer that rows are read into. A pruning keeps the entries with the largest
 * scores, of equal ones the first in row-major order: what stays at one density also stays at any larger one.
 */
export type Scoring = (buffer: RowBuffer) => RowScores;

/** Scores by magnitude; NaN counts as larger than infinity. */
export const byMagnitude: Scoring = ({ values }) => {
  // The bits of an f32 without its sign are in the order of the magnitudes.
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const scores = new Uint32Array(values.length);
  return (_row, n) => {
    for (let i = 0; i < n; i++) scores[i] = bits[i] & 0x7fffffff;
    return scores;
  };
};

/** Pseudo-random scores: a hash of seed, row and column, whatever the values. The buffer has room for every column. */
export function atRandom(seed: number): Scoring {
  return ({ columns }) => {
    const scores = new Uint32Array(columns.length);
    // Hashed before they are combined with the row's key: otherwise rows with similar keys would have shifted scores.
    const columnKeys = Int32Array.from(scores, (_, column) => mix(column) | 0);
    return (row, n) => {
      const rowKey = rowSeed(seed, row) | 0;
      for (let i = 0; i < n; i++) {
        // `mix`, inline
        let z = (rowKey + columnKeys[columns[i]]) | 0;
        z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
        z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
        scores[i] = (z ^ (z >>> 16)) >>> 1;
      }
      return scores;
    };
  };
}
