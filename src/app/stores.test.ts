import { expect, it } from 'vitest';
import { rowBuffer } from '../core/matrix/index.ts';
import { seedOf, RandomWeights } from '../generate/random-weights.ts';
import { MAX_COLUMNS } from '../pages/watch/first-visit/row-animation.ts';
import { findPosition } from '../theory/models/model-tree.ts';
import { FIRST_VISIT } from './stores.ts';

/** The largest gap between two weights, in columns, that 4 bits can count. */
const MAX_SKIPPED = 15;

it('FIRST_VISIT shows a row with typical density; the next row is the first with a gap over 15', () => {
  const { source, window } = FIRST_VISIT;
  const { path, matrix } = findPosition(source.base);
  const weights = new RandomWeights({ ...matrix, seed: seedOf(Object.values(path).join(' ')) }, source.pruning);
  const buffer = rowBuffer(matrix.cols);
  /** Columns of weights that follow too many skipped ones, in columns [from, to) of a row. */
  const tooFar = (row: number, from: number, to: number): Uint32Array => {
    const columns = buffer.columns.subarray(0, weights.readRowPart(row, from, to, buffer));
    return columns.filter((column, i) => column - (i === 0 ? from - 1 : columns[i - 1]) - 1 > MAX_SKIPPED);
  };
  const gap = window.row + 1;
  const shown = weights.readRowPart(window.row, window.col, window.col + window.cols, buffer);
  expect([14, 15, 16, 17, 18]).toContain(shown);
  for (let row = 0; row < gap; row++) expect(tooFar(row, 0, matrix.cols), `row ${row}`).toHaveLength(0);
  const [first] = tooFar(gap, 0, matrix.cols);
  expect(tooFar(gap, window.col, window.col + window.cols)).toEqual(Uint32Array.of(first));
  expect(window.cols).toBe(MAX_COLUMNS);
});
