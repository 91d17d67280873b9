// Checks the stages of one token on the GPU against f64 on the CPU.

import { KernelError } from '../../../../src/core/errors.ts';
import { SPMV } from '../../../../src/core/operations/index.ts';
import { expectedOf } from '../../../../src/core/operations/operation.ts';
import { verifyOutputs } from '../../../../src/core/operations/verify.ts';
import type { StageCheck } from '../../../../src/core/reports/decode-report.ts';
import type { GpuContext } from '../../../../src/gpu/index.ts';
import type { Chain } from '../chain/chain.ts';
import { type Launch, type LaunchKind, regionsOf } from '../chain/launches.ts';
import type { MatrixStack } from '../chain/weights.ts';
import { drawToken } from '../sampling.ts';
import type { GeneratedModel } from './generated-model.ts';
import { activationError, activationInputs, attentionError } from './stage-errors.ts';

/** Maximum `relativeError` of the output of an attention head, and of its cached key and value. */
const ATTENTION_BOUND = 1e-4;
/** Maximum `relativeError` of the activated neurons of a block. */
const ACTIVATION_BOUND = 1e-5;

/** Maximum relative error that the scale of the last RMS norm, computed in f32 on the GPU, adds to a logit. */
const SCALE_BOUND = 1e-5;
/** Twice the largest relative error of one rounding to f32. */
const F32_ROUNDING = 2 ** -23;

/** A part of a buffer that is copied between two stages, to be checked. */
interface Copy {
  readonly from: GPUBuffer;
  readonly offset: number;
  readonly staging: GPUBuffer;
}

/** Consecutive dispatches of one kind, and the copies to make before and after them. */
interface Stage {
  readonly kind: LaunchKind;
  readonly launches: Launch[];
  readonly before: Copy[];
  readonly after: Copy[];
}

/**
 * Computes the next token on `chain`, a decoder on the GPU, and compares stages with f64 on the CPU, each from its
 * inputs on the GPU: products, attention and activation of the first and the last block, the output matrix, and the
 * drawn token. `temperature`: as for the last written text, 0 if there is none. `model`: the weights of `chain`, with a
 * single block for all layers. The sequence is unchanged. Throws KernelError if `chain` has other stages, and
 * DeviceLostError.
 */
export async function checkNextToken(
  context: GpuContext,
  chain: Chain,
  model: GeneratedModel,
  temperature: number,
): Promise<readonly StageCheck[]> {
  const { layers } = chain.config;
  const { qkv, o, gateUp, down } = model.block;
  const { normed, projected, gathered, hidden, logits } = chain.memory;
  const check = new TokenCheck(context, chain, model);
  const products = check.stagesOfKind('matrices', 4 * layers);
  const attention = check.stagesOfKind('attention', layers);
  const activations = check.stagesOfKind('activations', layers);
  const [head] = check.stagesOfKind('head', 1);
  const [sampling] = check.stagesOfKind('sampling', 1);
  for (const layer of new Set([0, layers - 1])) {
    const [forQkv, forO, forGateUp, forDown] = products.slice(4 * layer, 4 * layer + 4);
    const label = `block ${layer}`;
    check.product(`${label}, q, k, v`, forQkv, qkv, normed, projected);
    check.attention(`${label}, attention`, attention[layer], layer, products[4 * layer - 1]);
    check.addedProduct(`${label}, o`, forO, o, gathered);
    check.product(`${label}, gate, up`, forGateUp, gateUp, normed, projected);
    check.activation(`${label}, activation`, activations[layer], forO);
    check.addedProduct(`${label}, down`, forDown, down, hidden);
  }
  check.sampling(sampling, products.at(-1), temperature);
  check.product('head', head, model.weights.head, normed, logits);
  return check.run();
}

/**
 * Checks of the stages of one token. The stages run only once, so the methods of checks register copies of buffers
 * before and after a stage, and a comparison of these copies; then `run` runs the stages, and all comparisons.
 */
class TokenCheck {
  readonly #context: GpuContext;
  readonly #chain: Chain;
  readonly #model: GeneratedModel;
  readonly #stages: readonly Stage[];
  readonly #stagings: GPUBuffer[] = [];
  readonly #comparisons: (() => Promise<StageCheck>)[] = [];
  /** of the outputs of stacked matrices, bytes */
  readonly #alignment: number;

  constructor(context: GpuContext, chain: Chain, model: GeneratedModel) {
    this.#context = context;
    this.#chain = chain;
    this.#model = model;
    this.#stages = stagesOf(chain);
    this.#alignment = context.facts.limits.minStorageBufferOffsetAlignment;
  }

  /** The stages of a kind. Throws KernelError if they are not `count`. */
  stagesOfKind(kind: LaunchKind, count: number): readonly Stage[] {
    const matching = this.#stages.filter((stage) => stage.kind === kind);
    if (matching.length !== count) {
      throw new KernelError(`a token: found ${matching.length} stages of ${kind}, expected ${count}`);
    }
    return matching;
  }

  /** Checks the product of stacked matrices with the vector in `x`, which the stage writes to `y`. */
  product(what: string, stage: Stage, stacked: MatrixStack, x: GPUBuffer, y: GPUBuffer): void {
    const input = this.#copy(stage.before, x);
    const output = this.#copy(stage.after, y);
    this.#compare(what, async () => this.#productError(stacked, await input(), await output()));
  }

  /** Checks a product that is added to the residual stream, by its stage or by the next one. */
  addedProduct(what: string, stage: Stage, stacked: MatrixStack, x: GPUBuffer): void {
    const { memory, config } = this.#chain;
    const added = addedBy(stage);
    if (!added) return this.product(what, stage, stacked, x, memory.addends);
    const bytes = 4 * config.hidden;
    const input = this.#copy(stage.before, x);
    const streamBefore = this.#copy(stage.before, added.from, bytes);
    const streamAfter = this.#copy(stage.after, added.to, bytes);
    const normed = this.#copy(stage.after, memory.normed, bytes);
    this.#compare(what, async () => {
      const sums = await streamAfter();
      const { ok, worst } = this.#productError(stacked, await input(), sums, await streamBefore());
      // The stage also writes the sums times the weights of the next norm.
      const isNormed = (await normed()).every((value, row) => {
        const expected = this.#model.norm[row] * sums[row];
        return Math.abs(value - expected) <= F32_ROUNDING * Math.abs(expected);
      });
      return { ok: ok && isNormed, worst };
    });
  }

  /** Checks attention of a layer, and the key and value that it writes to the cache. `previous`: the product before. */
  attention(what: string, stage: Stage, layer: number, previous: Stage | undefined): void {
    const { config, memory, length: position } = this.#chain;
    const { heads, kvHeads, headDim } = config;
    const { keys, values } = memory.caches[layer];
    const scale = this.#missingScale(stage, previous);
    const projected = this.#copy(stage.before, memory.projected, 4 * (heads + 2 * kvHeads) * headDim);
    const cachedKeys = this.#copy(stage.after, keys.buffer);
    const cachedValues = this.#copy(stage.after, values.buffer);
    const gathered = this.#copy(stage.after, memory.gathered, 4 * heads * headDim);
    this.#compare(what, async () => {
      const inputs = {
        projected: scaled(await projected(), await scale()),
        keys: await cachedKeys(),
        values: await cachedValues(),
        biases: this.#model.block.biases,
      };
      const worst = attentionError(config, position, inputs, await gathered()) / ATTENTION_BOUND;
      return { ok: worst <= 1, worst };
    });
  }

  /** Checks the activated neurons of a block. `previous`: the last product that may have added to the stream. */
  activation(what: string, stage: Stage, previous: Stage): void {
    const { config, memory } = this.#chain;
    const { gateUp, biases } = this.#model.block;
    const scale = this.#missingScale(stage, previous);
    const projected = this.#copy(stage.before, memory.projected);
    const hidden = this.#copy(stage.after, memory.hidden, 4 * config.intermediate);
    this.#compare(what, async () => {
      const inputs = activationInputs(config, scaled(await projected(), await scale()), gateUp, this.#alignment);
      const worst = activationError(inputs, biases, await hidden()) / ACTIVATION_BOUND;
      return { ok: worst <= 1, worst };
    });
  }

  /** Checks the drawn token, and that the stage scales the logits in place before it draws. */
  sampling(stage: Stage, previous: Stage | undefined, temperature: number): void {
    const { config, memory, length: position } = this.#chain;
    const bytes = 4 * config.vocabulary;
    const scale = this.#missingScale(stage, previous);
    const unscaledLogits = this.#copy(stage.before, memory.logits, bytes);
    const logits = this.#copy(stage.after, memory.logits, bytes);
    const drawn = this.#copyBytes(stage.after, memory.ids, 4 * (position + 1), 4);
    this.#compare('sampling', async () => {
      const scaledLogits = await logits();
      const expected = scaled(await unscaledLogits(), await scale());
      const isScaled = expected.every((v, id) => Math.abs(scaledLogits[id] - v) <= SCALE_BOUND * Math.abs(v));
      const expectedId = drawToken(scaledLogits, position + 1, { temperature, seed: 0 });
      const ok = isScaled && new Uint32Array(await drawn())[0] === expectedId;
      return { ok, worst: ok ? 0 : Number.MAX_VALUE };
    });
  }

  /** Runs every stage once, with the copies before and after it, and then all comparisons. */
  async run(): Promise<readonly StageCheck[]> {
    const { device } = this.#context;
    try {
      const encoder = device.createCommandEncoder({ label: 'check' });
      const encodeCopies = (copies: readonly Copy[]): void => {
        for (const { from, offset, staging } of copies) {
          encoder.copyBufferToBuffer(from, offset, staging, 0, staging.size);
        }
      };
      for (const { launches, before, after } of this.#stages) {
        encodeCopies(before);
        const pass = encoder.beginComputePass();
        this.#chain.encodeRepeated(pass, launches, 1);
        pass.end();
        encodeCopies(after);
      }
      device.queue.submit([encoder.finish()]);
      const results: StageCheck[] = [];
      for (const compare of this.#comparisons) results.push(await compare());
      return results;
    } finally {
      for (const staging of this.#stagings) staging.destroy();
    }
  }

  #compare(what: string, compare: () => Promise<Pick<StageCheck, 'ok' | 'worst'>>): void {
    const position = this.#chain.length;
    this.#comparisons.push(async () => ({ what, position, ...(await compare()) }));
  }

  /** Registers a copy of `bytes` bytes of a buffer. The returned function reads the copy after the stages have run. */
  #copyBytes(copies: Copy[], from: GPUBuffer, offset: number, bytes: number): () => Promise<ArrayBuffer> {
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
    const staging = this.#context.device.createBuffer({ size: bytes, usage });
    this.#stagings.push(staging);
    copies.push({ from, offset, staging });
    return async () => {
      await this.#context.whileAlive(staging.mapAsync(GPUMapMode.READ));
      const copy = staging.getMappedRange().slice(0);
      staging.destroy();
      return copy;
    };
  }

  #copy(copies: Copy[], from: GPUBuffer, bytes = from.size): () => Promise<Float32Array> {
    const read = this.#copyBytes(copies, from, 0, bytes);
    return async () => new Float32Array(await read());
  }

  /** Compares y = W x for stacked matrices W with f64; `stream`: the residual stream to which it was added. */
  #productError(
    stacked: MatrixStack,
    x: Float32Array,
    y: Float32Array,
    stream?: Float32Array,
  ): Pick<StageCheck, 'ok' | 'worst'> {
    let worst = 0;
    let ok = true;
    for (const [i, { offset }] of regionsOf(stacked, 1, this.#alignment).entries()) {
      const { encoded, oneToken } = stacked[i];
      const first = offset / 4;
      const inputs = { x: x.slice(0, encoded.cols) };
      const expected = expectedOf(SPMV, this.#model.decoded(encoded), inputs, {}, oneToken.spec);
      const output = expected.output.map((value, row) => value + (stream?.[first + row] ?? 0));
      const bound = expected.bound.map((b, row) => (stream ? b + F32_ROUNDING * Math.abs(output[row]) : b));
      const verified = verifyOutputs(y.slice(first, first + encoded.rows), { output, bound });
      ok &&= verified.ok;
      worst = Math.max(worst, verified.worstShare);
    }
    return { ok, worst };
  }

  /** The factor of RMSNorm, which the input of `stage` lacks if `previous` adds to the residual stream; else 1. */
  #missingScale(stage: Stage, previous: Stage | undefined): () => Promise<number> {
    const added = previous && addedBy(previous);
    if (!added) return async () => 1;
    const { hidden, normEps } = this.#chain.config;
    const stream = this.#copy(stage.before, added.to, 4 * hidden);
    return async () => {
      const squares = (await stream()).reduce((sum, v) => sum + v * v, 0);
      return 1 / Math.sqrt(squares / hidden + normEps);
    };
  }
}

/** The dispatches of the next token by stage. */
function stagesOf(chain: Chain): readonly Stage[] {
  const stages: Stage[] = [];
  for (const launch of [...chain.beginning, ...chain.launches]) {
    const last = stages.at(-1);
    if (last?.kind === launch.kind && last.launches[0].product === launch.product) last.launches.push(launch);
    else stages.push({ kind: launch.kind, launches: [launch], before: [], after: [] });
  }
  return stages;
}

/** The residual streams before and after a stage that adds to the stream; undefined for other stages. */
function addedBy({ launches }: Stage): Launch['added'] {
  return launches.find(({ added }) => added !== undefined)?.added;
}

function scaled(numbers: Float32Array, scale: number): Float64Array {
  return Float64Array.from(numbers, (v) => v * scale);
}
