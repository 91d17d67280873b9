// The forward pass of a chain (a decoder on the GPU): the dispatches from the embedding to the logits of a token or
// a batch.

import { KernelError } from '../../../../src/core/errors.ts';
import type { KernelPlan, PassPlan } from '../../../../src/core/kernel/kernel.ts';
import { blockMatrixShape, type BlockMatrix, type DecoderConfig } from '../decoder.ts';
import { addingPlan, ADDING_BINDINGS } from './adding.ts';
import type { Arena, MemoryKind } from './arena.ts';
import { chainPlan, kernelFor } from './chain-plans.ts';
import {
  type BoundBuffers,
  regionBytes,
  type Launch,
  type LaunchKind,
  launchOf,
  planLaunches,
  regionsOf,
} from './launches.ts';
import { PREFETCH_BINDINGS, prefetchingPlan } from './prefetching.ts';
import {
  cachePass,
  attentionPass,
  type HeadShape,
  manyAttentionPass,
  mergePass,
  spanCount,
} from './attention-stages.ts';
import { actPass } from './feed-forward-stages.ts';
import { addPass, beginPass, type TableSlice, type TableShape } from './norm-stages.ts';
import type { Piece, Pieces } from './stage-device.ts';
import { type ChainBlock, type ChainMatrix, type MatrixStack, SEVERAL_TOKENS } from './weights.ts';

/**
 * The buffers of a chain (a decoder on the GPU) besides its weights, large enough for all tokens that are computed
 * together. `stream`: the residual stream, the sum of the outputs of all layers so far; `projected`: outputs of q, k
 * and v, or of gate and up; `gathered`: outputs of attention, merged from `parts` if a text is long; `addends`: outputs
 * of o and down.
 */
export interface ChainMemory {
  /** of the sequence: its position, the length of its prompt, and the seed, one word each (`STATE` in sampling-stages.ts) */
  readonly state: GPUBuffer;
  readonly ids: GPUBuffer;
  /** the RoPE table: cosine and sine of each angle (rotary.ts) */
  readonly turns: GPUBufferBinding;
  /** bound where a stage uses no buffer */
  readonly nothing: GPUBuffer;
  readonly stream: GPUBuffer;
  /** for one token: products that add their rows to the stream read one of the two buffers and write the other */
  readonly otherStream: GPUBuffer;
  readonly normed: GPUBuffer;
  readonly projected: GPUBuffer;
  readonly gathered: GPUBuffer;
  readonly parts: GPUBuffer;
  readonly addends: GPUBuffer;
  readonly hidden: GPUBuffer;
  readonly logits: GPUBuffer;
}

/** Keys and values of a layer. */
export interface LayerCache {
  readonly keys: GPUBufferBinding;
  readonly values: GPUBufferBinding;
}

/** The launches (dispatches with pipeline and bindings) of attention, for short and for long sequences. */
interface AttentionLaunches {
  /** for positions that fit in one span, which one workgroup reads */
  readonly short: Launch;
  /** for several spans: the parts of all spans, and their merge; null if the context is one span */
  readonly long: readonly [parts: Launch, merge: Launch] | null;
}

type ForwardStep = Launch | AttentionLaunches;
type ForwardSteps = readonly ForwardStep[];

/** The product of stacked matrices with one vector. */
export interface Product {
  readonly kind: LaunchKind & MemoryKind;
  readonly label: string;
  readonly stacked: MatrixStack;
}

/** The norm that follows a block or its attention, and the product after that norm. */
export interface NextNorm {
  readonly weights: Float32Array;
  readonly product: Product;
  /** whether that product reads the output of the norm */
  readonly isRead: boolean;
  /** the buffer in which products that add their rows must leave the stream; absent: any */
  readonly stream?: GPUBuffer;
}

/** The product that follows another: a kernel may prefetch its weights. */
interface NextProduct {
  /** null: no product */
  readonly next: Product | null;
  /** index of the matrix in its stack; absent: the first */
  readonly part?: number;
}

/** How the rows of a product are added to the stream. */
interface Addition {
  /** from `addingPlan`, one for each matrix */
  readonly plans: readonly KernelPlan[];
  /** of the next norm */
  readonly weights: Float32Array;
  /** the stream before the addition */
  readonly from: GPUBuffer;
}

/** Builds the dispatches of the forward pass of `tokens` tokens, from the embedding to the logits, block by block. */
export class Forward {
  readonly tokens: number;
  readonly #config: DecoderConfig;
  readonly #context: number;
  readonly #arena: Arena;
  readonly #memory: ChainMemory;
  /** the steps after `#beginning`, in order */
  readonly #steps: ForwardStep[] = [];
  #beginning: readonly Launch[] = [];
  /** the dispatches at positions with this many spans, as last built */
  #built: { readonly spans: number; readonly launches: readonly Launch[] } | null = null;
  /** by matrix, so that a matrix that several blocks share is planned once */
  readonly #plans = new WeakMap<ChainMatrix, KernelPlan>();
  /** whether the current products read the stream times the norm's weights, not yet divided by its root mean square */
  #isUnscaled = false;
  /** the current buffer of the stream */
  #stream: GPUBuffer;
  /** the first block's first product, which follows the head in the pass of the next token */
  #firstProduct: Product | null = null;

  constructor(arena: Arena, memory: ChainMemory, config: DecoderConfig, context: number, tokens: number) {
    this.#arena = arena;
    this.#memory = memory;
    this.#config = config;
    this.#context = context;
    this.tokens = tokens;
    this.#stream = memory.stream;
  }

  /** Dispatches that start the residual streams from the embedding. */
  get beginning(): readonly Launch[] {
    return this.#beginning;
  }

  /** Whether the head has read an unnormalised stream. */
  get isUnscaled(): boolean {
    return this.#isUnscaled;
  }

  /** Dispatches of one run at a position, after `beginning`. */
  launchesAt(position: number): readonly Launch[] {
    const { facts } = this.#arena.context;
    const spans = spanCount(this.#config, position + this.tokens - 1, facts, this.tokens);
    if (spans !== this.#built?.spans) this.#built = { spans, launches: this.#launchesOf(spans) };
    return this.#built.launches;
  }

  #launchesOf(spans: number): readonly Launch[] {
    return this.#steps.flatMap((step) => {
      if ('pipeline' in step) return [step];
      if (spans === 1 || step.long === null) return [step.short];
      const [parts, merge] = step.long;
      const [heads, tokens] = parts.workgroups;
      return [{ ...parts, workgroups: [heads, tokens, spans] as const }, merge];
    });
  }

  /** Builds the dispatches that start the residual streams from the parts of the embedding. */
  async begin(
    table: TableShape,
    parts: readonly (TableSlice & { readonly embedding: GPUBufferBinding })[],
    firstNorm: Float32Array,
  ): Promise<void> {
    const { stream, normed, state, ids } = this.#memory;
    const bound = { stream, normed, normWeights: await this.#vector('norm', firstNorm), state, ids };
    this.#beginning = await Promise.all(
      parts.map((part) => {
        const pass = beginPass(this.#config, table, part, this.tokens, this.#arena.context.facts);
        return launchOf(this.#arena.context, 'norms', 'chain/norm', pass, { ...bound, embedding: part.embedding });
      }),
    );
  }

  /** Appends the dispatches of a block, with the norm that follows it. */
  async block(block: ChainBlock, label: string, cache: LayerCache, next: NextNorm): Promise<void> {
    const { normed, projected, gathered, addends, hidden } = this.#memory;
    const { biases } = block;
    const { hidden: width, intermediate, heads, headDim } = this.#config;
    const { gateUp, down } = block.feedForward;
    const product = (name: string, stacked: MatrixStack): Product => ({
      kind: 'matrices',
      label: `${label}, ${name}`,
      stacked,
    });
    const qkv = product('q, k, v', block.qkv);
    const o = product('o', block.o);
    const gateUpProduct = product('gate, up', gateUp);
    const downProduct = product('down', down);
    this.#firstProduct ??= qkv;
    // An unsupported plan throws here, before anything is awaited.
    for (const matrix of block.qkv) this.#planOf(qkv.label, matrix);
    this.#checkWhole(o.label, block.o, width);
    this.#checkWhole(downProduct.label, down, width);
    // Dispatches of a product whose output is added to the residual stream, and of the norm that follows.
    const productAndSum = (
      name: 'o' | 'down',
      output: Product,
      cols: number,
      x: GPUBuffer,
      { weights, product: next, isRead, stream: finalStream }: NextNorm,
    ): readonly Promise<ForwardSteps>[] => {
      // Rows are added from one stream to the other.
      const plans = finalStream === this.#stream || !isRead ? null : this.#addingPlans(output, biases[name]);
      this.#isUnscaled = plans !== null;
      if (plans) {
        const { stream, otherStream } = this.#memory;
        const addition = { plans, weights, from: this.#stream };
        this.#stream = this.#stream === stream ? otherStream : stream;
        return [this.#products(output, cols, x, this.#stream, { next, addition })];
      }
      return [
        this.#products(output, cols, x, addends, { next }),
        this.#add(weights, biases[name], `${label}, bias of ${name}`),
      ];
    };
    const { feedForwardNorm } = block;
    // In parallel, since each of these waits for the device a few times. Up to its first wait, each call runs in this
    // order, and reads #stream and #isUnscaled as the calls before it have set them.
    await this.#append([
      this.#products(qkv, width, normed, projected, { next: o }),
      this.#attention(block, label, cache),
      ...productAndSum('o', o, heads * headDim, gathered, {
        weights: feedForwardNorm,
        product: gateUpProduct,
        isRead: true,
      }),
      this.#products(gateUpProduct, width, normed, projected, { next: downProduct }),
      this.#act(gateUp, biases, label),
      ...productAndSum('down', downProduct, intermediate, hidden, next),
    ]);
  }

  /** Appends the dispatches of the logits. */
  async end(head: MatrixStack): Promise<void> {
    const { hidden, vocabulary } = this.#config;
    this.#checkWhole('head', head, vocabulary);
    const { normed, logits } = this.#memory;
    const product: Product = { kind: 'head', label: 'head', stacked: head };
    await this.#append([this.#products(product, hidden, normed, logits, { next: this.#firstProduct })]);
  }

  async #append(steps: readonly Promise<ForwardSteps>[]): Promise<void> {
    for (const stepsOfStage of await Promise.all(steps)) this.#steps.push(...stepsOfStage); // bounded: a few steps
  }

  get #alignment(): number {
    return this.#arena.context.facts.limits.minStorageBufferOffsetAlignment;
  }

  async #act(gateUp: MatrixStack, biases: ChainBlock['biases'], label: string): Promise<ForwardSteps> {
    const { projected, hidden } = this.#memory;
    const act = actPass(
      {
        config: this.#config,
        pieces: this.#pieces(`${label}, gate, up`, gateUp, ['gate', 'up']),
        isBiased: biases.gate !== undefined || biases.up !== undefined,
        tokens: this.tokens,
        isUnscaled: this.#isUnscaled,
      },
      this.#arena.context.facts,
    );
    return this.#stage('activations', 'chain/act', act, {
      projected,
      stream: this.#stream,
      biases: await this.#biases(biases, ['gate', 'up']),
      hidden,
    });
  }

  async #stage(kind: LaunchKind, id: string, pass: PassPlan, bound: BoundBuffers): Promise<ForwardSteps> {
    return [await launchOf(this.#arena.context, kind, id, pass, bound)];
  }

  async #attention(block: ChainBlock, label: string, cache: LayerCache): Promise<ForwardSteps> {
    const { state, turns, projected, gathered, parts } = this.#memory;
    const {
      context,
      context: { facts },
    } = this.#arena;
    const names = ['q', 'k', 'v'] as const;
    const shape: HeadShape = {
      config: this.#config,
      pieces: this.#pieces(`${label}, q, k, v`, block.qkv, names),
      context: this.#context,
      isBiased: names.some((name) => block.biases[name] !== undefined),
      tokens: this.tokens,
      isUnscaled: this.#isUnscaled,
    };
    const stream = this.#stream;
    const biases = await this.#biases(block.biases, names);
    const bound = { state, projected, biases, turns, ...cache, gathered, stream };
    const fillsCache = this.tokens === 1;
    const filling = fillsCache ? [] : this.#stage('attention', 'chain/append', cachePass(shape, facts), bound);
    const manyTokensPass = this.tokens > SEVERAL_TOKENS ? manyAttentionPass(shape, facts) : null;
    if (manyTokensPass) {
      return (
        await Promise.all([filling, this.#stage('attention', 'chain/attention_many', manyTokensPass, bound)])
      ).flat();
    }
    const launch = (inSpans: boolean): Promise<Launch> =>
      launchOf(context, 'attention', 'chain/attention', attentionPass(shape, { fillsCache, inSpans }, facts), {
        ...bound,
        gathered: inSpans ? parts : gathered,
      });
    const merge = (): Promise<Launch> =>
      launchOf(context, 'attention', 'chain/merge', mergePass(shape, facts), { state, parts, gathered });
    const isShort = spanCount(this.#config, this.#context, facts, this.tokens) === 1;
    const [before, short, long] = await Promise.all([
      filling,
      launch(false),
      isShort ? null : Promise.all([launch(true), merge()]),
    ]);
    return [...before, { short, long }];
  }

  async #add(norm: Float32Array, bias: Float32Array | undefined, label: string): Promise<ForwardSteps> {
    const { normed, addends, nothing } = this.#memory;
    const stream = this.#stream;
    const pass = addPass(this.#config, bias !== undefined, this.tokens, this.#arena.context.facts);
    return this.#stage('norms', 'chain/norm', pass, {
      stream,
      normed,
      normWeights: await this.#vector('norm', norm),
      addends,
      biases: bias === undefined ? nothing : await this.#vector(label, bias),
    });
  }

  /** Weights that a stage reads. */
  #vector(label: string, data: Float32Array): Promise<GPUBufferBinding> {
    return this.#arena.shared('norms and biases', label, data);
  }

  /** The biases of stacked matrices below each other, 0 for a matrix without biases. */
  async #biases(biases: ChainBlock['biases'], names: readonly BlockMatrix[]): Promise<GPUBufferBinding | GPUBuffer> {
    if (names.every((name) => biases[name] === undefined)) return this.#memory.nothing;
    const numbers = names.flatMap((name) => [
      ...(biases[name] ?? new Float32Array(blockMatrixShape(this.#config, name)[0])),
    ]);
    return this.#vector(`biases of ${names.join(', ')}`, Float32Array.from(numbers));
  }

  /** Throws KernelError unless the stacked matrices, parts of one matrix by rows, write outputs without gaps. */
  #checkWhole(label: string, stacked: MatrixStack, rows: number): void {
    const totalRows = stacked.reduce((total, { encoded }) => total + encoded.rows, 0);
    if (totalRows !== rows) throw new KernelError(`${label}: found ${totalRows} rows, expected ${rows}`);
    if (stacked.length > 1 && this.tokens > 1) {
      throw new KernelError(`${label}: found ${stacked.length} matrices, expected one for several tokens at a time`);
    }
    for (const { encoded } of stacked.slice(0, -1)) {
      if ((4 * encoded.rows) % this.#alignment === 0) continue;
      throw new KernelError(
        `${label}: found a part of ${encoded.rows} rows, expected a multiple of ${this.#alignment / 4} in all but the last`,
      );
    }
  }

  /**
   * Where the products of the named matrices are in the output of the stacked matrices. For one token, a matrix may be
   * divided by rows if there are no gaps between the outputs of its parts. Throws KernelError for other rows.
   */
  #pieces<Name extends BlockMatrix>(label: string, stacked: MatrixStack, names: readonly Name[]): Pieces<Name> {
    const regions = regionsOf(stacked, this.tokens, this.#alignment);
    const pieces: Partial<Record<Name, Piece>> = {};
    let index = 0;
    let row = 0;
    // `index` and `row`: the stacked matrix and the row in it at which the next named matrix begins.
    for (const name of names) {
      let rows = blockMatrixShape(this.#config, name)[0];
      let available = stacked[index]?.encoded.rows ?? 0;
      const offset = (regions[index]?.offset ?? 0) / 4 + row;
      while (row + rows > available) {
        const isTruncated = row < available && this.tokens === 1 && (4 * available) % this.#alignment === 0;
        if (!isTruncated || index + 1 >= stacked.length) {
          throw new KernelError(`${label}: found ${available - row} rows left for ${name}, expected ${rows}`);
        }
        rows -= available - row;
        row = 0;
        available = stacked[++index].encoded.rows;
      }
      pieces[name] = { at: offset, stride: available };
      row += rows;
      if (row === available) {
        index++;
        row = 0;
      }
    }
    if (index !== stacked.length || row !== 0) {
      throw new KernelError(`${label}: found more rows than ${names.join(', ')} have, expected no others`);
    }
    return pieces as Pieces<Name>;
  }

  /** The products of stacked matrices, one after the other in `output`, or added to the stream if there is one. */
  async #products(
    { kind, label, stacked }: Product,
    cols: number,
    x: GPUBuffer,
    output: GPUBuffer,
    { addition = null, ...nextProduct }: NextProduct & { readonly addition?: Addition | null },
  ): Promise<ForwardSteps> {
    for (const { encoded } of stacked) {
      if (encoded.cols !== cols) throw new KernelError(`${label}: found ${encoded.cols} columns, expected ${cols}`);
    }
    const regions = regionsOf(stacked, this.tokens, this.#alignment);
    if (regionBytes(regions) > output.size) {
      throw new KernelError(`${label}: needs ${regionBytes(regions)} bytes of output, expected at most ${output.size}`);
    }
    const plans = addition?.plans ?? stacked.map((matrix) => this.#planOf(label, matrix));
    const additionInputs: Readonly<Record<string, GPUBuffer>> = addition
      ? {
          [ADDING_BINDINGS.stream]: addition.from,
          [ADDING_BINDINGS.weights]: (await this.#vector('norm', addition.weights)).buffer,
        }
      : {};
    const launches = stacked.map(async (matrix, i) => {
      const { spec } = kernelFor(label, matrix, this.tokens);
      const { offset, bytes } = regions[i];
      const rows = (buffer: GPUBuffer): GPUBufferBinding => ({ buffer, offset, size: bytes });
      const isLast = i + 1 === stacked.length;
      const prefetched = isLast ? nextProduct : { next: { kind, label, stacked }, part: i + 1 };
      return planLaunches(
        this.#arena,
        {
          kind,
          label: partLabel(label, stacked, i),
          product: label,
          added: addition && { from: addition.from, to: output },
        },
        { id: spec.id, ...(await this.#prefetching(plans[i], prefetched)) },
        (name) => (name in additionInputs ? rows(additionInputs[name]) : x),
        addition ? [rows(output), rows(this.#memory.normed)] : [rows(output)],
      );
    });
    return (await Promise.all(launches)).flat();
  }

  /** The plan of a product; for one token it prefetches the arrays of the next, which it binds (prefetching.ts). */
  async #prefetching(
    plan: KernelPlan,
    { next, part = 0 }: NextProduct,
  ): Promise<{ readonly plan: KernelPlan; readonly bound: BoundBuffers }> {
    if (this.tokens > 1 || next === null) return { plan, bound: {} };
    const arrays = await this.#arraysOf(next, part);
    const bytes = arrays.map(({ buffer, size }) => size ?? buffer.size);
    return {
      plan: prefetchingPlan(plan, bytes, this.#arena.context.facts),
      bound: {
        ...Object.fromEntries(arrays.map((array, i) => [PREFETCH_BINDINGS.array(i), array])),
        [PREFETCH_BINDINGS.neverRead]: this.#memory.nothing,
      },
    };
  }

  /** The arrays of one matrix of a product on the device, uploaded when first needed. */
  #arraysOf({ kind, label, stacked }: Product, part: number): Promise<readonly GPUBufferBinding[]> {
    const user = partLabel(label, stacked, part);
    const arrays = this.#planOf(label, stacked[part]).buffers.flatMap((buffer) =>
      buffer.role === 'sparse' ? [this.#arena.copyFor(kind, `${user}: ${buffer.name}`, buffer.data, user)] : [],
    );
    return Promise.all(arrays);
  }

  #planOf(label: string, matrix: ChainMatrix): KernelPlan {
    const cached = this.#plans.get(matrix);
    if (cached) return cached;
    const plan = chainPlan(this.#arena.context, label, matrix, this.tokens);
    this.#plans.set(matrix, plan);
    return plan;
  }

  /** Plans of kernels that add their rows to the stream; null if one cannot, for several tokens, and with a bias. */
  #addingPlans({ label, stacked }: Product, bias: Float32Array | undefined): readonly KernelPlan[] | null {
    const { facts } = this.#arena.context;
    // The stream is read in groups of four.
    if (this.tokens > 1 || bias !== undefined || this.#config.hidden % 4 !== 0) return null;
    const plans: KernelPlan[] = [];
    for (const matrix of stacked) {
      const plan = addingPlan(this.#planOf(label, matrix), facts);
      if (plan === null) return null;
      plans.push(plan);
    }
    return plans;
  }
}

function partLabel(label: string, stacked: MatrixStack, part: number): string {
  return stacked.length === 1 ? label : `${label}, part ${part}`;
}

/** Whether all matrices of a block have kernels for several tokens at a time (16), or for many (512). */
export function runsTogether(
  { qkv, o, feedForward: { gateUp, down } }: ChainBlock,
  count: 'several' | 'many',
): boolean {
  const matrices = [...qkv, ...o, ...gateUp, ...down];
  return matrices.every((matrix) => Boolean(matrix[count])) && o.length === 1 && down.length === 1;
}
