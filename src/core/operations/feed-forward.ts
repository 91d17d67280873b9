import { rowsPerYield, type Steps } from '../job.ts';
import { type Matrix, rowBuffer } from '../matrix/index.ts';
import { roundToBf16 } from '../number/index.ts';
import { type ExpectedWith, type Inputs, type Operation, expectationOfRows, type SizeField } from './operation.ts';
import { F32_MAX, SMALLEST_NORMAL_F32, sumBound, UNIT_ROUNDOFF_BF16 } from '../oracle.ts';
import { Random } from '../number/random.ts';
import { normalQuantile } from '../number/statistics.ts';
import { MAX_MULTIPLY_ADDS, sampleOf } from './sample.ts';

/**
 * The feed-forward block of a language model, y = (h * (x Wu^T)) Wd with h = ReLU(x Wg^T). The matrix is h: tokens x
 * hidden neurons. x is tokens x width; Wg, Wu and Wd are hidden x width, a row for each neuron. All inputs are bf16
 * values. Source: TwELL paper, section 2; formats/twell.md.
 */

/** Columns of the block's input and output. */
export const WIDTH: SizeField = {
  label: 'width',
  meaning: 'The width of the model.',
  default: 512,
  min: 8,
  max: 16_384,
  step: 8,
};

/** The names of the inputs with a block's weights, each with a row for every neuron. */
export const WEIGHTS = ['wg', 'wu', 'wd'] as const;

/** A bias larger than any sum of a neuron's other products, which have variance 1. */
const UNREACHED_BIAS = 32;

/** Standard normal quantiles at (i + 0.5) / 2^16; an index i is 16 random bits. */
let quantiles: Float64Array | null = null;

/**
 * A matrix of normal values in bf16 with standard deviation `deviation`, none of them 0. They are read from a table,
 * which is as fine as bf16 and fast enough for the weights of a real model.
 */
export function normalBf16(random: Random, rows: number, cols: number, deviation: number): Float32Array {
  quantiles ??= Float64Array.from({ length: 2 ** 16 }, (_, i) => normalQuantile((i + 0.5) / 2 ** 16));
  const table = Float32Array.from(quantiles, (q) => roundToBf16(deviation * q));
  const values = new Float32Array(rows * cols);
  const words = new Uint32Array(values.buffer);
  random.fill(words);
  for (let i = 0; i < words.length; i++) values[i] = table[words[i] >>> 16];
  return values;
}

/**
 * x and Wg such that ReLU(x Wg^T) has about as many non-zeros in a row as the matrix, and none in its empty columns.
 * Column 0 of x contains a bias per token, the normal quantile of the row's density; column 1 of Wg a bias per neuron.
 * All other columns are normal, so that every sum of their products is normal with variance 1.
 */
function gateInputs(m: Matrix, width: number, random: Random): { x: Float32Array; wg: Float32Array } {
  const nonZerosOfRow = new Uint32Array(m.rows);
  const isAlive = new Uint8Array(m.cols);
  const { columns, values } = rowBuffer(m.cols);
  for (let r = 0; r < m.rows; r++) {
    nonZerosOfRow[r] = m.readRow(r, { columns, values });
    for (let i = 0; i < nonZerosOfRow[r]; i++) isAlive[columns[i]] = 1;
  }
  const aliveColumns = isAlive.reduce((sum, flag) => sum + flag, 0);
  const x = normalBf16(random, m.rows, width, 1);
  const wg = normalBf16(random, m.cols, width, 1 / Math.sqrt(width - 2));
  for (let r = 0; r < m.rows; r++) {
    const density = aliveColumns === 0 ? 0 : nonZerosOfRow[r] / aliveColumns;
    x[r * width] = roundToBf16(Math.max(-UNREACHED_BIAS, Math.min(UNREACHED_BIAS, normalQuantile(density))));
    x[r * width + 1] = 1;
  }
  for (let n = 0; n < m.cols; n++) {
    wg[n * width] = 1;
    wg[n * width + 1] = isAlive[n] === 1 ? 0 : -2 * UNREACHED_BIAS;
  }
  return { x, wg };
}

/**
 * The tokens (rows) of x in another order, scaled by a power of two. A row of h then has the non-zeros of another row,
 * so h needs as much space when packed. The scale makes the values differ even if there is only one token.
 */
function rotatedTokens(x: Float32Array, rows: number, width: number, seed: number): Float32Array {
  const random = new Random(seed);
  const shift = rows > 1 ? 1 + random.below(rows - 1) : 0;
  const scale = 2 ** (1 + random.below(6));
  return x.map((_, i) => scale * x[(i + shift * width) % x.length]);
}

/** Wu and Wd, scaled so that the block's output is of the order of 1. */
function upDownInputs(m: Matrix, width: number, random: Random): { wu: Float32Array; wd: Float32Array } {
  return {
    wu: normalBf16(random, m.cols, width, 1 / Math.sqrt(width)),
    wd: normalBf16(random, m.cols, width, 1 / Math.sqrt(Math.max(1, m.cols))),
  };
}

/** Elements of the result of `writeDotProduct`. */
const SUM = 0;
const MAGNITUDE = 1;

/** Writes the dot product of `count` numbers of two arrays, and the sum of its terms' magnitudes, to `into`. */
export function writeDotProduct(
  a: Float32Array,
  aStart: number,
  b: Float32Array,
  bStart: number,
  count: number,
  into: Float64Array,
): void {
  let sum = 0;
  let magnitude = 0;
  for (let i = 0; i < count; i++) {
    const term = a[aStart + i] * b[bStart + i];
    sum += term;
    magnitude += Math.abs(term);
  }
  into[SUM] = sum;
  into[MAGNITUDE] = magnitude;
}

/**
 * h = ReLU(x Wg^T). A sum that is not above 0 becomes 0, and so would NaN, which inputs never contain. Outputs: tokens
 * x hidden. The error bound is the bound of the sum: ReLU makes no error larger.
 */
export const GATE: Operation = {
  id: 'gate',
  title: 'h = ReLU(x Wgᵀ)',
  summary: 'The gate of a feed-forward block, stored in the format.',
  sizes: { width: WIDTH },
  inputs: (m, { width }, seed) => gateInputs(m, width, new Random(seed)),
  varied: (m, inputs, { width }, seed) => ({ ...inputs, x: rotatedTokens(inputs.x, m.rows, width, seed) }),
  *expectedSteps(m, { x, wg }, { width }, sampling) {
    const tokens = sampleOf(m.rows, Math.floor(MAX_MULTIPLY_ADDS / Math.max(1, m.cols * width)), sampling);
    const output = new Float64Array(tokens.length * m.cols);
    const magnitude = new Float64Array(output.length);
    const dot = new Float64Array(2);
    const outputsPerYield = rowsPerYield(width);
    for (let i = 0; i < output.length; i++) {
      writeDotProduct(x, tokens[Math.floor(i / m.cols)] * width, wg, (i % m.cols) * width, width, dot);
      output[i] = Math.max(0, dot[SUM]);
      magnitude[i] = dot[MAGNITUDE];
      if (i % outputsPerYield === outputsPerYield - 1)
        yield { what: 'computing the reference', done: i + 1, total: output.length };
    }
    return expectationOfRows(tokens, m.rows, m.cols, output, (roundings) =>
      magnitude.map((sum) => sumBound(sum, width, roundings)),
    );
  },
};

/**
 * Computes the expected output (up and down projection) for given h, with an error bound for kernels, one token at a time.
 * `readToken` fills its second argument with the neurons whose h may not be 0, and returns how many there are. A kernel
 * may round h * (x Wu^T) to bf16 once.
 */
function* blockSteps(
  m: Matrix,
  { x, wu, wd }: Inputs,
  width: number,
  tokens: Uint32Array,
  readToken: (token: number, into: HiddenToken) => number,
): Steps<ExpectedWith> {
  const output = new Float64Array(tokens.length * width);
  const error = new Float64Array(output.length);
  const magnitude = new Float64Array(output.length);
  const entries = new Uint32Array(tokens.length);
  const hidden: HiddenToken = {
    neurons: new Uint32Array(m.cols),
    h: new Float64Array(m.cols),
    error: new Float64Array(m.cols),
  };
  const dot = new Float64Array(2);
  for (let t = 0; t < tokens.length; t++) {
    const count = readToken(tokens[t], hidden);
    entries[t] = count;
    for (let i = 0; i < count; i++) {
      // `up` is x Wu^T of this neuron, p = h * up, and pError the largest error of p in a kernel.
      const row = hidden.neurons[i] * width;
      writeDotProduct(x, tokens[t] * width, wu, row, width, dot);
      const h = hidden.h[i];
      const up = dot[SUM];
      const upError = sumBound(dot[MAGNITUDE], width, INNER_ROUNDINGS);
      const p = h * up;
      const hError = hidden.error[i];
      let pError = Math.abs(up) * hError + Math.abs(h) * upError + hError * upError;
      // Subnormals may be flushed to 0, and a value beyond f32 is infinite before Wd makes it small.
      pError += UNIT_ROUNDOFF_BF16 * (Math.abs(p) + pError) + SMALLEST_NORMAL_F32 * (1 + Math.abs(up));
      // NaN, as of 0 times infinity, makes the bound infinite as well.
      if (!(Math.abs(p) + pError <= F32_MAX)) pError = Number.POSITIVE_INFINITY;
      // y += p Wd
      for (let k = 0; k < width; k++) {
        const term = p * wd[row + k];
        output[t * width + k] += term;
        magnitude[t * width + k] += Math.abs(term);
        error[t * width + k] += wd[row + k] === 0 ? 0 : pError * Math.abs(wd[row + k]);
      }
    }
    yield { what: 'computing the reference', done: t + 1, total: tokens.length };
  }
  return expectationOfRows(tokens, m.rows, width, output, (roundings) =>
    error.map((e, i) => e + sumBound(magnitude[i] + e, entries[Math.floor(i / width)], roundings)),
  );
}

/** The neurons of one token whose h may not be 0, with h and the largest error of h in a kernel. */
interface HiddenToken {
  readonly neurons: Uint32Array;
  readonly h: Float64Array;
  readonly error: Float64Array;
}

/** Roundings of a kernel on the way to an intermediate sum. */
const INNER_ROUNDINGS = 2;

/** Reads the h of a token from the matrix, for `blockSteps`. */
function storedToken(m: Matrix): (token: number, into: HiddenToken) => number {
  const { values } = rowBuffer(m.cols);
  return (token, { neurons, h, error }) => {
    const count = m.readRow(token, { columns: neurons, values });
    for (let i = 0; i < count; i++) {
      h[i] = values[i];
      error[i] = 0;
    }
    return count;
  };
}

/** y = (h * (x Wu^T)) Wd for the h that the format stores. Outputs: tokens x width. */
export const UP_DOWN: Operation = {
  id: 'up-down',
  title: 'y = (h ⊙ x Wuᵀ) Wd',
  summary: 'The rest of a gated block: only neurons that fired.',
  sizes: { width: WIDTH },
  inputs(m, { width }, seed) {
    const random = new Random(seed);
    return { x: normalBf16(random, m.rows, width, 1), ...upDownInputs(m, width, random) };
  },
  varied: (m, inputs, { width }, seed) => ({ ...inputs, x: normalBf16(new Random(seed), m.rows, width, 1) }),
  expectedSteps(m, inputs, { width }, sampling) {
    const perToken = 2 * width * Math.max(1, m.nnz / Math.max(1, m.rows));
    const tokens = sampleOf(m.rows, Math.floor(MAX_MULTIPLY_ADDS / perToken), sampling);
    return blockSteps(m, inputs, width, tokens, storedToken(m));
  },
};

/** y = h Wd for the h that the format stores: a block that is not gated. Outputs: tokens x width. */
export const DOWN: Operation = {
  id: 'down',
  title: 'y = h Wd',
  summary: 'The second half of a block without a gate.',
  sizes: { width: WIDTH },
  inputs(m, { width }, seed) {
    return { wd: normalBf16(new Random(seed), m.cols, width, 1 / Math.sqrt(Math.max(1, m.cols))) };
  },
  *expectedSteps(m, { wd }, { width }, sampling) {
    const perToken = width * Math.max(1, m.nnz / Math.max(1, m.rows));
    const tokens = sampleOf(m.rows, Math.floor(MAX_MULTIPLY_ADDS / perToken), sampling);
    const output = new Float64Array(tokens.length * width);
    const magnitude = new Float64Array(output.length);
    const entries = new Uint32Array(tokens.length);
    const { columns, values } = rowBuffer(m.cols);
    for (let t = 0; t < tokens.length; t++) {
      entries[t] = m.readRow(tokens[t], { columns, values });
      for (let i = 0; i < entries[t]; i++) {
        for (let k = 0; k < width; k++) {
          const term = values[i] * wd[columns[i] * width + k];
          output[t * width + k] += term;
          magnitude[t * width + k] += Math.abs(term);
        }
      }
      yield { what: 'computing the reference', done: t + 1, total: tokens.length };
    }
    return expectationOfRows(tokens, m.rows, width, output, (roundings) =>
      magnitude.map((sum, i) => sumBound(sum, entries[Math.floor(i / width)], roundings)),
    );
  },
};

/**
 * y = (ReLU(x Wg^T) * (x Wu^T)) Wd, the whole block. A kernel may round h = ReLU(x Wg^T) and h * (x Wu^T)
 * to bf16 once each. Outputs: tokens x width.
 */
export const FORWARD: Operation = {
  id: 'forward',
  title: 'y = (ReLU(x Wgᵀ) ⊙ x Wuᵀ) Wd',
  summary: 'A whole gated feed-forward block.',
  sizes: { width: WIDTH },
  inputs(m, { width }, seed) {
    const random = new Random(seed);
    return { ...gateInputs(m, width, random), ...upDownInputs(m, width, random) };
  },
  varied: (m, inputs, { width }, seed) => ({ ...inputs, x: rotatedTokens(inputs.x, m.rows, width, seed) }),
  expectedSteps(m, inputs, { width }, sampling) {
    const { x, wg } = inputs;
    const dot = new Float64Array(2);
    const tokens = sampleOf(m.rows, Math.floor(MAX_MULTIPLY_ADDS / Math.max(1, 3 * m.cols * width)), sampling);
    return blockSteps(m, inputs, width, tokens, (token, { neurons, h, error }) => {
      for (let n = 0; n < m.cols; n++) {
        writeDotProduct(x, token * width, wg, n * width, width, dot);
        const sumError = sumBound(dot[MAGNITUDE], width, INNER_ROUNDINGS);
        neurons[n] = n;
        h[n] = Math.max(0, dot[SUM]);
        // A neuron whose sum is below 0 by more than any error adds nothing.
        error[n] = dot[SUM] < -sumError ? 0 : sumError + UNIT_ROUNDOFF_BF16 * (h[n] + sumError);
      }
      return m.cols;
    });
  },
};

/**
 * Like `FORWARD`; a kernel also stores x Wg^T (equal to h) and x Wu^T of the neurons that fired (h > 0), so that
 * `BACKWARD_STORED` need not compute them.
 */
export const FORWARD_STORING: Operation = {
  ...FORWARD,
  id: 'forward-storing',
  title: 'y, x Wgᵀ and x Wuᵀ kept',
  summary: 'The forward pass of a gated block in training.',
};
