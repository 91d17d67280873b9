import { bf16Bits, bf16Value } from '../../../core/number/index.ts';
import { Random } from '../../../core/number/random.ts';
import type { CsrMatrix } from '../../../core/matrix/index.ts';
import type { FeedForward, WalkedEntry } from './walk.ts';

/** The gradients through one non-zero of the walked token. */
interface BackEntry extends WalkedEntry {
  /** of the product h u: dy . Wd[n, :] */
  readonly back: number;
  /** back h, for x Wu */
  readonly du: number;
  /** back u, for x Wg */
  readonly dh: number;
}

/** The backward pass of the block on the stage, without its L1 term. */
export interface Backward {
  /** gradients of the outputs: K for every token */
  readonly dy: Float64Array;
  /** of the walked token */
  readonly entries: readonly BackEntry[];
  /** the neuron that most tokens fire, with those tokens and their activations: a column of h */
  readonly column: number;
  readonly tokens: readonly { readonly row: number; readonly h: number; readonly u: number }[];
  /** dWd[column, :]: the sum over those tokens of h u dy */
  readonly gradient: Float64Array;
}

const SEED = 11;

/** O(rows * width + non-zeros). Source: TwELL paper, equation 4. */
export function backwardOf(
  m: CsrMatrix,
  { width, x, up, down }: FeedForward,
  row: number,
  walked: readonly WalkedEntry[],
  column: number,
): Backward {
  const random = new Random(SEED);
  const dy = Float64Array.from({ length: m.rows * width }, () => (random.below(9) - 4) / 2);
  const dot = (a: Float64Array, i: number, b: Float64Array, j: number): number => {
    let sum = 0;
    for (let k = 0; k < width; k++) sum += a[i * width + k] * b[j * width + k];
    return sum;
  };
  const entries = walked.map((entry): BackEntry => {
    const back = dot(dy, row, down, entry.column);
    return { ...entry, back, du: back * entry.h, dh: back * entry.u };
  });
  // The walked token has its own inputs, the others random ones.
  const inputs = Float64Array.from({ length: m.rows * width }, () => (random.below(9) - 4) / 2);
  inputs.set(x.subarray(0, m.rows > 0 ? width : 0), row * width);
  const tokens: { row: number; h: number; u: number }[] = [];
  const gradient = new Float64Array(width);
  for (let r = 0; r < m.rows; r++) {
    for (let i = m.indptr[r]; i < m.indptr[r + 1]; i++) {
      if (m.indices[i] !== column) continue;
      const h = bf16Value(bf16Bits(m.data[i]));
      const u = dot(inputs, r, up, column);
      tokens.push({ row: r, h, u });
      // step: column
      for (let k = 0; k < width; k++) gradient[k] += h * u * dy[r * width + k];
    }
  }
  return { dy, entries, column, tokens, gradient };
}
