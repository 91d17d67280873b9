import type { Steps } from '../job.ts';
import { type Matrix, rowBuffer, toCsr } from '../matrix/index.ts';
import {
  type ExpectedWith,
  type Inputs,
  type Operation,
  expectationOfRows,
  type SizeField,
  type Sizes,
} from './operation.ts';
import { F32_MAX, sumBound } from '../oracle.ts';
import { Random } from '../number/random.ts';
import { normalBf16, writeDotProduct, WEIGHTS, WIDTH } from './feed-forward.ts';
import { MAX_MULTIPLY_ADDS, sampleOf, type Sampling } from './sample.ts';

// Operations of training a gated block: its backward pass, a sampled product, and a step of gradient descent.

/** A size, a whole number, for a fraction in millionths: 15,625 is 2^-6. */
const millionths = (label: string, meaning: string, defaultSize: number): SizeField => ({
  label: `${label}, millionths`,
  meaning,
  default: defaultSize,
  min: 0,
  max: 1_000_000,
});

/** A size in millionths as the f32 that kernels multiply with. */
export const fromMillionths = (size: number): number => Math.fround(size / 1e6);

/** Sizes of a backward pass; `l1`: the weight of sum |h| in the loss, whose gradient is l1 * sign(h). */
const BACKWARD_SIZES = {
  width: WIDTH,
  l1: millionths('L1', 'Coefficient of the sum of |h| in the loss.', 15_625),
};

/** Maximum number of outputs that are compared. Of more, tokens or rows of weights are sampled. */
const MAX_COMPARED = 2 ** 22;
/** Roundings of a kernel on the way to an intermediate sum. */
const INNER_ROUNDINGS = 4;

/** Random weights Wg, Wu and Wd, with a row for each neuron. */
function weights(neurons: number, width: number, random: Random): Inputs {
  return Object.fromEntries(WEIGHTS.map((name) => [name, normalBf16(random, neurons, width, 1 / Math.sqrt(width))]));
}

/**
 * The backward pass of a gated block at the gate activations hg that the format stores: with hu = x Wu^T, h = hg * hu,
 * y = h Wd and the loss <y, dy> + l1 * sum |h|,
 *
 * dh = dy Wd^T + l1 * sign(h) where hg is not 0, dhu = dh * hg, dhg = dh * hu,
 * dx = dhu Wu + dhg Wg, dWg = dhg^T x, dWu = dhu^T x, dWd = h^T dy.
 *
 * Outputs in this order: dx (tokens x width), dWg, dWu, dWd (hidden x width each). All sums and intermediate values are
 * f32. Source: TwELL paper, equation 4, with the L1 term on h from its equation 2.
 */
export const BACKWARD: Operation = {
  id: 'backward',
  title: '∇x, ∇Wg, ∇Wu, ∇Wd',
  summary: 'The backward pass: gradients flow only where the gate fired.',
  sizes: BACKWARD_SIZES,
  inputs(m, { width }, seed) {
    const random = new Random(seed);
    const [x, dy] = [normalBf16(random, m.rows, width, 1), normalBf16(random, m.rows, width, 1)];
    return { x, dy, ...weights(m.cols, width, random) };
  },
  // x stays, since BACKWARD_STORED has an x Wu^T that was computed from it.
  varied: (m, inputs, { width }, seed) => ({ ...inputs, dy: normalBf16(new Random(seed), m.rows, width, 1) }),
  expectedSteps: backwardSteps,
};

/** Like `BACKWARD`, with the hu that the forward pass has stored: its time excludes computing hu. */
export const BACKWARD_STORED: Operation = {
  ...BACKWARD,
  id: 'backward-stored',
  title: '∇x, ∇Wg, ∇Wu, ∇Wd, x Wu stored',
  summary: 'The backward pass with x Wu kept, as in the paper.',
};

/**
 * The product of a token's row of dy with a neuron's row of Wd at every non-zero of the matrix h: dh as the backward
 * pass needs it, without its L1 term. Outputs: cells of tokens x hidden, row by row, 0 everywhere else. Source: TwELL
 * paper, listing 5.
 */
export const SAMPLED_PRODUCT: Operation = {
  id: 'sampled-product',
  title: 'dy Wdᵀ → pattern of h',
  summary: 'The gradient of activations, only where they are non-zero.',
  sizes: { width: WIDTH },
  inputs(m, { width }, seed) {
    const random = new Random(seed);
    return {
      dy: normalBf16(random, m.rows, width, 1),
      wd: normalBf16(random, m.cols, width, 1 / Math.sqrt(width)),
    };
  },
  varied: (m, inputs, { width }, seed) => ({ ...inputs, dy: normalBf16(new Random(seed), m.rows, width, 1) }),
  expectedSteps: sampledProductSteps,
};

function* sampledProductSteps(
  m: Matrix,
  { dy, wd }: Inputs,
  { width }: Sizes,
  sampling: Sampling | undefined,
): Steps<ExpectedWith> {
  const cells = Math.max(1, m.rows * m.cols);
  const share = Math.min(1, MAX_MULTIPLY_ADDS / 2 / Math.max(1, m.nnz * width), MAX_COMPARED / cells);
  const tokens = sampleOf(m.rows, Math.ceil(m.rows * share), sampling);
  const output = new Float64Array(tokens.length * m.cols);
  const magnitude = new Float64Array(output.length);
  const buffer = rowBuffer(m.cols);
  const pair = new Float64Array(2);
  for (let i = 0; i < tokens.length; i++) {
    const n = m.readRow(tokens[i], buffer);
    for (let j = 0; j < n; j++) {
      const neuron = buffer.columns[j];
      writeDotProduct(dy, tokens[i] * width, wd, neuron * width, width, pair);
      [output[i * m.cols + neuron], magnitude[i * m.cols + neuron]] = pair;
    }
    yield { what: 'computing the reference', done: i + 1, total: tokens.length };
  }
  return expectationOfRows(tokens, m.rows, m.cols, output, (roundings) =>
    // A cell without a product, or with nothing but zeros to add up, is exactly 0.
    magnitude.map((sum) => sumBound(sum, sum === 0 ? 0 : width, roundings)),
  );
}

/** Gradients of the three weights, uniform between -0.5 and 0.5. */
function gradients(count: number, random: Random): Inputs {
  const uniform = (): Float32Array => {
    const values = new Float32Array(count);
    const words = new Uint32Array(values.buffer);
    random.fill(words);
    for (let i = 0; i < count; i++) values[i] = words[i] / 2 ** 32 - 0.5;
    return values;
  };
  return Object.fromEntries(WEIGHTS.map((name) => [`d${name}`, uniform()]));
}

/**
 * A step of plain gradient descent, W - rate * dW for Wg, Wu and Wd in bf16 with gradients in f32. Outputs: hidden x
 * width each, in this order. Of the matrix only the number of columns matters.
 */
export const UPDATE: Operation = {
  id: 'update',
  title: 'W − η ∇W',
  summary: 'Weights, moved against their gradients.',
  sizes: { width: WIDTH, rate: millionths('rate', 'The share of a gradient subtracted.', 1000) },
  inputs(m, { width }, seed) {
    const random = new Random(seed);
    return { ...weights(m.cols, width, random), ...gradients(m.cols * width, random) };
  },
  varied: ({ cols }, inputs, { width }, seed) => ({ ...inputs, ...gradients(cols * width, new Random(seed)) }),
  *expectedSteps(m, inputs, { width, rate }, sampling) {
    const rows = sampleOf(3 * m.cols, Math.ceil(MAX_COMPARED / width), sampling);
    const output = new Float64Array(rows.length * width);
    const magnitude = new Float64Array(output.length);
    const step = fromMillionths(rate);
    for (const [i, row] of rows.entries()) {
      const name = WEIGHTS[Math.floor(row / m.cols)];
      const [before, gradient] = [inputs[name], inputs[`d${name}`]];
      for (let k = 0, index = (row % m.cols) * width; k < width; k++, index++) {
        const change = step * gradient[index];
        output[i * width + k] = before[index] - change;
        magnitude[i * width + k] = Math.abs(before[index]) + Math.abs(change);
      }
      yield { what: 'computing the reference', done: i + 1, total: rows.length };
    }
    return expectationOfRows(rows, 3 * m.cols, width, output, (roundings) =>
      magnitude.map((sum) => sumBound(sum, 2, roundings)),
    );
  },
};

/** For one non-zero of hg: h, the gradients of hu and hg, and the largest error of a kernel in each. */
interface Contribution {
  h: number;
  hError: number;
  dhu: number;
  dhuError: number;
  dhg: number;
  dhgError: number;
}

function* backwardSteps(
  m: Matrix,
  inputs: Inputs,
  { width, l1 }: Sizes,
  sampling: Sampling | undefined,
): Steps<ExpectedWith> {
  const { x, dy, wg, wu } = inputs;
  const l1Weight = fromMillionths(l1);
  const { indptr, indices, data } = toCsr(m);
  const perEntry = 10 * width; // estimated multiply-adds for one non-zero
  const share = Math.min(1, MAX_MULTIPLY_ADDS / 2 / Math.max(1, m.nnz * perEntry));
  const tokens = sampleOf(m.rows, Math.ceil(m.rows * share), sampling);
  const neurons = sampleOf(m.cols, Math.ceil(m.cols * share), sampling);
  const slotOfNeuron = new Int32Array(m.cols).fill(-1);
  for (const [slot, neuron] of neurons.entries()) slotOfNeuron[neuron] = slot;
  const isSampled = new Uint8Array(m.rows);
  for (const token of tokens) isSampled[token] = 1;

  // Slots: the sampled rows of dx, then of each gradient of weights the rows of sampled neurons.
  const count = (tokens.length + 3 * neurons.length) * width;
  const output = new Float64Array(count);
  const magnitude = new Float64Array(count);
  const error = new Float64Array(count);
  const terms = new Uint32Array(tokens.length + 3 * neurons.length);
  /** Adds `factor` times a row to the row in a slot; `factorError`: the largest error of a kernel in the factor. */
  const add = (slot: number, factor: number, factorError: number, row: Float32Array, rowStart: number): void => {
    terms[slot]++;
    const start = slot * width;
    for (let k = 0; k < width; k++) {
      const value = row[rowStart + k];
      output[start + k] += factor * value;
      magnitude[start + k] += Math.abs(factor * value);
      error[start + k] += factorError === Number.POSITIVE_INFINITY ? factorError : factorError * Math.abs(value);
    }
  };

  const flow: Contribution = { h: 0, hError: 0, dhu: 0, dhuError: 0, dhg: 0, dhgError: 0 };
  let nextTokenSlot = 0;
  for (let token = 0; token < m.rows; token++) {
    const tokenSlot = isSampled[token] === 1 ? nextTokenSlot++ : -1;
    for (let i = indptr[token]; i < indptr[token + 1]; i++) {
      const neuron = indices[i];
      const neuronSlot = slotOfNeuron[neuron];
      if (tokenSlot < 0 && neuronSlot < 0) continue;
      const [tokenStart, neuronStart] = [token * width, neuron * width];
      flowThrough(flow, data[i], inputs, [tokenStart, neuronStart, width], l1Weight);
      if (tokenSlot >= 0) {
        add(tokenSlot, flow.dhu, flow.dhuError, wu, neuronStart);
        add(tokenSlot, flow.dhg, flow.dhgError, wg, neuronStart);
      }
      if (neuronSlot >= 0) {
        add(tokens.length + neuronSlot, flow.dhg, flow.dhgError, x, tokenStart);
        add(tokens.length + neurons.length + neuronSlot, flow.dhu, flow.dhuError, x, tokenStart);
        add(tokens.length + 2 * neurons.length + neuronSlot, flow.h, flow.hError, dy, tokenStart);
      }
    }
    yield { what: 'computing the reference', done: token + 1, total: m.rows };
  }

  // The rows of the whole output that the slots contain.
  const rows = [...tokens, ...WEIGHTS.flatMap((_, w) => Array.from(neurons, (neuron) => m.rows + w * m.cols + neuron))];
  return expectationOfRows(Uint32Array.from(rows), m.rows + 3 * m.cols, width, output, (roundings) =>
    error.map((e, i) => e + sumBound(magnitude[i] + e, terms[Math.floor(i / width)], roundings)),
  );
}

const pair = new Float64Array(2);

/** Fills `flow` for one non-zero hg, whose token and neuron have rows that begin at `tokenStart` and `neuronStart`. */
function flowThrough(
  flow: Contribution,
  hg: number,
  { x, dy, wu, wd }: Inputs,
  [tokenStart, neuronStart, width]: readonly [number, number, number],
  l1Weight: number,
): void {
  writeDotProduct(x, tokenStart, wu, neuronStart, width, pair);
  const [hu, huMagnitude] = pair;
  writeDotProduct(dy, tokenStart, wd, neuronStart, width, pair);
  const [dhProduct, dhMagnitude] = pair;
  const huError = sumBound(huMagnitude, width, INNER_ROUNDINGS);
  flow.h = hg * hu;
  flow.hError = Math.abs(hg) * huError;
  const dh = dhProduct + l1Weight * Math.sign(flow.h);
  let dhError = sumBound(dhMagnitude + l1Weight, width, INNER_ROUNDINGS);
  // So close to 0, a kernel can compute hu, and thus h, with the other sign.
  if (Math.abs(hu) <= huError) dhError += 2 * l1Weight;
  flow.dhu = dh * hg;
  flow.dhuError = Math.abs(hg) * dhError;
  flow.dhg = dh * hu;
  flow.dhgError = Math.abs(dh) * huError + Math.abs(hu) * dhError + huError * dhError;
  // A value beyond f32 is infinite before a small factor makes it finite again.
  if (Math.abs(flow.h) + flow.hError > F32_MAX) flow.hError = Number.POSITIVE_INFINITY;
  if (Math.abs(flow.dhu) + flow.dhuError > F32_MAX) flow.dhuError = Number.POSITIVE_INFINITY;
}
