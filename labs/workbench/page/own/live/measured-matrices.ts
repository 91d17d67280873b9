// The matrices for which the bytes of a custom format are counted: the open one, and random ones by density.

import { type CsrArrays, CsrMatrix, type Matrix } from '../../../../../src/core/matrix/index.ts';
import { generate, type GenerateSpec } from '../../../../../src/generate/generate.ts';
import type { App } from '../../../../../src/kit/app-context.ts';

/** Maximum cells per request to the worker. */
const MAX_CELLS = 2 ** 20;
/** Non-zeros after which no more rows are read: few enough to be encoded without a noticeable pause. */
const MAX_NON_ZEROS = 2 ** 19;

/** The open matrix, or as many of its first rows as contain half a million non-zeros; null if it cannot be read. */
export async function matrixToMeasure({
  session,
}: Pick<App, 'session'>): Promise<{ readonly matrix: CsrMatrix; readonly isWholeMatrix: boolean } | null> {
  const { summary } = session.store.getState();
  if (!summary || summary.cols > MAX_CELLS) return null;
  const { rows, cols } = summary;
  const parts: CsrArrays[] = [];
  const step = Math.max(1, Math.floor(MAX_CELLS / Math.max(1, cols)));
  let row = 0;
  for (let nonZeros = 0; row < rows && nonZeros < MAX_NON_ZEROS;) {
    const count = Math.min(step, rows - row);
    const part = await session.cells({ row, col: 0, rows: count, cols });
    if (!part) return null;
    parts.push(part);
    nonZeros += part.data.length;
    row += count;
  }
  return { matrix: stacked(parts, cols), isWholeMatrix: row === rows };
}

/** The matrix of all parts, one below the other. O(non-zeros). */
function stacked(parts: readonly CsrArrays[], cols: number): CsrMatrix {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const nonZeros = parts.reduce((sum, part) => sum + part.data.length, 0);
  const indptr = new Uint32Array(rows + 1);
  const indices = new Uint32Array(nonZeros);
  const data = new Float32Array(nonZeros);
  let row = 0;
  let next = 0;
  for (const part of parts) {
    indices.set(part.indices, next);
    data.set(part.data, next);
    for (let r = 0; r < part.rows; r++) indptr[row + r + 1] = next + part.indptr[r + 1];
    row += part.rows;
    next += part.data.length;
  }
  return new CsrMatrix({ rows, cols, indptr, indices, data });
}

const DENSITIES = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1];
/** Rows and columns of each random matrix, which is small enough to be encoded within an animation frame. */
export const DENSITY_SIZE = 256;

/** A random matrix for each density, generated on first use. */
export const matricesByDensity = DENSITIES.map((density) => {
  const spec: GenerateSpec = { pattern: 'uniform', rows: DENSITY_SIZE, cols: DENSITY_SIZE, density, seed: 1 };
  let matrix: Matrix | null = null;
  return { density, make: () => (matrix ??= generate(spec)) };
});
