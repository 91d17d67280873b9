import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chainModel, encodeWith } from '../../test/chain-weights.ts';
import { randomIds, randomWeights, relativeError, tinyConfig } from '../../test/decoders.ts';
import { openTestDevice } from '../../test/gpu.ts';
import { scheduled } from '../../test/scheduled.ts';
import { type AnyFormat, defaultParams, type EncodedMatrix } from '../core/format.ts';
import { type KernelSpec, unsuited } from '../core/kernel/kernel.ts';
import type { GpuContext } from '../gpu/index.ts';
import { OverflowError } from '../core/errors.ts';
import { denseMatrix } from '../core/matrix/index.ts';
import { roundToBf16 } from '../core/number/index.ts';
import { Chain } from '../language/chain/chain.ts';
import { encodeModel } from '../language/chain/encode-model.ts';
import { chainFeedForward } from '../language/chain/feed-forward.ts';
import { type FeedForwardKernel, TOKENS_TOGETHER } from '../language/chain/weights.ts';
import { logitsBound } from '../language/chain/kernels.ts';
import {
  BLOCK_MATRICES,
  blockMatrixShape,
  type BlockWeights,
  type DecoderConfig,
  type DecoderWeights,
} from '../language/decoder.ts';
import { readDecoderConfig } from '../language/read/decoder-config.ts';
import { readDecoderWeights } from '../language/read/decoder-weights.ts';
import { fileSource } from '../io/source.ts';
import { openSafetensors } from '../io/tensors/safetensors.ts';
import { BLOCK_BOUND, keptLogits, LOGITS_BOUND, ROUNDED_BOUND } from '../language/chain/kept-logits.ts';
import { oracleLogits } from '../language/oracle/oracle.ts';
import { formats, referenceFormat } from './registry.ts';

/**
 * A chain gives the same logits whatever format holds the matrices of its blocks: those of the oracle with the cells as they
 * are stored.
 */

let context: GpuContext;
beforeAll(async () => {
  context = await openTestDevice();
});
afterAll(() => context.destroy());

/** The first block of the smallest model that comes with the page, between its embedding and its head. */
let config: DecoderConfig;
/** Its weights, with two in eight columns of the blocks' matrices left, in a pattern that every format admits. */
let weights: DecoderWeights;
let ids: readonly number[];
beforeAll(async () => {
  const file = async (name: string): Promise<ArrayBuffer> =>
    (await fetch(`${import.meta.env.BASE_URL}models/tales-small/${name}`)).arrayBuffer();
  const read = readDecoderConfig(new TextDecoder().decode(await file('config.json')), 'config.json');
  const source = fileSource({ name: 'model.safetensors', bytes: new Uint8Array(await file('model.safetensors')) });
  const job = { report: () => {}, cancelled: false };
  const whole = await readDecoderWeights(read, await openSafetensors(source, job), job);
  config = { ...read, layers: 1 };
  weights = {
    ...whole,
    blocks: whole.blocks.slice(0, 1).map((block) => ({ ...block, matrices: thinned(block.matrices) })),
  };
  ids = randomIds(config, 64, 18);
});

function thinned(matrices: BlockWeights['matrices']): BlockWeights['matrices'] {
  const thin = BLOCK_MATRICES.map((name) => {
    const [, cols] = blockMatrixShape(config, name);
    const cells = matrices[name].map((value, i) => {
      const row = Math.floor(i / cols);
      const column = (i % cols) % 8;
      // larger, for as strong a signal
      return column === (3 * row) % 4 || column === 4 + (row % 4) ? 2 * value : 0;
    });
    return [name, cells] as const;
  });
  return Object.fromEntries(thin) as BlockWeights['matrices'];
}

/** Of the reference format, compiled in no time by a software GPU. */
const QUICK_GEMM = 'dense/gemm_split';

/** Kernels that a software GPU compiles for seconds, and twins without subgroups: the contract's tests run them. */
const LEFT_OUT = /_(staged|staged_x16|panels|rows|rows_x16|owned_rows|natural|workgroup)$/;

/** The first kernel of a format that reads x in f32, and one that reads it in f16. */
function kernelsOf(format: AnyFormat): readonly KernelSpec<EncodedMatrix>[] {
  const specs: readonly KernelSpec<EncodedMatrix>[] = format.kernels;
  const quick = specs.filter(({ id, operation }) => operation === 'spmv' && !LEFT_OUT.test(id));
  const [first] = quick.filter(({ id }) => !id.endsWith('_x16'));
  return quick.filter((spec) => spec === first || spec.id.endsWith('_x16'));
}

/** One that reads x in f32, with kernels for several tokens, and one that reads it in f16. */
const EVERY_TIME = ['csr/spmv_subgroup', 'macko/spmv_subgroup_x16'];

describe.each(formats)('a chain of $id', (format) => {
  const isRunEveryTime = ({ id }: KernelSpec<EncodedMatrix>): boolean => EVERY_TIME.includes(id);
  for (const spec of kernelsOf(format).filter(isRunEveryTime)) {
    test(`with ${spec.id} has the logits of the oracle`, () => checkKernel(spec));
  }
  for (const spec of kernelsOf(format).filter((one) => !isRunEveryTime(one))) {
    scheduled(
      'every format takes the same way through a chain, and a software GPU compiles its kernels for seconds',
      'src/formats/contract.gpu.test.ts, which runs each of these kernels, and the two formats here',
      `with ${spec.id} has the logits of the oracle`,
      () => checkKernel(spec),
    );
  }

  async function checkKernel(spec: KernelSpec<EncodedMatrix>): Promise<void> {
    // of the layouts with tiles, the one with the most room
    const room = 'compression' in format.params ? { compression: 2 } : {};
    const params = { ...defaultParams(format.params), ...room, ...firstOf(spec.only) };
    if (unsuited(spec, params) !== null) expect.fail(`${spec.id}: found no parameters that it supports`);
    // with kernels for several tokens once for each format
    const gemm = spec === kernelsOf(format).at(-1);
    const encode = encodeWith(context, format, params, { kernel: spec.id, gemm });
    const head = encodeWith(context, referenceFormat, { valueType: 'f16' }, { gemm: gemm && QUICK_GEMM });
    const model = await chainModel(config, weights, encode, head, true);
    const chain = await Chain.open(context, config, model.chain);
    const found = await chain.feed(ids);
    const expected = oracleLogits(config, model.stored, ids);
    const [{ one, encoded }] = model.matrices;
    const bound = logitsBound(one, encoded, context.facts);
    expect(bound).toBe(spec.id.endsWith('_x16') ? ROUNDED_BOUND : LOGITS_BOUND);
    expect(keptLogits(found, expected, config.vocabulary, bound)).toMatchObject({ ok: true, firstOther: null });
    chain.destroy();
  }
});

test('the chains of every time are those of kernels that there are', () => {
  expect(formats.flatMap((format) => kernelsOf(format).map(({ id }) => id))).toEqual(
    expect.arrayContaining(EVERY_TIME),
  );
});

describe('kernels for several tokens that round what they multiply', () => {
  const rounding = formats.flatMap((format) => {
    const specs: readonly KernelSpec<EncodedMatrix>[] = format.kernels;
    const [first] = specs.filter(
      ({ operation, roundsInputs, most }) =>
        operation === 'gemm' && roundsInputs && (most?.tokens ?? TOKENS_TOGETHER) >= TOKENS_TOGETHER,
    );
    return first ? [{ id: first.id, spec: first, format }] : [];
  });

  const [first, ...others] = rounding;
  test(`${first.id} keeps the logits within the bound of rounded inputs`, () => checkRounding(first));
  for (const one of others) {
    scheduled(
      'every format takes the same way through a chain, and a software GPU compiles its kernels for seconds',
      'src/formats/contract.gpu.test.ts, which runs each of these kernels, and the first of them here',
      `${one.id} keeps the logits within the bound of rounded inputs`,
      () => checkRounding(one),
    );
  }

  async function checkRounding({ format, spec }: (typeof rounding)[number]): Promise<void> {
    const params = { ...defaultParams(format.params), ...firstOf(spec.only) };
    const encode = encodeWith(context, format, params, { gemm: spec.id });
    const head = encodeWith(context, referenceFormat, { valueType: 'f16' }, { gemm: QUICK_GEMM });
    const model = await chainModel(config, weights, encode, head, true);
    const chain = await Chain.open(context, config, model.chain);
    const some = ids.slice(0, 2 * TOKENS_TOGETHER);
    const kept = keptLogits(
      await chain.feed(some),
      oracleLogits(config, model.stored, some),
      config.vocabulary,
      ROUNDED_BOUND,
    );
    expect(kept).toMatchObject({ ok: true, firstOther: null });
    // They do round.
    expect(kept.relativeError).toBeGreaterThan(LOGITS_BOUND / 10);
    chain.destroy();
  }
});

function firstOf(only: KernelSpec<EncodedMatrix>['only'] = {}): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(only).map(([name, values]) => [name, values[0]]));
}

describe('feed-forward blocks in one kernel', () => {
  const config = tinyConfig({ hidden: 32, intermediate: 64, heads: 4, kvHeads: 2, headDim: 8, activation: 'relu' });
  const weights = randomWeights(config, 17);
  const ids = randomIds(config, 12, 18);
  const kernels = formats.flatMap((format) =>
    (format.kernels as readonly KernelSpec<EncodedMatrix>[])
      .filter(({ operation, read, features }) => operation === 'forward' && read && features.length === 0)
      .map((spec) => ({ id: spec.id, format, spec })),
  );
  const rounded: DecoderWeights = {
    ...weights,
    blocks: weights.blocks.map((block) => {
      const { up, down } = block.matrices;
      // three of eight neurons may fire
      const gate = block.matrices.gate.map((v, i) => ((i >> 5) % 8 < 3 ? v : 0));
      const matrices = {
        ...block.matrices,
        gate: gate.map(roundToBf16),
        up: up.map(roundToBf16),
        down: down.map(roundToBf16),
      };
      return { ...block, matrices };
    }),
  };

  async function open(format: AnyFormat, spec: KernelSpec<EncodedMatrix>, params: object): Promise<Chain> {
    const kernel = (tokens: number): FeedForwardKernel => {
      const empty = denseMatrix(tokens, config.intermediate, new Float32Array(tokens * config.intermediate));
      return { spec, hidden: format.encode(empty, { ...defaultParams(format.params), ...params }) };
    };
    const f32 = encodeWith(context, referenceFormat, { valueType: 'f32' }, { gemm: QUICK_GEMM });
    const model = await encodeModel(config, rounded, ({ rows, cols, data }) => f32(rows, cols, data).matrix, {
      feedForward: (block) => chainFeedForward(config, block, kernel(1), kernel(TOKENS_TOGETHER)),
    });
    return Chain.open(context, config, model);
  }

  const [first, ...others] = kernels;
  test(`${first.id} has the logits of the oracle, up to roundings to bf16`, () => checkBlock(first));
  for (const one of others) {
    scheduled(
      'a block in one kernel takes the same way through a chain whatever its format, and takes seconds to compile',
      'src/formats/contract.gpu.test.ts, which runs each of these kernels, and the first of them here',
      `${one.id} has the logits of the oracle, up to roundings to bf16`,
      () => checkBlock(one),
    );
  }

  async function checkBlock({ format, spec }: (typeof kernels)[number]): Promise<void> {
    // a tile row of eight columns has room for three entries
    const chain = await open(format, spec, { tileWidth: 8, compression: 2 });
    expect(chain.together).toBe(TOKENS_TOGETHER);
    const many = [...ids, ...ids];
    const expected = oracleLogits(config, rounded, many);
    const found = [...(await chain.feed(many.slice(0, 1))), ...(await chain.feed(many.slice(1)))];
    expect(relativeError(found, expected)).toBeLessThan(BLOCK_BOUND);
    chain.destroy();
  }

  test('a token whose entries have no room is refused', async () => {
    const { format, spec } = kernels[0];
    const chain = await open(format, spec, { tileWidth: 64, compression: 8 });
    await expect(chain.feed(ids.slice(0, 1))).rejects.toThrow(OverflowError);
    await expect(chain.feed(ids)).rejects.toThrow(OverflowError);
    chain.rewind(0);
    await expect(chain.write(ids[0], 3, { temperature: 0, seed: 0 }).next()).rejects.toThrow(OverflowError);
    chain.destroy();
  });
});
