import { bf16Value } from '../../../core/number/index.ts';
import { Random } from '../../../core/number/random.ts';
import { columnAt, countAt, entryAt, type TwellEncoded, valueBitsAt } from '../layout.ts';

/** One token's row of the output tile that a workgroup of the gate GEMM computes: a row of x Wg, T columns wide. */
export interface GateTile {
  readonly row: number;
  readonly tile: number;
  /** first column, and columns */
  readonly from: number;
  readonly width: number;
  /** K values of the token */
  readonly x: ArrayLike<number>;
  /** K x width: rows of Wg, in the columns of the tile; invented so that ReLU(x Wg) equals the window */
  readonly weights: readonly Float64Array[];
  /** x Wg before ReLU */
  readonly sums: Float64Array;
  /** columns within the tile that are stored, ascending, with their element of the arrays */
  readonly kept: readonly { readonly column: number; readonly element: number }[];
}

const SEED = 6;

/**
 * The fullest tile of a row, as the gate GEMM computes it. Weights are random halves, except for one per column, which
 * makes the sum equal the stored activation, or a negative number if none is stored. Null if the row has no tile.
 * O(width * K).
 */
export function gateTile(e: TwellEncoded, row: number, x: ArrayLike<number>): GateTile | null {
  if (e.tiles === 0 || e.rows === 0) return null;
  const countOf = (tile: number): number => countAt(e, row * e.tiles + tile);
  let tile = 0;
  for (let t = 1; t < e.tiles; t++) if (countOf(t) > countOf(tile)) tile = t;
  const from = tile * e.tileWidth;
  const width = Math.min(e.tileWidth, e.cols - from);
  const tileRow = row * e.tiles + tile;
  const first = entryAt(e, tileRow, 0);
  const kept = Array.from({ length: countOf(tile) }, (_, i) => ({
    column: columnAt(e, first + i) - from,
    element: first + i,
  }));
  const random = new Random(SEED);
  const sums = Float64Array.from({ length: width }, () => -(1 + random.below(6)) / 2);
  for (const { column, element } of kept) sums[column] = bf16Value(valueBitsAt(e, element));
  const weights = Array.from({ length: x.length }, () =>
    Float64Array.from({ length: width }, () => (random.below(9) - 4) / 2),
  );
  const solved = solvedInput(x);
  for (let c = 0; c < width; c++) {
    let others = 0;
    for (let k = 0; k < x.length; k++) if (k !== solved) others += x[k] * weights[k][c];
    weights[solved][c] = (sums[c] - others) / x[solved];
  }
  return { row, tile, from, width, x, weights, sums, kept };
}

/** The input whose weights are solved for: one of magnitude 1, or else the first that is not 0. */
function solvedInput(x: ArrayLike<number>): number {
  const inputs = Array.from(x);
  const ones = inputs.findIndex((value) => Math.abs(value) === 1);
  return ones >= 0 ? ones : inputs.findIndex((value) => value !== 0);
}
