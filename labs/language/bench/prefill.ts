import { KernelError } from '../../../src/core/errors.ts';
import { type AnyFormat, type EncodedMatrix, resolvedParams } from '../../../src/core/format.ts';
import type { Job } from '../../../src/core/job.ts';
import { throwIfCancelled } from '../../../src/core/pace.ts';
import { GEMM, GEMM_I8 } from '../../../src/core/operations/index.ts';
import { expectedOf } from '../../../src/core/operations/operation.ts';
import { verifyOutputs } from '../../../src/core/operations/verify.ts';
import { generate } from '../../../src/generate/generate.ts';
import type { GpuContext } from '../../../src/gpu/index.ts';
import type { ModelShape } from '../../../src/theory/models/model-shape.ts';
import { Chain } from '../decoders/chain/chain.ts';
import { manyKernels } from '../decoders/chain/kernels.ts';
import type { Launch } from '../decoders/chain/launches.ts';
import { withFastestKernel } from '../decoders/chain/trial.ts';
import type { ChainMatrix, MatrixStack } from '../decoders/chain/weights.ts';
import { prefillTimes, readAfter } from './prefill-times.ts';
import {
  configForShape,
  generatedModel,
  type GeneratedModel,
  type GeneratedModelOptions,
  type MatrixStorage,
} from '../decoders/shapes/generated-model.ts';

/**
 * Settings of `prefillOfShapes`: a prefill, many tokens at once, through whole models that differ only in the blocks'
 * matrices: dense in f16, or in i8 with activations rounded to 8 bits with a scale per token.
 */
export interface PrefillOptions extends Pick<GeneratedModelOptions, 'seed' | 'job'> {
  /** the format of the head, and of the blocks of an unpruned model */
  readonly dense: AnyFormat;
  /** formats of blocks in addition to dense f16, each with i8 values and its maximum density */
  readonly stored: readonly MatrixStorage[];
  /** numbers of tokens to read at once, each measured by itself */
  readonly tokens: readonly number[];
  /** false: no kernels are tried and no times are taken; products are still verified */
  readonly isTimed: boolean;
}

/** A model with its blocks stored in one way. */
interface PrefillRow {
  readonly name: string;
  /** device time of each round, ns: all tokens through the whole model, including the head with all logits */
  readonly ns: readonly number[];
  /** the same for only the products with the blocks' matrices, including the conversion of their activations */
  readonly productNs: readonly number[];
  /** bytes of the blocks' matrices */
  readonly bytes: number;
  /** the kernel of each product with its chosen numbers, from q, k, v to down */
  readonly kernels: readonly string[];
  /**
   * largest error of the verified products compared with f64, as a share of the bound: products of the first and the
   * last block, every row of a few tokens
   */
  readonly worst: number;
}

/** The results, by number of tokens and way of storing blocks. */
export interface PrefillReport {
  readonly model: ModelShape;
  readonly source: 'timestamp-query' | 'wall-clock' | null;
  readonly at: readonly { readonly tokens: number; readonly rows: readonly PrefillRow[] }[];
  readonly ok: boolean;
}

/** Tokens whose products are verified. */
const CHECKED = 4;

const PRODUCTS = ['q, k, v', 'o', 'gate, up', 'down'] as const;

/** A model whose matrices are generated once for all numbers of tokens. */
interface PrefillVariant {
  readonly name: string;
  readonly storage: MatrixStorage;
  readonly model: GeneratedModel;
}

/** A model on the device, for one number of tokens. */
interface OpenVariant extends PrefillVariant {
  readonly chain: Chain;
  /** from q, k, v to down */
  readonly matrices: readonly ChainMatrix[];
}

/**
 * Measures a prefill with each way of storing blocks, in the same rounds. Weights are random. Throws KernelError if a
 * format has no product for many tokens that runs here, SparseScopeError, CancelledError, DeviceLostError.
 */
export async function prefillOfShapes(
  context: GpuContext,
  shape: ModelShape,
  { stored, tokens: counts, dense, seed, isTimed, job }: PrefillOptions,
): Promise<PrefillReport> {
  const config = configForShape(shape, Math.max(...counts)); // bounded: numbers on a command line
  const variants: PrefillVariant[] = [];
  for (const storage of [{ format: dense, params: { valueType: 'f16' } }, ...stored]) {
    const { name, density } = densestOf(storage, job);
    const options = { stored: storage, dense, density, seed, tuning: 'off', timesKernels: false, job } as const;
    variants.push({ name, storage, model: await generatedModel(context, config, options) });
    job.report({ what: 'models made', done: variants.length, total: stored.length + 1 });
  }
  const samples: PrefillReport['at'][number][] = [];
  let clock: PrefillReport['source'] = null;
  for (const tokens of counts) {
    const openVariants: OpenVariant[] = [];
    try {
      for (const variant of variants)
        openVariants.push(await openVariant(context, shape, variant, { dense, tokens, isTimed, job }));
      const rows: PrefillRow[] = [];
      for (const variant of openVariants) rows.push(await checkedRow(context, variant, tokens, seed, job));
      if (!isTimed) {
        samples.push({ tokens, rows });
        continue;
      }
      const forwards = openVariants.map(({ chain }) => ({ chain, launches: chain.launchesTogether }));
      const products = forwards.map(({ chain, launches }) => ({ chain, launches: launches.filter(isOfBlocks) }));
      const { source, ns } = await prefillTimes(context, [...forwards, ...products], job);
      clock = source;
      samples.push({
        tokens,
        rows: rows.map((row, i) => ({ ...row, ns: ns[i], productNs: ns[openVariants.length + i] })),
      });
    } finally {
      for (const { chain } of openVariants) chain.destroy();
    }
  }
  return {
    model: shape,
    source: clock,
    at: samples,
    ok: samples.every(({ rows }) => rows.every(({ worst: worstShare }) => worstShare <= 1)),
  };
}

/** The maximum density at which a format supports any matrix, and its name with that density if below 1. */
function densestOf({ format, params }: MatrixStorage, job: Job): { readonly name: string; readonly density: number } {
  const fullMatrix = generate({ pattern: 'uniform', rows: 1, cols: 64, density: 1, seed: 0 }, job);
  const support = format.admits(fullMatrix, resolvedParams(format.params, params, fullMatrix));
  const name = `${format.id} ${String(params.valueType)}`;
  if (support.ok) return { name, density: 1 };
  if (!support.prune) throw new KernelError(`${name}: supports no matrix: ${support.reason}`);
  const { kept, group } = support.prune;
  return { name: `${name} ${kept}:${group}`, density: kept / group };
}

function isOfBlocks({ kind }: Launch): boolean {
  return kind === 'matrices';
}

interface PrefillKernelOptions extends Pick<PrefillOptions, 'isTimed' | 'job'> {
  readonly tokens: number;
}

/** A model on the device, with the fastest kernels for this many tokens. */
async function openVariant(
  context: GpuContext,
  shape: ModelShape,
  variant: PrefillVariant,
  { dense, ...options }: { readonly dense: AnyFormat } & PrefillKernelOptions,
): Promise<OpenVariant> {
  const { storage: stored, model } = variant;
  const { tokens, isTimed, job } = options;
  const config = configForShape(shape, tokens);
  const prefillMatrices = new Map<EncodedMatrix, ChainMatrix>();
  /** The same stack with the matrix's kernel for this many tokens; equal matrices share one. */
  const withKernel = async (stacked: MatrixStack, storage: MatrixStorage): Promise<MatrixStack> => {
    const [matrix] = stacked;
    if (stacked.length !== 1) throw new KernelError(`${variant.name}: found ${stacked.length} matrices, expected one`);
    const prefillMatrix =
      prefillMatrices.get(matrix.encoded) ?? (await withPrefillKernel(context, matrix, storage, options));
    prefillMatrices.set(matrix.encoded, prefillMatrix);
    return [prefillMatrix];
  };
  const { block, weights } = model;
  const qkv = await withKernel(block.qkv, stored);
  const o = await withKernel(block.o, stored);
  const gateUp = await withKernel(block.gateUp, stored);
  const down = await withKernel(block.down, stored);
  const { norm } = model;
  const { biases } = block;
  const chainBlock = { attentionNorm: norm, feedForwardNorm: norm, biases, qkv, o, feedForward: { gateUp, down } };
  const blocks = Array.from({ length: config.layers }, () => chainBlock);
  const head = isTimed ? await withKernel(weights.head, { format: dense, params: { valueType: 'f16' } }) : weights.head;
  const chain = await Chain.open(context, config, { ...weights, head, blocks }, { tokensAtOnce: tokens, job });
  if (chain.tokensAtOnce !== tokens) {
    chain.destroy();
    throw new KernelError(`${variant.name}: found memory for ${chain.tokensAtOnce} tokens at once, expected ${tokens}`);
  }
  return { ...variant, chain, matrices: [qkv, o, gateUp, down].map(([matrix]) => matrix) };
}

/** The matrix with its fastest kernel for this many tokens, or with the first one without timing. */
async function withPrefillKernel(
  context: GpuContext,
  matrix: ChainMatrix,
  { format, params }: MatrixStorage,
  { tokens, isTimed, job }: PrefillKernelOptions,
): Promise<ChainMatrix> {
  const operation = params.valueType === 'i8' ? 'gemm-i8' : 'gemm';
  const { many: kernel } = isTimed
    ? await withFastestKernel(context, matrix, format.kernels, job, tokens, operation)
    : { many: manyKernels(matrix.encoded, format.kernels, context.facts, tokens, operation).at(0) };
  if (!kernel)
    throw new KernelError(`${format.id}: found no kernel of ${operation} for ${tokens} tokens, expected one`);
  // Which of the two the chain runs depends on the number of tokens.
  return { ...matrix, several: kernel, many: kernel };
}

/**
 * Feeds a text once, and verifies the products of the first and the last block: each is compared with f64 for the inputs
 * that it had on the device.
 */
async function checkedRow(
  context: GpuContext,
  { name, chain, model, matrices }: OpenVariant,
  tokens: number,
  seed: number,
  job: Job,
): Promise<PrefillRow> {
  const { layers, vocabulary } = chain.config;
  // Ids that differ from token to token: 7919 is a prime.
  const ids = Array.from({ length: tokens }, (_, i) => (i * 7919 + seed) % vocabulary);
  await chain.feed(ids, 'last');
  chain.rewind(0);
  const launches = chain.launchesTogether;
  const { normed, projected, gathered, hidden, addends } = chain.memory;
  // The input and the output of each of PRODUCTS.
  const buffers = [
    [normed, projected],
    [gathered, addends],
    [normed, projected],
    [hidden, addends],
  ] as const;
  const count = Math.min(CHECKED, tokens);
  const sampledTokens = Array.from({ length: count }, (_, i) =>
    Math.round((i * (tokens - 1)) / Math.max(1, count - 1)),
  );
  let worstShare = 0;
  for (const layer of new Set([0, layers - 1])) {
    for (const [i, product] of PRODUCTS.entries()) {
      throwIfCancelled(job);
      const { encoded, many: kernel } = matrices[i];
      if (!kernel) throw new KernelError(`${name}: found no kernel of ${product}, expected one`);
      const end = launches.findLastIndex((launch) => launch.product === `block ${layer}, ${product}`) + 1;
      if (end === 0) throw new KernelError(`${name}: found no dispatch of block ${layer}, ${product}, expected one`);
      const [x, y] = buffers[i];
      const bytes = await readAfter(context, chain, launches.slice(0, end), [
        { buffer: x, size: 4 * tokens * encoded.cols },
        { buffer: y, size: 4 * tokens * encoded.rows },
      ]);
      const numbers = new Float32Array(bytes.buffer);
      const inputs = { x: rowsOf(numbers.subarray(0, tokens * encoded.cols), sampledTokens, encoded.cols) };
      const outputs = rowsOf(numbers.subarray(tokens * encoded.cols), sampledTokens, encoded.rows);
      const operation = kernel.spec.operation === GEMM_I8.id ? GEMM_I8 : GEMM;
      const expected = expectedOf(
        operation,
        model.decoded(encoded),
        inputs,
        { tokens: sampledTokens.length },
        kernel.spec,
      );
      worstShare = Math.max(worstShare, verifyOutputs(outputs, expected).worstShare);
      job.report({ what: `products of ${name} checked`, done: i + 1, total: PRODUCTS.length });
    }
  }
  const kernels = matrices.map(({ many: kernel }) => kernelText(kernel));
  return { name, ns: [], productNs: [], bytes: chain.bytes.matrices, kernels, worst: worstShare };
}

/** Some rows, one after the other. */
function rowsOf(values: Float32Array, rows: readonly number[], cols: number): Float32Array {
  const selectedRows = new Float32Array(rows.length * cols);
  for (const [i, row] of rows.entries()) selectedRows.set(values.subarray(row * cols, (row + 1) * cols), i * cols);
  return selectedRows;
}

function kernelText(kernel: ChainMatrix['many']): string {
  const chosenNumbers = Object.entries(kernel?.chosen ?? {}).map(([name, value]) => `, ${value} ${name}`);
  return `${kernel?.spec.id}${chosenNumbers.join('')}`;
}
