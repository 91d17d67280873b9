// `npm run decode -- --prefill`: times a prefill with the feed-forward blocks of formats, and verifies the blocks.

import { KernelError } from '../../../src/core/errors.ts';
import { type AnyFormat, type EncodedMatrix, resolvedParams } from '../../../src/core/format.ts';
import type { KernelSpec } from '../../../src/core/kernel/kernel.ts';
import type { Matrix } from '../../../src/core/matrix/index.ts';
import { bf16Table, f16Bits } from '../../../src/core/number/index.ts';
import { Random } from '../../../src/core/number/random.ts';
import { normalQuantile } from '../../../src/core/number/statistics.ts';
import { normalBf16, WEIGHTS } from '../../../src/core/operations/feed-forward.ts';
import { FORWARD } from '../../../src/core/operations/index.ts';
import { expectedOf, type Inputs } from '../../../src/core/operations/operation.ts';
import { verifyOutputs } from '../../../src/core/operations/verify.ts';
import { generate } from '../../../src/generate/generate.ts';
import { type GpuContext, packHalves, kernelSupport, readOutputs } from '../../../src/gpu/index.ts';
import type { ModelShape } from '../../../src/theory/models/model-shape.ts';
import { Arena } from '../decoders/chain/arena.ts';
import { Chain } from '../decoders/chain/chain.ts';
import type { ChainKernel, ChainWeights } from '../decoders/chain/weights.ts';
import { type Launch, launchOf, planLaunches } from '../decoders/chain/launches.ts';
import { packPass } from '../decoders/chain/feed-forward-stages.ts';
import type { DecoderConfig } from '../decoders/decoder.ts';
import { configForShape, generatedModel, type GeneratedModelOptions } from '../decoders/shapes/generated-model.ts';
import { prefillTimes, readAfter } from './prefill-times.ts';

/**
 * Settings of `prefillWithBlocks`: a prefill, many tokens at once, through a chain of kernels with the feed-forward
 * blocks of formats. x becomes bf16, and kernels of the operation 'forward' replace gate, up, activation and down.
 */
export interface FeedForwardOptions extends Pick<GeneratedModelOptions, 'seed' | 'tuning' | 'job'> {
  /** format of all other matrices */
  readonly dense: AnyFormat;
  /** formats whose kernels compute blocks */
  readonly formats: readonly AnyFormat[];
  /** tokens that are read at once */
  readonly tokens: number;
  /** approximate number of positive neurons per token */
  readonly active: number;
  /** false: no times are taken; blocks are still verified */
  readonly isTimed: boolean;
}

/** One way to compute the blocks of a model. */
interface FeedForwardRow {
  /** the kernel, with its chosen number; 'matrices': the chain's own; 'none': without blocks */
  readonly name: string;
  /** device time of each round, ns: all tokens through the whole model, including the head with all logits */
  readonly ns: readonly number[];
  /**
   * largest error of the first and the last block compared with f64, as a share of the bound; absent: the blocks are not
   * computed by a format's kernel
   */
  readonly worst?: number;
}

/** The results, by kernel. */
export interface FeedForwardReport {
  readonly model: ModelShape;
  readonly tokens: number;
  readonly source: 'timestamp-query' | 'wall-clock' | null;
  /** positive neurons per token, in the first and the last block, for a few tokens */
  readonly active: readonly number[];
  readonly rows: readonly FeedForwardRow[];
  readonly ok: boolean;
}

/** Tokens whose positive neurons are counted. */
const COUNTED_TOKENS = 8;
/** The value of the first column of the stream, far larger than what blocks add to this column. */
const CONSTANT_COLUMN = 8;
/**
 * Scale of the inputs of attention and of the outputs of blocks, so that the stream keeps its root mean square in every block.
 */
const SMALL_SCALE = 0.001;

/**
 * Measures a prefill with each format's blocks, in the same rounds as with the chain's own dense matrices and with
 * none. Weights are random; those of blocks make about `active` neurons per token positive. The formats' blocks are
 * compared with f64, the first and the last of them, each from its own input. Throws KernelError if a format has no
 * block that runs here, OverflowError if one cannot store its positive neurons, CancelledError, DeviceLostError.
 */
export async function prefillWithBlocks(
  context: GpuContext,
  shape: ModelShape,
  options: FeedForwardOptions,
): Promise<FeedForwardReport> {
  const { formats, tokens, active, dense, seed, isTimed, job } = options;
  const config: DecoderConfig = { ...configForShape(shape, tokens), activation: 'relu' };
  const { hidden, intermediate, layers, vocabulary } = config;
  const storage = { format: dense, params: { valueType: 'f16' } };
  const { weights } = await generatedModel(context, config, {
    ...options,
    stored: storage,
    density: 1,
    tokensAtOnce: tokens,
  });
  const chain = await Chain.open(context, config, withConstant(config, weights, active), { tokensAtOnce: tokens, job });
  const arena = new Arena(context, job);
  try {
    if (chain.tokensAtOnce !== tokens) {
      throw new KernelError(`found memory for ${chain.tokensAtOnce} tokens at once, expected ${tokens}`);
    }
    // Fills the chain's buffers with the activations of pseudo-random tokens (7919: a prime).
    await chain.feed(
      Array.from({ length: tokens }, (_, i) => (i * 7919 + seed) % vocabulary),
      'last',
    );
    chain.rewind(0);
    const chainLaunches = chain.launchesTogether;
    const x = await arena.allocate('activations', 'x in bf16', 2 * tokens * hidden);
    const random = new Random(seed);
    const inputs: Inputs = {
      wg: gateWeights(config, random),
      wu: normalBf16(random, intermediate, hidden, 1 / Math.sqrt(hidden)),
      wd: normalBf16(random, intermediate, hidden, SMALL_SCALE),
    };
    // Packed once, and shared on the device by all formats.
    const packedWeights = new Map(WEIGHTS.map((name) => [name as string, packHalves(name, inputs[name], 'bf16')]));
    // A matrix with the expected number of positive neurons per token, for which formats allocate their arrays.
    const density = active / intermediate;
    const hiddenRows = generate({ pattern: 'uniform', rows: tokens, cols: intermediate, density, seed }, job);
    const variants: { readonly name: string; readonly launches: readonly Launch[]; readonly worst?: number }[] = [
      { name: 'matrices', launches: chainLaunches },
      { name: 'none', launches: withBlocks(chainLaunches, []) },
    ];
    // Every kernel of every format, verified in the first and the last block.
    let counts: readonly number[] = [];
    for (const format of formats) {
      const encoded: EncodedMatrix = format.encode(hiddenRows, resolvedParams(format.params, {}, hiddenRows), job);
      for (const kernel of blockKernels(format, encoded, context, hidden)) {
        const { id } = kernel.spec;
        const { blocks, outputs } = await blocksOf(context, arena, chain, kernel, encoded, x, packedWeights);
        const checks = [];
        // Runs the chain up to the first and up to the last block, and reads that block's input x and outputs.
        for (const layer of new Set([0, layers - 1])) {
          const launches = withBlocks(chainLaunches, blocks.slice(0, layer + 1));
          const end = launches.indexOf(blocks[layer][blocks[layer].length - 1]) + 1;
          const words = await readAfter(context, chain, launches.slice(0, end), [
            { buffer: x, size: x.size },
            ...outputs,
          ]);
          const [xWords, outputWords] = [words.subarray(0, x.size / 4), words.slice(x.size / 4)];
          const blockInputs = { ...inputs, x: fromBf16(xWords) };
          checks.push({
            worst: worstOf(kernel.spec, encoded, hiddenRows, blockInputs, outputWords, hidden),
            active: activeOf(config, blockInputs),
          });
        }
        counts = checks.map((check) => check.active);
        const chosenNumber = Object.entries(kernel.chosen ?? {}).map(([name, value]) => `, ${value} ${name}`);
        const worst = Math.max(...checks.map((check) => check.worst)); // bounded: two blocks
        variants.push({ name: `${id}${chosenNumber.join('')}`, launches: withBlocks(chainLaunches, blocks), worst });
      }
    }
    // Times all variants in the same rounds.
    const { source, ns } = isTimed
      ? await prefillTimes(
          context,
          variants.map(({ launches }) => ({ chain, launches })),
          job,
        )
      : { source: null, ns: variants.map(() => []) };
    const rows = variants.map(({ name, worst }, i) => ({ name, ns: ns[i], ...(worst !== undefined && { worst }) }));
    return { model: shape, tokens, source, active: counts, rows, ok: rows.every(({ worst = 0 }) => worst <= 1) };
  } finally {
    arena.destroy();
    chain.destroy();
  }
}

/** Adds a constant column to the embedding, with norms that turn it into one bias for all gates of all blocks. */
function withConstant(config: DecoderConfig, weights: ChainWeights, active: number): ChainWeights {
  const { hidden, intermediate, vocabulary, layers } = config;
  const { data, stride, type } = weights.embedding;
  const halves = new Uint16Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
  for (let row = 0; row < vocabulary; row++) halves[row * stride] = f16Bits(CONSTANT_COLUMN);
  const feedForwardNorm = new Float32Array(hidden).fill(1);
  // After RMSNorm, column 0 is this quantile: a normal sum around it is positive with probability active / intermediate.
  feedForwardNorm[0] = (normalQuantile(active / intermediate) * streamRms(config)) / CONSTANT_COLUMN;
  const attentionNorm = new Float32Array(hidden).fill(SMALL_SCALE);
  async function* blocks(): AsyncGenerator<Awaited<ReturnType<typeof firstBlock>>, void> {
    const block = await firstBlock();
    for (let layer = 0; layer < layers; layer++) yield block;
  }
  const firstBlock = async () => {
    for await (const block of weights.blocks) return { ...block, attentionNorm, feedForwardNorm };
    throw new RangeError('blocks: found none, expected one');
  };
  return { ...weights, embedding: { data: halves, stride, type }, blocks: blocks() };
}

/** The root mean square of the stream: of the constant, and of numbers with variance 1. */
function streamRms({ hidden }: DecoderConfig): number {
  return Math.sqrt((hidden - 1 + CONSTANT_COLUMN ** 2) / hidden);
}

/** Gates whose sums are normal with variance 1 around the bias. */
function gateWeights(config: DecoderConfig, random: Random): Float32Array {
  const { intermediate, hidden } = config;
  const wg = normalBf16(random, intermediate, hidden, streamRms(config) / Math.sqrt(hidden - 1));
  for (let neuron = 0; neuron < intermediate; neuron++) wg[neuron * hidden] = 1;
  return wg;
}

/** The first kernel of a format that computes a block here, with every value of its first choice. */
function blockKernels(
  format: AnyFormat,
  encoded: EncodedMatrix,
  { facts }: GpuContext,
  width: number,
): readonly ChainKernel[] {
  const kernels: readonly KernelSpec<EncodedMatrix>[] = format.kernels;
  const spec = kernels.find(
    (kernel) => kernel.operation === FORWARD.id && kernelSupport(kernel, encoded, facts, { width }).ok,
  );
  if (spec === undefined) throw new KernelError(`${format.id}: found no kernel of a feed-forward block, expected one`);
  const choice = spec.choices?.(encoded, facts, { width }).at(0);
  if (choice?.kind !== 'one-of') return [{ spec }];
  return choice.values.map((value) => ({ spec, chosen: { [choice.name]: value } }));
}

/** The dispatches of each block, which has its own copy of the weights, and the buffers that they write. */
async function blocksOf(
  context: GpuContext,
  arena: Arena,
  chain: Chain,
  { spec, chosen: chosenNumber }: ChainKernel,
  encoded: EncodedMatrix,
  x: GPUBuffer,
  packedWeights: ReadonlyMap<string, Uint32Array>,
): Promise<{ readonly blocks: readonly (readonly Launch[])[]; readonly outputs: readonly GPUBufferBinding[] }> {
  const { hidden: width, layers } = chain.config;
  const plan = spec.plan(encoded, context.facts, { width }, chosenNumber);
  const bindings = { normed: chain.memory.normed, x };
  const packing = await launchOf(context, 'activations', 'chain/pack', packPass(chain.config, encoded.rows), bindings);
  const outputs: GPUBufferBinding[] = [];
  for (const buffer of plan.buffers) {
    if (buffer.role !== 'output') continue;
    // The first is what the block adds to the stream.
    const { addends } = chain.memory;
    const target = outputs.length === 0 ? addends : await arena.allocate('activations', buffer.name, buffer.bytes);
    outputs.push({ buffer: target, size: buffer.bytes });
  }
  const blocks: (readonly Launch[])[] = [];
  for (let layer = 0; layer < layers; layer++) {
    const label = `block ${layer}, ${spec.id}`;
    const inputs = new Map<string, GPUBufferBinding | GPUBuffer>([['x', x]]);
    for (const [name, words] of packedWeights)
      inputs.set(name, await arena.copyFor('matrices', name, words, `block ${layer}`));
    const inputOf = (name: string): GPUBufferBinding | GPUBuffer => {
      const input = inputs.get(name);
      if (input === undefined)
        throw new KernelError(`${label}: reads ${name}, expected one of ${[...inputs.keys()].join(', ')}`);
      return input;
    };
    const description = { kind: 'matrices', label, product: label } as const;
    blocks.push([packing, ...(await planLaunches(arena, description, { plan, id: spec.id }, inputOf, outputs))]);
  }
  return { blocks, outputs };
}

/**
 * A chain's dispatches in which `blocks`, by layer, replace gate, up, activation and down; a layer without an entry has
 * no block.
 */
function withBlocks(launches: readonly Launch[], blocks: readonly (readonly Launch[])[]): readonly Launch[] {
  const resultLaunches: Launch[] = [];
  let isInside = false;
  for (const launch of launches) {
    const [, layer, name] = /^block (\d+), (gate, up|down)$/.exec(launch.product ?? '') ?? [];
    if (name === 'gate, up' && !isInside) resultLaunches.push(...(blocks.at(Number(layer)) ?? [])); // bounded: dispatches of a block
    if (name !== undefined) isInside = name === 'gate, up';
    else if (!isInside) resultLaunches.push(launch);
  }
  return resultLaunches;
}

/** Unpacks two bf16 per word. */
function fromBf16(words: Uint32Array): Float32Array {
  const table = bf16Table();
  return Float32Array.from({ length: 2 * words.length }, (_, i) => table[(words[i >> 1] >>> (16 * (i & 1))) & 0xffff]);
}

/** The largest error of a block's outputs, as a share of the bound. */
function worstOf(
  spec: KernelSpec<EncodedMatrix>,
  encoded: EncodedMatrix,
  hiddenRows: Matrix,
  inputs: Inputs,
  words: Uint32Array<ArrayBuffer>,
  width: number,
): number {
  const expected = expectedOf(FORWARD, hiddenRows, inputs, { width }, spec);
  return verifyOutputs(readOutputs(spec, encoded, words, { width }), expected).worstShare;
}

/** Positive neurons per token, averaged over a few tokens. */
function activeOf({ hidden, intermediate }: DecoderConfig, { x, wg }: Inputs): number {
  const tokens = Math.min(COUNTED_TOKENS, x.length / hidden);
  let count = 0;
  for (let t = 0; t < tokens; t++) {
    const token = Math.floor((t * x.length) / hidden / tokens) * hidden;
    for (let neuron = 0; neuron < intermediate; neuron++) {
      let sum = 0;
      for (let k = 0; k < hidden; k++) sum += x[token + k] * wg[neuron * hidden + k];
      if (sum > 0) count++;
    }
  }
  return count / tokens;
}
