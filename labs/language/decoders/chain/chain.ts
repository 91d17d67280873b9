// A chain: a decoder on the GPU, which submits the kernels of many tokens at once.

import { CancelledError } from '../../../../src/core/errors.ts';
import type { Job } from '../../../../src/core/job.ts';
import type { DeviceFacts } from '../../../../src/core/kernel/kernel.ts';
import { throwIfCancelled } from '../../../../src/core/pace.ts';
import { type GpuContext, guarded } from '../../../../src/gpu/index.ts';
import { weightsOf } from '../../../../src/theory/models/model-shape.ts';
import { checkFeed, type Decoder, type DecoderConfig, type Sampling } from '../decoder.ts';
import { checkSeed, NOISE_ENTRIES, noiseTable } from '../sampling.ts';
import { Arena, type MemoryKind } from './arena.ts';
import { type ChainMemory, Forward, type LayerCache, type NextNorm, runsTogether } from './forward.ts';
import { regionBytes, type Launch, launchOf, regionsOf } from './launches.ts';
import { cacheBytes, cacheSpace, spanResultElements } from './attention-stages.ts';
import { type TableSlice, tableSlices } from './norm-stages.ts';
import { samplingPasses, samplingWorkgroups, STATE, STATE_WORDS } from './sampling-stages.ts';
import { rotaryTable } from '../rotary.ts';
import { type ChainBlock, type ChainWeights, type MatrixStack, MANY_TOKENS, SEVERAL_TOKENS } from './weights.ts';

/**
 * Maximum tokens that are drawn in one submit to the GPU queue. The first submits are shorter, since the user waits for
 * them, and each is twice as long as the one before. A fast GPU idles while the CPU encodes a submit, so a few tokens
 * per submit are faster than many.
 */
export const WRITTEN_AT_ONCE = 8;
/** Tokens of a text's submit number `submit`: 1, 2, 4, then WRITTEN_AT_ONCE, a power of two, each time. */
export function tokensOfSubmit(submit: number): number {
  return Math.min(WRITTEN_AT_ONCE, 2 ** submit);
}
/**
 * Submits in flight; the oldest is awaited. Garbage collection and the like may stop this thread for 100 ms,
 * during which two submits would not be enough for a fast GPU.
 */
const SUBMITS_AHEAD = 3;
/** If a submit is longer than this, two in flight are enough, and a text can be stopped sooner. */
const LONG_SUBMIT_MS = 100;
/** Maximum tokens that a submit feeds one by one. */
const FED_AT_ONCE = 16;
/** Minimum share of the jointly computed tokens that a text has to fill: the rest is wasted work. */
const MIN_FILLED = 0.25;
/** Maximum device memory for jointly computed tokens, as a share of the model's weights in f16. */
const MAX_SHARE_OF_MODEL = 0.125;

/** Settings of `Chain.open`. */
export interface ChainOptions {
  /** positions in the cache; absent: the context of the model */
  readonly context?: number;
  /**
   * tokens of a long text that are computed together; absent: MANY_TOKENS, if their memory is small compared with
   * the memory of the model
   */
  readonly tokensAtOnce?: number;
  readonly job?: Job;
}

/** The buffers and dispatches of an open chain. */
interface ChainResources {
  readonly config: DecoderConfig;
  readonly context: number;
  readonly arena: Arena;
  readonly memory: ChainMemory;
  /** by block */
  readonly caches: readonly LayerCache[];
  /** the dispatches of one token */
  readonly oneToken: Forward;
  /** the dispatches of several tokens at a time, the largest number first */
  readonly several: readonly Forward[];
  /** the dispatches that draw the next token */
  readonly choose: readonly Launch[];
  /** whether the stage that draws a token also begins its residual stream */
  readonly startsNext: boolean;
  readonly noise: GPUBuffer;
  /** logits to be read back */
  readonly collected: GPUBuffer;
  /** ids to be read back, for each submit in flight */
  readonly stagings: readonly GPUBuffer[];
}

/**
 * A decoder on a GPU whose activations stay on the device: a chain of kernels. Formats provide the kernels of
 * the products, and the files of stages (such as attention-stages.ts) the others. Only token ids are read back, and logits if requested.
 */
export class Chain implements Decoder {
  readonly config: DecoderConfig;
  readonly #resources: ChainResources;
  /** the members of `stagings` that no submit uses */
  readonly #free: GPUBuffer[];
  /** settles when all ids have been read back */
  #idle: Promise<void> = Promise.resolve();
  #length = 0;
  #isFeeding = false;
  #isDestroyed = false;
  /** temperature of the noise table on the device */
  #temperature = 0;
  /** number of the latest call that feeds or writes: a newer call ends an older text */
  #call = 0;

  private constructor(resources: ChainResources) {
    this.config = resources.config;
    this.#resources = resources;
    this.#free = [...resources.stagings];
  }

  /**
   * Uploads a model to the device. Throws KernelError if a kernel does not fit, compile, or suit a chain, or the device
   * has too little memory; CancelledError; DeviceLostError.
   */
  static async open(
    gpu: GpuContext,
    config: DecoderConfig,
    weights: ChainWeights,
    { context = config.context, ...options }: ChainOptions = {},
  ): Promise<Chain> {
    const arena = new Arena(gpu, options.job);
    try {
      return new Chain(await chainResources(arena, config, weights, Math.min(context, config.context), options));
    } catch (error) {
      arena.destroy();
      throw error;
    }
  }

  get length(): number {
    return this.#length;
  }

  /** Maximum number of positions. */
  get context(): number {
    return this.#resources.context;
  }

  /** Maximum number of tokens that are fed together: 1 without kernels for several. */
  get tokensAtOnce(): number {
    return this.#resources.several[0]?.tokens ?? 1;
  }

  /** Bytes on the device by use. */
  get bytes(): Readonly<Record<MemoryKind, number>> {
    return this.#resources.arena.bytes;
  }

  /** Dispatches, in order, of a token that was drawn by those before, including the dispatches that draw the next. */
  get launches(): readonly Launch[] {
    return this.#launchesAt(this.#length, false);
  }

  /** Dispatches of the maximum number of tokens fed together, at the beginning of a sequence, in order. */
  get launchesTogether(): readonly Launch[] {
    const { several, oneToken } = this.#resources;
    const [longest = oneToken] = several;
    return [...longest.beginning, ...longest.launchesAt(0)];
  }

  /** Dispatches that come first if the token was not drawn by the dispatches before. */
  get beginning(): readonly Launch[] {
    return this.#resources.startsNext ? this.#resources.oneToken.beginning : [];
  }

  /** The buffers that the dispatches of a token read and write, for checks of single dispatches. */
  get memory(): ChainMemory & { readonly caches: readonly LayerCache[] } {
    const { memory, caches } = this.#resources;
    return { ...memory, caches };
  }

  /** Encodes `count` tokens after the last one, to be timed; the length of the sequence is unchanged. */
  encodeTokens(pass: GPUComputePassEncoder, count: number): void {
    this.#call++;
    this.#setState(this.#length, 0, 0);
    this.#encodeTokens(pass, this.#length, count);
  }

  /** Encodes some of `launches`, repeatedly at the same position, to be timed. */
  encodeRepeated(pass: GPUComputePassEncoder, launches: readonly Launch[], times: number): void {
    this.#call++;
    this.#setState(this.#length, 0, 0);
    for (let i = 0; i < times; i++) encodeLaunches(pass, launches);
  }

  /**
   * As `Decoder.feed`; 'last': returns only the logits after the last token, since the logits of a long text are many.
   */
  async feed(ids: readonly number[], logitsAfter: 'each' | 'last' = 'each'): Promise<Float32Array> {
    this.#checkSpace(ids);
    this.#call++;
    this.#isFeeding = true;
    try {
      return await this.#feed(ids, logitsAfter);
    } finally {
      this.#isFeeding = false;
    }
  }

  async *write(id: number, count: number, { temperature, seed }: Sampling): AsyncGenerator<number, void> {
    this.#checkSpace([id]);
    checkSeed(seed);
    const table = noiseTable(temperature);
    const call = ++this.#call;
    // An earlier text, which this call ends, still uses the buffers of ids.
    await this.#idle;
    if (this.#call !== call) return;
    const { memory, arena, noise } = this.#resources;
    const { queue } = arena.context.device;
    const start = this.#length;
    queue.writeBuffer(memory.ids, 4 * start, Uint32Array.of(id));
    this.#setState(start, start + 1, seed);
    if (temperature !== this.#temperature) {
      queue.writeBuffer(noise, 0, table);
      this.#temperature = temperature;
    }
    const maxTokens = Math.min(count, this.context - start);
    const submitsInFlight: Promise<Uint32Array>[] = [];
    let submitted = 0;
    let submits = 0;
    let maxInFlight = SUBMITS_AHEAD;
    while (submitted < maxTokens || submitsInFlight.length > 0) {
      while (submitted < maxTokens && submitsInFlight.length < maxInFlight) {
        const tokens = Math.min(tokensOfSubmit(submits++), maxTokens - submitted);
        submitsInFlight.push(this.#submitWriting(start + submitted, tokens));
        submitted += tokens;
      }
      const startMs = performance.now();
      const drawnIds = await submitsInFlight.shift();
      maxInFlight = performance.now() - startMs > LONG_SUBMIT_MS ? SUBMITS_AHEAD - 1 : SUBMITS_AHEAD;
      for (const next of drawnIds ?? []) {
        if (this.#call !== call) return;
        this.#length++;
        yield next;
        if (this.config.eos.includes(next)) return;
      }
    }
  }

  rewind(length: number): void {
    if (!Number.isInteger(length) || length < 0 || length > this.#length) {
      throw new RangeError(`rewind: found ${length}, expected a whole number up to the ${this.#length} tokens fed`);
    }
    this.#call++;
    this.#length = length;
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#call++;
    this.#resources.arena.destroy();
  }

  async #feed(ids: readonly number[], logitsAfter: 'each' | 'last'): Promise<Float32Array> {
    const { vocabulary } = this.config;
    const { memory, several, arena } = this.#resources;
    // The first token whose logits are read back.
    const firstRead = logitsAfter === 'each' ? 0 : Math.max(0, ids.length - 1);
    const logits = new Float32Array((ids.length - firstRead) * vocabulary);
    const start = this.#length;
    if (ids.length > 0) arena.context.device.queue.writeBuffer(memory.ids, 4 * start, Uint32Array.from(ids));
    let doneTokens = 0;
    while (doneTokens < ids.length) {
      const remaining = ids.length - doneTokens;
      const position = start + doneTokens;
      const jointForward = several.find(
        ({ tokens }) =>
          remaining > 1 &&
          (tokens <= SEVERAL_TOKENS || remaining >= MIN_FILLED * tokens) &&
          position + tokens <= this.context,
      );
      const count = Math.min(remaining, jointForward?.tokens ?? FED_AT_ONCE);
      // Of these tokens, the first one whose logits are read back.
      const first = Math.min(count, Math.max(0, firstRead - doneTokens));
      const logitsOut = logits.subarray(
        (doneTokens + first - firstRead) * vocabulary,
        (doneTokens + count - firstRead) * vocabulary,
      );
      this.#setState(position, start + ids.length, 0);
      await (jointForward
        ? this.#feedTogether(jointForward, position, first, logitsOut)
        : this.#feedEach(position, count, first, logitsOut));
      doneTokens += count;
    }
    this.#length = start + ids.length;
    return logits;
  }

  #launchesAt(position: number, isFirst: boolean): readonly Launch[] {
    const { oneToken, choose, startsNext } = this.#resources;
    return [...(isFirst || !startsNext ? oneToken.beginning : []), ...oneToken.launchesAt(position), ...choose];
  }

  #encodeTokens(pass: GPUComputePassEncoder, position: number, count: number): void {
    for (let i = 0; i < count; i++) encodeLaunches(pass, this.#launchesAt(position + i, i === 0));
  }

  #checkSpace(ids: readonly number[]): void {
    if (this.#isDestroyed) throw new CancelledError();
    checkFeed(ids, { config: this.config, length: this.#length, isFeeding: this.#isFeeding }, this.context);
  }

  /** Sets the state from which the next submit starts. `promptLength`: tokens that are given, not sampled. */
  #setState(position: number, promptLength: number, seed: number): void {
    const state = new Uint32Array(STATE_WORDS);
    state[STATE.position] = position;
    state[STATE.promptLength] = promptLength;
    state[STATE.seed] = seed;
    this.#resources.arena.context.device.queue.writeBuffer(this.#resources.memory.state, 0, state);
  }

  /** Submits commands; rejects if the device rejects them. */
  #submit(label: string, encode: (encoder: GPUCommandEncoder) => void): Promise<void> {
    const { context } = this.#resources.arena;
    const { settled } = guarded(context, label, () => {
      const encoder = context.device.createCommandEncoder({ label });
      encode(encoder);
      context.device.queue.submit([encoder.finish()]);
    });
    return settled;
  }

  /** `logitsOut` receives the logits after token number `first` and later ones. */
  async #feedTogether(forward: Forward, position: number, first: number, logitsOut: Float32Array): Promise<void> {
    const { memory, collected } = this.#resources;
    const settled = this.#submit('feed several tokens', (encoder) => {
      encodePass(encoder, [...forward.beginning, ...forward.launchesAt(position)]);
      encoder.copyBufferToBuffer(memory.logits, 4 * first * this.config.vocabulary, collected, 0, logitsOut.byteLength);
    });
    await this.#read(settled, collected, logitsOut);
  }

  /** As `#feedTogether`, but token by token in one submit. */
  async #feedEach(position: number, count: number, first: number, logitsOut: Float32Array): Promise<void> {
    const { memory, collected } = this.#resources;
    const bytes = 4 * this.config.vocabulary;
    const settled = this.#submit('feed tokens', (encoder) => {
      for (let i = 0; i < count; i++) {
        encodePass(encoder, this.#launchesAt(position + i, i === 0));
        if (i >= first) encoder.copyBufferToBuffer(memory.logits, 0, collected, (i - first) * bytes, bytes);
      }
    });
    await this.#read(settled, collected, logitsOut);
  }

  /** Fills `target` from the start of `staging`, once the commands that write the buffer have ended. */
  async #read(settled: Promise<void>, staging: GPUBuffer, target: Float32Array | Uint32Array): Promise<void> {
    const { byteLength } = target;
    const { context } = this.#resources.arena;
    if (byteLength === 0) return context.whileAlive(settled);
    const mapped = staging.mapAsync(GPUMapMode.READ, 0, byteLength);
    await context.whileAlive(Promise.all([mapped, settled]));
    new Uint8Array(target.buffer, target.byteOffset, byteLength).set(
      new Uint8Array(staging.getMappedRange(0, byteLength)),
    );
    staging.unmap();
  }

  /** Submits `count` consecutive tokens, and returns the drawn ids. */
  #submitWriting(position: number, count: number): Promise<Uint32Array> {
    const { memory } = this.#resources;
    const staging = this.#free.pop();
    if (staging === undefined) throw new Error('found every buffer of ids in use, expected one that is free');
    const settled = this.#submit('write tokens', (encoder) => {
      const pass = encoder.beginComputePass();
      this.#encodeTokens(pass, position, count);
      pass.end();
      encoder.copyBufferToBuffer(memory.ids, 4 * (position + 1), staging, 0, 4 * count);
    });
    const ids = new Uint32Array(count);
    const drawnIds = this.#read(settled, staging, ids).then(() => ids);
    this.#idle = Promise.all([this.#idle, this.#release(staging, drawnIds)]).then(() => {});
    return drawnIds;
  }

  /** Frees `staging` once its ids are read, or reading failed; the error reaches the code that awaits `ids`. */
  async #release(staging: GPUBuffer, ids: Promise<Uint32Array>): Promise<void> {
    await Promise.allSettled([ids]);
    this.#free.push(staging);
  }
}

/** Uploads a model to the device, and plans every dispatch. */
async function chainResources(
  arena: Arena,
  config: DecoderConfig,
  { embedding, head, finalNorm, blocks }: ChainWeights,
  context: number,
  { tokensAtOnce, job }: ChainOptions,
): Promise<ChainResources> {
  const iterator = blocksOf(blocks);
  let next = await iterator.next();
  const first = next.done ? null : next.value;
  // How many tokens can be computed together, by the kernels of the matrices: one, and possibly 16 or many.
  const canFeed = (count: 'several' | 'many', tokens: number): boolean =>
    first !== null && runsTogether(first, count) && head.length === 1 && Boolean(head[0][count]) && context >= tokens;
  const counts = [1];
  if (canFeed('several', SEVERAL_TOKENS)) counts.unshift(SEVERAL_TOKENS);
  const manyTokens = tokensAtOnce ?? MANY_TOKENS;
  if (
    canFeed('many', manyTokens) &&
    (tokensAtOnce !== undefined || fitsInMemory(manyTokens, config, arena.context.facts))
  )
    counts.unshift(manyTokens);
  const [maxTokens] = counts;
  const memory = await chainMemory(arena, config, context, maxTokens, first);
  const forwards = counts.map((tokens) => new Forward(arena, memory, config, context, tokens));

  // The embedding in as many slices as bindings require, and the dispatches that start the streams from it.
  const { data, stride, type } = embedding;
  const rowBytes = stride * (type === 'f16' ? 2 : 4);
  const table: (TableSlice & { readonly embedding: GPUBufferBinding })[] = [];
  for (const slice of tableSlices(config.vocabulary, rowBytes, arena.context.facts)) {
    const rows = new Uint8Array(data.buffer, data.byteOffset + slice.first * rowBytes, slice.rows * rowBytes);
    table.push({ ...slice, embedding: await arena.shared('embedding', 'embedding', rows) });
  }
  const firstNorm = first?.attentionNorm ?? finalNorm;
  for (const forward of forwards) await forward.begin(embedding, table, firstNorm);
  const startsNext = table.length === 1 && samplingWorkgroups(config.vocabulary) === 1;
  // Uploads block after block, with its cache. A block is planned with the norm and product that follow it, so the next
  // block is requested first.
  const caches: LayerCache[] = [];
  for (let layer = 0; layer < config.layers; layer++) {
    throwIfCancelled(job);
    if (next.done) throw new RangeError(`blocks: found ${layer}, expected ${config.layers}`);
    const block = next.value;
    next = await iterator.next();
    const bytes = cacheBytes(config, cacheSpace(context));
    const cache = {
      keys: { buffer: await arena.allocate('cache', `keys of block ${layer}`, bytes) },
      values: { buffer: await arena.allocate('cache', `values of block ${layer}`, bytes) },
    };
    caches.push(cache);
    const nextNorm: NextNorm = next.done
      ? {
          weights: finalNorm,
          product: { kind: 'head', label: 'head', stacked: head },
          isRead: startsNext,
          stream: memory.stream,
        }
      : {
          weights: next.value.attentionNorm,
          product: { kind: 'matrices', label: `block ${layer + 1}, q, k, v`, stacked: next.value.qkv },
          isRead: true,
        };
    for (const forward of forwards) await forward.block(block, `block ${layer}`, cache, nextNorm);
    job?.report({ what: 'blocks on the GPU', done: layer + 1, total: config.layers });
  }
  for (const forward of forwards) await forward.end(head);

  // The stage that draws tokens, and buffers in which ids and logits are read back.
  const noise = await arena.allocate('activations', 'noise', 4 * NOISE_ENTRIES);
  const bests = await arena.allocate('activations', 'best candidates', 8 * samplingWorkgroups(config.vocabulary));
  const several = forwards.slice(0, -1);
  const forward = forwards[several.length];
  const choose: Launch[] = [];
  const normWeights = await arena.shared('norms and biases', 'norm', firstNorm);
  const bindings = { ...memory, noise, bests, normWeights, embedding: table[0].embedding };
  const nextStart = startsNext ? { table: embedding, isUnscaled: forward.isUnscaled } : null;
  for (const pass of samplingPasses(config, context + 1, nextStart, arena.context.facts)) {
    choose.push(await launchOf(arena.context, 'sampling', 'chain/choose', pass, bindings));
  }
  const stagings: GPUBuffer[] = [];
  while (stagings.length < SUBMITS_AHEAD) stagings.push(await arena.staging('ids', 4 * WRITTEN_AT_ONCE));
  const collectedBytes = Math.max(FED_AT_ONCE, maxTokens) * 4 * config.vocabulary;
  const collected = await arena.staging('logits for reading', collectedBytes);
  return {
    config,
    context,
    arena,
    memory,
    caches,
    oneToken: forward,
    several,
    choose,
    startsNext,
    noise,
    collected,
    stagings,
  };
}

/** Whether the buffers for `tokens` tokens fit in a binding and take little memory compared with the model. */
function fitsInMemory(tokens: number, config: DecoderConfig, { limits }: DeviceFacts): boolean {
  const { hidden, intermediate, heads, kvHeads, headDim, vocabulary } = config;
  const largestOutput = Math.max(vocabulary, 2 * intermediate, (heads + 2 * kvHeads) * headDim);
  // For each token: four rows of `hidden` numbers (stream, normalised stream, gathered values, addends), three of
  // `intermediate` (gate, up, hidden row), and two of `vocabulary` (logits and their copy).
  const numbers = tokens * (4 * hidden + 3 * intermediate + 2 * vocabulary);
  return (
    4 * tokens * largestOutput <= Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize) &&
    4 * numbers <= MAX_SHARE_OF_MODEL * 2 * weightsOf(config)
  );
}

async function* blocksOf(blocks: ChainWeights['blocks']): AsyncGenerator<ChainBlock, void> {
  yield* blocks;
}

/** Allocates the buffers of a chain, for `tokens` jointly computed tokens. */
async function chainMemory(
  arena: Arena,
  config: DecoderConfig,
  context: number,
  tokens: number,
  block: ChainBlock | null,
): Promise<ChainMemory> {
  const { hidden, intermediate, heads, headDim, vocabulary } = config;
  const alignment = arena.context.facts.limits.minStorageBufferOffsetAlignment;
  const numbers = (label: string, count: number): Promise<GPUBuffer> => arena.allocate('activations', label, 4 * count);
  const turns = Float32Array.from(rotaryTable(config, context));
  const outputs = (stacked: MatrixStack): number =>
    Math.max(regionBytes(regionsOf(stacked, 1, alignment)), regionBytes(regionsOf(stacked, tokens, alignment)));
  return {
    state: await numbers('state', STATE_WORDS),
    ids: await numbers('ids', context + 1),
    turns: await arena.shared('norms and biases', 'turns of positions', turns),
    nothing: await numbers('nothing', 4),
    stream: await numbers('stream', tokens * hidden),
    otherStream: await numbers('other stream', hidden),
    normed: await numbers('normalised stream', tokens * hidden),
    projected: await arena.allocate(
      'activations',
      'products',
      block === null ? 0 : Math.max(outputs(block.qkv), outputs(block.feedForward.gateUp)),
    ),
    gathered: await numbers('gathered values', tokens * heads * headDim),
    parts: await numbers(
      'parts of gathered values',
      Math.max(
        spanResultElements(config, context, 1, arena.context.facts),
        spanResultElements(config, context, tokens, arena.context.facts),
      ),
    ),
    addends: await numbers('addends', tokens * hidden),
    hidden: await numbers('hidden rows', tokens * intermediate),
    logits: await numbers('logits', tokens * vocabulary),
  };
}

function encodePass(encoder: GPUCommandEncoder, launches: readonly Launch[]): void {
  const pass = encoder.beginComputePass();
  encodeLaunches(pass, launches);
  pass.end();
}

/** Encodes dispatches in order. */
export function encodeLaunches(pass: GPUComputePassEncoder, launches: readonly Launch[]): void {
  let pipeline: GPUComputePipeline | null = null;
  for (const launch of launches) {
    if (launch.pipeline !== pipeline) {
      pipeline = launch.pipeline;
      pass.setPipeline(pipeline);
    }
    pass.setBindGroup(0, launch.group);
    const [x, y, z] = launch.workgroups;
    if (z !== 1) pass.dispatchWorkgroups(x, y, z);
    else if (y !== 1) pass.dispatchWorkgroups(x, y);
    else pass.dispatchWorkgroups(x);
  }
}
