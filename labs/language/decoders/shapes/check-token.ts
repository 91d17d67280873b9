// Checks the stages of one token on the GPU against f64 on the CPU.

import { KernelError } from '../../../../src/core/errors.ts';
import { SPMV } from '../../../../src/core/operations/index.ts';
import { expectedOf } from '../../../../src/core/operations/operation.ts';
import { verifyOutputs } from '../../../../src/core/operations/verify.ts';
import type { StageCheck } from '../../../../src/core/reports/decode-report.ts';
import type { GpuContext } from '../../../../src/gpu/index.ts';
import type { Chain } from '../chain/chain.ts';
import { type Launch, type LaunchKind, regionsOf } from '../chain/launches.ts';
import { CACHE_BLOCK } from '../chain/attention-stages.ts';
import type { ChainBlock, MatrixStack } from '../chain/weights.ts';
import type { DecoderConfig } from '../decoder.ts';
import { rotaryFrequencies } from '../rotary.ts';
import { drawToken } from '../sampling.ts';
import type { GeneratedModel } from './generated-model.ts';

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
  const { device } = context;
  const { config, memory, length: position } = chain;
  const { heads, kvHeads, headDim, layers, vocabulary } = config;
  const stages = stagesOf(chain);
  const stagings: GPUBuffer[] = [];
  // The stages of the token run only once, so everything is registered first: the next functions register copies of
  // buffers and return functions that read a copy afterwards, and `checks` collects the comparisons.
  const bytesIn = (list: Copy[], from: GPUBuffer, offset: number, bytes: number): (() => Promise<ArrayBuffer>) => {
    const staging = device.createBuffer({ size: bytes, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    stagings.push(staging);
    list.push({ from, offset, staging });
    return async () => {
      await context.whileAlive(staging.mapAsync(GPUMapMode.READ));
      const copy = staging.getMappedRange().slice(0);
      staging.destroy();
      return copy;
    };
  };
  const copyOf = (list: Copy[], from: GPUBuffer, bytes = from.size): (() => Promise<Float32Array>) => {
    const read = bytesIn(list, from, 0, bytes);
    return async () => new Float32Array(await read());
  };
  const stagesOfKind = (kind: LaunchKind, expected: number): readonly Stage[] => {
    const matching = stages.filter((stage) => stage.kind === kind);
    if (matching.length !== expected) {
      throw new KernelError(`a token: found ${matching.length} stages of ${kind}, expected ${expected}`);
    }
    return matching;
  };
  // The stages of the token, and how many of each kind a chain has.
  const products = stagesOfKind('matrices', 4 * layers);
  const attention = stagesOfKind('attention', layers);
  const activations = stagesOfKind('activations', layers);
  const [head] = stagesOfKind('head', 1);
  const alignment = context.facts.limits.minStorageBufferOffsetAlignment;

  const checks: (() => Promise<StageCheck>)[] = [];
  /** Compares y = W x for stacked matrices W with f64; `stream`: the residual stream to which it was added. */
  const compareProducts = (stacked: MatrixStack, x: Float32Array, y: Float32Array, stream?: Float32Array) => {
    let worst = 0;
    let ok = true;
    for (const [i, { offset }] of regionsOf(stacked, 1, alignment).entries()) {
      const { encoded, one } = stacked[i];
      const first = offset / 4;
      const expected = expectedOf(SPMV, model.decoded(encoded), { x: x.slice(0, encoded.cols) }, {}, one.spec);
      const output = expected.output.map((value, row) => value + (stream?.[first + row] ?? 0));
      const bound = expected.bound.map((b, row) => (stream ? b + F32_ROUNDING * Math.abs(output[row]) : b));
      const verified = verifyOutputs(y.slice(first, first + encoded.rows), { output, bound });
      ok &&= verified.ok;
      worst = Math.max(worst, verified.worstShare);
    }
    return { ok, worst };
  };
  const checkProduct = (what: string, stage: Stage, stacked: MatrixStack, from: GPUBuffer, to: GPUBuffer): void => {
    const input = copyOf(stage.before, from);
    const output = copyOf(stage.after, to);
    checks.push(async () => ({ what, position, ...compareProducts(stacked, await input(), await output()) }));
  };
  /** Checks a product that is added to the residual stream, and the sum times the weights of the next norm. */
  const checkSum = (
    what: string,
    stage: Stage,
    stacked: MatrixStack,
    x: GPUBuffer,
    { from, to }: NonNullable<Launch['added']>,
  ): void => {
    const input = copyOf(stage.before, x);
    const before = copyOf(stage.before, from, 4 * config.hidden);
    const after = copyOf(stage.after, to, 4 * config.hidden);
    const next = copyOf(stage.after, memory.normed, 4 * config.hidden);
    checks.push(async () => {
      const sums = await after();
      const { ok, worst } = compareProducts(stacked, await input(), sums, await before());
      const isNormed = (await next()).every((value, row) => {
        const expected = model.norm[row] * sums[row];
        return Math.abs(value - expected) <= F32_ROUNDING * Math.abs(expected);
      });
      return { what, position, ok: ok && isNormed, worst };
    });
  };
  /** The RMS norm's factor, which the input of `stage` lacks if `before` adds to the residual stream; else 1. */
  const scaleOf = (stage: Stage, before: Stage | undefined): (() => Promise<number>) => {
    const added = before && addedBy(before);
    if (!added) return async () => 1;
    const stream = copyOf(stage.before, added.to, 4 * config.hidden);
    return async () => {
      const squares = (await stream()).reduce((sum, v) => sum + v * v, 0);
      return 1 / Math.sqrt(squares / config.hidden + config.normEps);
    };
  };
  const { qkv, o, gateUp, down } = model.block;
  // The first and the last block: q, k and v; attention; o; gate and up; activation; down.
  for (const layer of new Set([0, layers - 1])) {
    const [forQkv, forO, forGateUp, forDown] = products.slice(4 * layer, 4 * layer + 4);
    const label = `block ${layer}`;
    checkProduct(`${label}, q, k, v`, forQkv, qkv, memory.normed, memory.projected);
    const scaleOfHeads = scaleOf(attention[layer], products[4 * layer - 1]);
    const projected = copyOf(attention[layer].before, memory.projected, 4 * (heads + 2 * kvHeads) * headDim);
    const { keys, values } = memory.caches[layer];
    const cached = [copyOf(attention[layer].after, keys.buffer), copyOf(attention[layer].after, values.buffer)];
    const gathered = copyOf(attention[layer].after, memory.gathered, 4 * heads * headDim);
    checks.push(async () => {
      const inputs = {
        projected: scaled(await projected(), await scaleOfHeads()),
        keys: await cached[0](),
        values: await cached[1](),
        biases: model.block.biases,
      };
      const worst = attentionError(config, position, inputs, await gathered()) / ATTENTION_BOUND;
      return { what: `${label}, attention`, position, ok: worst <= 1, worst };
    });
    const checkAdded = (name: string, stage: Stage, stacked: MatrixStack, from: GPUBuffer): void => {
      const added = addedBy(stage);
      if (added) checkSum(`${label}, ${name}`, stage, stacked, from, added);
      else checkProduct(`${label}, ${name}`, stage, stacked, from, memory.addends);
    };
    checkAdded('o', forO, o, memory.gathered);
    checkProduct(`${label}, gate, up`, forGateUp, gateUp, memory.normed, memory.projected);
    const act = activations[layer];
    const scaleOfGates = scaleOf(act, forO);
    const written = copyOf(act.before, memory.projected);
    const hidden = copyOf(act.after, memory.hidden, 4 * config.intermediate);
    checks.push(async () => {
      const inputs = activationInputs(config, scaled(await written(), await scaleOfGates()), gateUp, alignment);
      const worst = activationError(inputs, model.block.biases, await hidden()) / ACTIVATION_BOUND;
      return { what: `${label}, activation`, position, ok: worst <= 1, worst };
    });
    checkAdded('down', forDown, down, memory.hidden);
  }
  // The head, whose logits the sampling stage scales in place before it draws the token.
  const [sampling] = stagesOfKind('sampling', 1);
  const scaleOfLogits = scaleOf(sampling, products.at(-1));
  const written = copyOf(sampling.before, memory.logits, 4 * vocabulary);
  const logits = copyOf(sampling.after, memory.logits, 4 * vocabulary);
  const drawn = bytesIn(sampling.after, memory.ids, 4 * (position + 1), 4);
  checks.push(async () => {
    const scaledLogits = await logits();
    const expected = scaled(await written(), await scaleOfLogits());
    const isScaled = expected.every((v, id) => Math.abs(scaledLogits[id] - v) <= SCALE_BOUND * Math.abs(v));
    const chosen = drawToken(scaledLogits, position + 1, { temperature, seed: 0 });
    const ok = isScaled && new Uint32Array(await drawn())[0] === chosen;
    return { what: 'sampling', position, ok, worst: ok ? 0 : Number.MAX_VALUE };
  });
  checkProduct('head', head, model.weights.head, memory.normed, memory.logits);

  try {
    // Runs every stage once, with the copies before and after it, and then all comparisons.
    const encoder = device.createCommandEncoder({ label: 'check' });
    for (const { launches, before, after } of stages) {
      for (const { from, offset, staging } of before) {
        encoder.copyBufferToBuffer(from, offset, staging, 0, staging.size);
      }
      const pass = encoder.beginComputePass();
      chain.encodeRepeated(pass, launches, 1);
      pass.end();
      for (const { from, offset, staging } of after) {
        encoder.copyBufferToBuffer(from, offset, staging, 0, staging.size);
      }
    }
    device.queue.submit([encoder.finish()]);
    const results: StageCheck[] = [];
    for (const check of checks) results.push(await check());
    return results;
  } finally {
    for (const staging of stagings) staging.destroy();
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

/** The outputs of gate and up, which may be stacked in one matrix or split into several. */
function activationInputs(
  { intermediate }: DecoderConfig,
  projected: Float64Array,
  stacked: MatrixStack,
  alignment: number,
): { readonly gate: Float64Array; readonly up: Float64Array } {
  const both = new Float64Array(2 * intermediate);
  let row = 0;
  for (const [i, { offset }] of regionsOf(stacked, 1, alignment).entries()) {
    const { rows } = stacked[i].encoded;
    both.set(projected.subarray(offset / 4, offset / 4 + rows), row);
    row += rows;
  }
  return { gate: both.subarray(0, intermediate), up: both.subarray(intermediate) };
}

/** The norm of the difference over the norm of the expected numbers. */
export function relativeError(computed: ArrayLike<number>, expected: ArrayLike<number>): number {
  let [error, norm] = [0, 0];
  for (let i = 0; i < expected.length; i++) {
    error += (computed[i] - expected[i]) ** 2;
    norm += expected[i] ** 2;
  }
  const relative = Math.sqrt(norm === 0 ? error : error / norm);
  // NaN counts as the maximum error.
  return Number.isNaN(relative) ? Number.MAX_VALUE : relative;
}

/** The relative error of silu(gate) * up. */
function activationError(
  { gate, up }: ReturnType<typeof activationInputs>,
  biases: ChainBlock['biases'],
  hidden: Float32Array,
): number {
  const expected = Float64Array.from(hidden, (_, c) => {
    const g = gate[c] + (biases.gate?.[c] ?? 0);
    return (g / (1 + Math.exp(-g))) * (up[c] + (biases.up?.[c] ?? 0));
  });
  return relativeError(hidden, expected);
}

interface AttentionInputs {
  /** q, k and v of the token, before biases and RoPE */
  readonly projected: Float64Array;
  /** the KV cache, including the token */
  readonly keys: Float32Array;
  readonly values: Float32Array;
  readonly biases: ChainBlock['biases'];
}

/**
 * The largest `relativeError` among the outputs of the heads, `gathered`, and the token's keys and values. Keys are
 * cached by block of positions, head, four columns, and position; values by block, head, position, and four columns.
 */
function attentionError(
  config: DecoderConfig,
  position: number,
  { projected, keys, values, biases }: AttentionInputs,
  gathered: Float32Array,
): number {
  const { heads, kvHeads, headDim } = config;
  const fours = Math.ceil(headDim / 4);
  const blockOf = (head: number, at: number): number => Math.floor(at / CACHE_BLOCK) * kvHeads + head;
  const keyAt = (head: number, at: number, column: number): number =>
    keys[4 * ((blockOf(head, at) * fours + Math.floor(column / 4)) * CACHE_BLOCK + (at % CACHE_BLOCK)) + (column % 4)];
  const valueAt = (head: number, at: number, column: number): number =>
    values[
      4 * ((blockOf(head, at) * CACHE_BLOCK + (at % CACHE_BLOCK)) * fours + Math.floor(column / 4)) + (column % 4)
    ];
  const columns = Array.from({ length: headDim }, (_, column) => column);
  const part = (from: number, head: number, bias: Float32Array | undefined): readonly number[] =>
    columns.map((c) => projected[(from + head) * headDim + c] + (bias?.[head * headDim + c] ?? 0));
  let worst = 0;
  const compare = (found: (column: number) => number, expected: readonly number[]): void => {
    worst = Math.max(worst, relativeError(columns.map(found), expected));
  };
  for (let head = 0; head < kvHeads; head++) {
    compare((c) => keyAt(head, position, c), rotated(config, part(heads, head, biases.k), position));
    compare((c) => valueAt(head, position, c), part(heads + kvHeads, head, biases.v));
  }
  for (let head = 0; head < heads; head++) {
    const query = rotated(config, part(0, head, biases.q), position);
    const from = Math.floor((head * kvHeads) / heads);
    const scores = Array.from({ length: position + 1 }, (_, keyPosition) => {
      let score = 0;
      for (const c of columns) score += query[c] * keyAt(from, keyPosition, c);
      return score / Math.sqrt(headDim);
    });
    const largest = scores.reduce((a, b) => Math.max(a, b));
    const weights = scores.map((score) => Math.exp(score - largest));
    const total = weights.reduce((a, b) => a + b);
    const expected = columns.map((c) => {
      let sum = 0;
      for (const [at, weight] of weights.entries()) sum += weight * valueAt(from, at, c);
      return sum / total;
    });
    compare((c) => gathered[head * headDim + c], expected);
  }
  return worst;
}

/** RoPE of a head at its position: columns c and c + headDim / 2 are a pair. */
function rotated(config: DecoderConfig, part: readonly number[], position: number): readonly number[] {
  const frequencies = rotaryFrequencies(config);
  const half = config.headDim / 2;
  return part.map((value, c) => {
    const angle = position * frequencies[c % half];
    const partner = c < half ? -part[c + half] : part[c - half];
    return Math.cos(angle) * value + Math.sin(angle) * partner;
  });
}
