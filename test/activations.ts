// Activations and integer weights for tests of quantised kernels.

import { quantise } from '../src/core/number/quantise.ts';
import { Random } from '../src/core/number/random.ts';

/**
 * Rows of activations of every magnitude: ordinary, all zeros, all equal, below every scale, far below 1/512, far above
 * 65504; the first with only ties.
 */
export function activationsOfEveryMagnitude(tokens: number, cols: number): Float32Array {
  const random = new Random(cols);
  const magnitudes = [1, 0, 2 ** -12, 1e-33, 1e6, 3e-5, 1e30, 2 ** -110];
  const x = new Float32Array(tokens * cols);
  for (let t = 0; t < tokens; t++) {
    const magnitude = magnitudes[t % magnitudes.length];
    for (let c = 0; c < cols; c++) x[t * cols + c] = t % 5 === 4 ? magnitude : random.normal() * magnitude;
  }
  // Halves: with an absmax of 127 every one of them is a tie.
  for (let c = 0; c < cols; c++) x[c] = c === 0 ? 127 : (c % 250) / 2 - 62;
  return x;
}

/**
 * The expected output of a kernel for rows quantised to `words` words: the words of every row, then the bits of the
 * scales.
 */
export function quantisedWords(
  x: Float32Array,
  cols: number,
  words: number,
  wordsOf: (values: Int8Array) => Uint32Array,
): Uint32Array {
  const tokens = x.length / cols;
  const written = new Uint32Array(tokens * (words + 1));
  const scales = new Float32Array(written.buffer, 4 * tokens * words);
  for (let t = 0; t < tokens; t++) {
    const q = quantise(x.subarray(t * cols, (t + 1) * cols));
    written.set(wordsOf(q.values), t * words);
    scales[t] = q.scale;
  }
  return written;
}

/** A dense matrix of integers with a scale per row. */
export interface IntegerWeights {
  readonly rows: number;
  readonly cols: number;
  readonly cells: Int8Array;
  readonly scales: Float32Array;
}

/** Y = Q(X) W^T: integer sums, then the scales of token and row in this order, each product rounded to f32. */
export function integerProduct({ rows, cols, cells, scales }: IntegerWeights, x: Float32Array): Float32Array {
  const tokens = x.length / cols;
  const y = new Float32Array(tokens * rows);
  for (let t = 0; t < tokens; t++) {
    const q = quantise(x.subarray(t * cols, (t + 1) * cols));
    for (let r = 0; r < rows; r++) {
      let sum = 0;
      for (let c = 0; c < cols; c++) sum += q.values[c] * cells[r * cols + c];
      y[t * rows + r] = Math.fround(Math.fround(Math.fround(sum) * q.scale) * scales[r]);
    }
  }
  return y;
}
