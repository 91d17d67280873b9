import { bf16Table } from '../../../core/number/index.ts';
import { Random } from '../../../core/number/random.ts';
import { columnAt, countAt, entryAt, type TwellEncoded, valueBitsAt } from '../layout.ts';

/** The dense sides of a feed-forward block, as small as a picture needs: K inputs and outputs, N hidden neurons. */
export interface FeedForward {
  /** K */
  readonly width: number;
  /** one token: K values */
  readonly x: Float64Array;
  /** Wu transposed: row n is column n of Wu, K values */
  readonly up: Float64Array;
  /** Wd: row n, K values */
  readonly down: Float64Array;
}

/** Halves between -2 and 2 from a seed, so that sums can be followed by eye. O(hidden * width). */
export function feedForward(hidden: number, width: number, seed: number): FeedForward {
  const random = new Random(seed);
  const halves = (count: number): Float64Array => Float64Array.from({ length: count }, () => (random.below(9) - 4) / 2);
  return { width, x: halves(width), up: halves(hidden * width), down: halves(hidden * width) };
}

/** The contribution of one non-zero of a row to the output. */
export interface WalkedEntry {
  readonly tile: number;
  /** element of the encoded arrays */
  readonly element: number;
  /** hidden neuron */
  readonly column: number;
  /** its activation */
  readonly h: number;
  /** x . Wu[:, column] */
  readonly u: number;
  /** the output after it */
  readonly y: Float64Array;
}

/**
 * y = sum over the non-zeros n of the row of h[n] * (x . Wu[:, n]) * Wd[n, :], tile by tile, with the contribution of
 * every non-zero. O(non-zeros of the row * width). Source: TwELL paper, Algorithm 2.
 */
export function walkRow(e: TwellEncoded, row: number, { width, x, up, down }: FeedForward): readonly WalkedEntry[] {
  const table = bf16Table();
  const walked: WalkedEntry[] = [];
  const y = new Float64Array(width);
  for (let tile = 0; tile < e.tiles; tile++) {
    const tileRow = row * e.tiles + tile;
    const first = entryAt(e, tileRow, 0);
    for (let element = first; element < first + countAt(e, tileRow); element++) {
      // step: entry
      const column = columnAt(e, element);
      const h = table[valueBitsAt(e, element)];
      let u = 0;
      // step: up
      for (let k = 0; k < width; k++) u += x[k] * up[column * width + k];
      // step: down
      for (let k = 0; k < width; k++) y[k] += h * u * down[column * width + k];
      walked.push({ tile, element, column, h, u, y: y.slice() });
    }
  }
  return walked;
}
