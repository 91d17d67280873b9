import { MatrixError } from '../../core/errors.ts';
import type { Matrix, RowBuffer } from '../../core/matrix/index.ts';
import { Random } from '../../core/number/random.ts';
import type { PatternSteps } from '../pattern.ts';
import { keepLargestSteps } from '../prune.ts';
import { rowSeed } from '../seeds.ts';

const MAX_CELLS = 2 ** 32;

/** Dense normal weights of which only the largest were kept. */
export const magnitude: PatternSteps = (spec) => {
  const cells = spec.rows * spec.cols;
  if (cells > MAX_CELLS) {
    throw new MatrixError(`rows x cols: found ${cells} cells to prune, expected at most ${MAX_CELLS}`);
  }
  return keepLargestSteps(normalCells(spec.rows, spec.cols, spec.seed), Math.round(spec.density * cells));
};

/** A matrix full of normal numbers that are generated when they are read, each row from its own seed. */
function normalCells(rows: number, cols: number, seed: number): Matrix {
  return {
    rows,
    cols,
    nnz: rows * cols,
    readRow(row: number, into: RowBuffer): number {
      new Random(rowSeed(seed, row)).fillNormal(into.values.subarray(0, cols));
      for (let c = 0; c < cols; c++) into.columns[c] = c;
      return cols;
    },
  };
}
