import {
  type BlockMatrix,
  type BlockWeights,
  checkToken,
  type DecoderConfig,
  type DecoderWeights,
  type OnInput,
} from '../decoder.ts';

/*
 * The forward pass as written in papers, in f64, one position after the other. All decoders are tested against it, so
 * it shares no arithmetic with them.
 */

/**
 * The logits after each of `ids`: ids.length x vocabulary, f64. `onInput` receives the inputs of the matrices. Throws
 * RangeError for an id outside the vocabulary. Blocks the thread. O(ids * weights + ids^2 * hidden * layers).
 */
export function oracleLogits(
  config: DecoderConfig,
  weights: DecoderWeights,
  ids: readonly number[],
  onInput: OnInput<Float64Array> = () => {},
): Float64Array {
  const { hidden, vocabulary, normEps } = config;
  let streams = ids.map((id, position) => embed(id, position, config, weights));
  for (const [layer, block] of weights.blocks.entries()) {
    const cache: KeyValueCache = { keys: [], values: [] };
    streams = streams.map((x, position) =>
      throughBlock(config, block, cache, x, position, (input, numbers) => onInput(layer, input, numbers, position)),
    );
  }
  const logits = new Float64Array(ids.length * vocabulary);
  for (const [position, x] of streams.entries()) {
    logits.set(
      product(weights.head, normed(x, weights.finalNorm, normEps, weights.finalNormBias), vocabulary, hidden),
      position * vocabulary,
    );
  }
  return logits;
}

function embed(
  id: number,
  position: number,
  config: DecoderConfig,
  { embedding, positions }: DecoderWeights,
): Float64Array {
  checkToken(id, config);
  const { hidden } = config;
  const x = Float64Array.from(embedding.subarray(id * hidden, (id + 1) * hidden));
  return positions ? plus(x, positions.subarray(position * hidden, (position + 1) * hidden)) : x;
}

/** Keys and values of a layer, one array for each position. */
interface KeyValueCache {
  readonly keys: Float64Array[];
  readonly values: Float64Array[];
}

/** x + o(attention(norm x)), then x + down(act(gate norm x) * up(norm x)); without a gate down(act(up(norm x))). */
function throughBlock(
  config: DecoderConfig,
  block: BlockWeights,
  cache: KeyValueCache,
  x: Float64Array,
  position: number,
  onInput: (input: 'q' | 'o' | 'gate' | 'down', numbers: Float64Array) => void,
): Float64Array {
  const { hidden, intermediate, heads, kvHeads, headDim, normEps, gated, activation } = config;
  const times = (name: BlockMatrix, rows: number, input: Float64Array): Float64Array => {
    const y = product(block.matrices[name], input, rows, input.length);
    return plus(y, block.biases[name] ?? new Float64Array(rows));
  };

  const toAttention = normed(x, block.attentionNorm, normEps, block.normBiases?.attention);
  onInput('q', toAttention);
  const query = rotated(config, times('q', heads * headDim, toAttention), position);
  cache.keys.push(rotated(config, times('k', kvHeads * headDim, toAttention), position));
  cache.values.push(times('v', kvHeads * headDim, toAttention));
  const mixed = attention(config, query, cache);
  onInput('o', mixed);
  const attended = plus(x, times('o', hidden, mixed));

  const toNeurons = normed(attended, block.feedForwardNorm, normEps, block.normBiases?.feedForward);
  onInput('gate', toNeurons);
  const up = times('up', intermediate, toNeurons);
  const neurons = gated
    ? times('gate', intermediate, toNeurons).map((g, i) => ACTIVATIONS[activation](g) * up[i])
    : up.map(ACTIVATIONS[activation]);
  onInput('down', neurons);
  return plus(attended, times('down', hidden, neurons));
}

/** The activation functions; GELU is the approximation by tanh of Hendrycks and Gimpel (2016). */
const ACTIVATIONS: Readonly<Record<DecoderConfig['activation'], (x: number) => number>> = {
  silu: (x) => x / (1 + Math.exp(-x)),
  relu: (x) => Math.max(0, x),
  gelu: (x) => (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
};

/** For every head of q: the values of its head of v, weighted by softmax(q . k / sqrt(headDim)) over the window. */
function attention(
  { heads, kvHeads, headDim, window }: DecoderConfig,
  query: Float64Array,
  cache: KeyValueCache,
): Float64Array {
  const first = window === undefined ? 0 : Math.max(0, cache.keys.length - window);
  const keys = cache.keys.slice(first);
  const values = cache.values.slice(first);
  const mixed = new Float64Array(heads * headDim);
  for (let head = 0; head < heads; head++) {
    const from = head * headDim;
    const kvFrom = Math.floor((head * kvHeads) / heads) * headDim;
    const scores = keys.map((key) => {
      let sum = 0;
      for (let c = 0; c < headDim; c++) sum += query[from + c] * key[kvFrom + c];
      return sum / Math.sqrt(headDim);
    });
    const highest = scores.reduce((a, b) => Math.max(a, b));
    const weights = scores.map((score) => Math.exp(score - highest));
    const total = weights.reduce((a, b) => a + b);
    for (const [t, weight] of weights.entries()) {
      for (let c = 0; c < headDim; c++) mixed[from + c] += (weight / total) * values[t][kvFrom + c];
    }
  }
  return mixed;
}

/** RoPE of x: pair i of columns of every head rotated by position * frequency(i); x itself with learned positions. */
function rotated(config: DecoderConfig, x: Float64Array, position: number): Float64Array {
  const { headDim, rotary, positions } = config;
  if (positions > 0) return x;
  const half = headDim / 2;
  const y = new Float64Array(x.length);
  for (let from = 0; from < x.length; from += headDim) {
    for (let i = 0; i < half; i++) {
      const a = from + (rotary.pairing === 'halves' ? i : 2 * i);
      const b = from + (rotary.pairing === 'halves' ? i + half : 2 * i + 1);
      const angle = position * frequency(config, i);
      y[a] = x[a] * Math.cos(angle) - x[b] * Math.sin(angle);
      y[b] = x[a] * Math.sin(angle) + x[b] * Math.cos(angle);
    }
  }
  return y;
}

/**
 * theta^(-2 i / headDim), in radians per position. With the scaling of Llama 3.1, divided by the factor below
 * lowFrequency rotations in the original context, unchanged above highFrequency, and interpolated between.
 */
function frequency({ headDim, rotary: { theta, scaling } }: DecoderConfig, i: number): number {
  const base = theta ** ((-2 * i) / headDim);
  if (!scaling) return base;
  const { factor, lowFrequency, highFrequency, originalContext } = scaling;
  const waves = (originalContext * base) / (2 * Math.PI);
  const fastShare = Math.min(1, Math.max(0, (waves - lowFrequency) / (highFrequency - lowFrequency)));
  return fastShare * base + ((1 - fastShare) * base) / factor;
}

/** RMS norm, weight * x / sqrt(mean of squares + eps); with a bias layer norm, of x minus its mean, plus bias. */
function normed(input: Float64Array, weight: Float32Array, eps: number, bias?: Float32Array): Float64Array {
  const mean = bias ? input.reduce((sum, value) => sum + value, 0) / input.length : 0;
  const x = input.map((value) => value - mean);
  const meanSquare = x.reduce((sum, value) => sum + value * value, 0) / x.length;
  return x.map((value, i) => (weight[i] * value) / Math.sqrt(meanSquare + eps) + (bias?.[i] ?? 0));
}

/** W x for a row-major W. */
function product(w: Float32Array, x: Float64Array, rows: number, cols: number): Float64Array {
  const y = new Float64Array(rows);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) y[r] += w[r * cols + c] * x[c];
  }
  return y;
}

function plus(a: Float64Array, b: ArrayLike<number>): Float64Array {
  return a.map((value, i) => value + b[i]);
}
