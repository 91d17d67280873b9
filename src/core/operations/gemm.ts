import { type Steps, rowsPerYield } from '../job.ts';
import { type Matrix, rowBuffer } from '../matrix/index.ts';
import { roundToF16 } from '../number/index.ts';
import { type ExpectedWith, type Operation, expectationOfRows, type SizeField } from './operation.ts';
import { sumBound } from '../oracle.ts';
import { quantise } from '../number/quantise.ts';
import { Random } from '../number/random.ts';
import { MAX_MULTIPLY_ADDS, sampleOf, type Sampling } from './sample.ts';

/** The number of tokens, each a row of the activations. */
export const TOKENS: SizeField = {
  label: 'tokens',
  meaning: 'Rows of activations multiplied at once.',
  default: 256,
  min: 1,
  max: 65_536,
};

/** Activations of `tokens` rows: f16 values, so that kernels that keep them in f16 see the same numbers. */
export function activations(m: Pick<Matrix, 'cols'>, tokens: number, seed: number): Float32Array {
  const random = new Random(seed);
  return Float32Array.from({ length: tokens * m.cols }, () => roundToF16(random.uniform() * 2 - 1));
}

/**
 * Computes the expected Y = X A^T: activations X (tokens x columns of A), outputs Y (tokens x rows of A) row by row, each
 * with the bound of `sumBound`. `tokenOf` returns the row of X for a token, and the factor of its products.
 */
function* productSteps(
  m: Matrix,
  tokens: number,
  sampling: Sampling | undefined,
  tokenOf: (token: number) => { readonly values: Float32Array | Int8Array; readonly scale: number },
): Steps<ExpectedWith> {
  const sampledTokens = sampleOf(tokens, Math.floor(MAX_MULTIPLY_ADDS / Math.max(1, m.nnz)), sampling);
  const rows = Array.from(sampledTokens, tokenOf);
  const output = new Float64Array(rows.length * m.rows);
  const magnitude = new Float64Array(output.length);
  const entries = new Uint32Array(m.rows);
  const { columns, values } = rowBuffer(m.cols);
  const buffer = { columns, values };
  const slice = rowsPerYield(m.cols * rows.length);
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    entries[r] = n;
    for (let t = 0; t < rows.length; t++) {
      const { values: x, scale } = rows[t];
      let sum = 0;
      let magnitudes = 0;
      for (let i = 0; i < n; i++) {
        const product = values[i] * x[columns[i]];
        sum += product;
        magnitudes += Math.abs(product);
      }
      output[t * m.rows + r] = sum * scale;
      magnitude[t * m.rows + r] = magnitudes * scale;
    }
    if (r % slice === slice - 1) yield { what: 'computing the reference', done: r + 1, total: m.rows };
  }
  return expectationOfRows(sampledTokens, tokens, m.rows, output, (roundings) =>
    magnitude.map((sum, i) => sumBound(sum, entries[i % m.rows], roundings)),
  );
}

/** Sizes and inputs of both operations. */
const ON_TOKENS = {
  sizes: { tokens: TOKENS },
  inputs: (m, { tokens }, seed) => ({ x: activations(m, tokens, seed) }),
  varied: (m, _inputs, { tokens }, seed) => ({ x: activations(m, tokens, seed) }),
} as const satisfies Partial<Operation>;

/** Y = X A^T with sums in f32. X contains f16 values between -1 and 1. Outputs: tokens x rows of A. */
export const GEMM: Operation = {
  id: 'gemm',
  title: 'Y = X Aᵀ',
  summary: 'A weight matrix times many tokens: reading a prompt.',
  ...ON_TOKENS,
  expectedSteps: (m, { x }, { tokens }, sampling) =>
    productSteps(m, tokens, sampling, (t) => ({ values: x.subarray(t * m.cols, (t + 1) * m.cols), scale: 1 })),
};

/**
 * Y = Q(X) A^T: every row of X is quantised to i8 (`quantise`), integers are multiplied and summed exactly, and every
 * sum is multiplied by the scales of its token and its row of A. For weights in i8. Outputs: tokens x rows of A.
 */
export const GEMM_I8: Operation = {
  id: 'gemm-i8',
  title: 'Y = Q(X) Aᵀ',
  summary: 'The same with 8-bit activations and exact integer sums.',
  ...ON_TOKENS,
  expectedSteps: (m, { x }, { tokens }, sampling) =>
    productSteps(m, tokens, sampling, (t) => quantise(x.subarray(t * m.cols, (t + 1) * m.cols))),
};
