// Chain, the decoder on the GPU: its logits, sampling, memory and dispatches, compared with the oracle (a decoder in
// f64).

import { beforeAll, describe, expect, test, vi } from 'vitest';
import { allOf, randomIds, randomWeights, relativeError, TINY_CONFIGS, tinyConfig } from '../../test/decoders.ts';
import { chainModel, encodeWith } from '../../test/chain-weights.ts';
import { openTestDevice, sharedTestDevice } from '../../../../test/gpu.ts';
import { scheduled } from '../../../../test/scheduled.ts';
import { formatById } from '../../../../src/formats/registry.ts';
import type { EncodedMatrix } from '../../../../src/core/format.ts';
import type { KernelSpec } from '../../../../src/core/kernel/kernel.ts';
import { denseMatrix } from '../../../../src/core/matrix/index.ts';
import { f16Bits, f16Value } from '../../../../src/core/number/index.ts';
import { DeviceLostError, type GpuContext } from '../../../../src/gpu/index.ts';
import type { DecoderConfig } from '../decoder.ts';
import { oracleLogits } from '../oracle/oracle.ts';
import { drawToken } from '../sampling.ts';
import { Arena } from './arena.ts';
import { Chain, type ChainOptions } from './chain.ts';
import { type SavedLogits, savedLogits } from '../../test/saved-logits.ts';
import { tokenDispatches } from '../../theory/token-dispatches.ts';
import { chainMatrix } from './kernels.ts';
import { chainTimes } from './chain-times.ts';
import { withFastestKernel } from './trial.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await sharedTestDevice();
});

const dense = formatById('dense');
const F32 = { valueType: 'f32' };
/** A kernel for several tokens that a software GPU compiles quickly. */
const GEMM = 'dense/gemm_split';

interface OpenedChain {
  readonly chain: Chain;
  readonly oracle: (ids: readonly number[]) => Float64Array;
}

/** A random model of a config in dense f32, opened. */
async function open(
  config: DecoderConfig,
  {
    stacked = true,
    gemm = false,
    ...options
  }: ChainOptions & { readonly stacked?: boolean; readonly gemm?: boolean } = {},
): Promise<OpenedChain> {
  const encode = encodeWith(context, dense, F32, { gemm: gemm && GEMM });
  const model = await chainModel(config, randomWeights(config, 3), encode, encode, stacked);
  const chain = await Chain.open(context, config, model.chain, options);
  return { chain, oracle: (ids) => oracleLogits(config, model.stored, ids) };
}

/** A random model of a config in dense f32, for `Chain.open`. */
function modelOf(config: DecoderConfig): ReturnType<typeof chainModel> {
  const encode = encodeWith(context, dense, F32, { gemm: false });
  return chainModel(config, randomWeights(config, 3), encode, encode, true);
}

describe('logits', () => {
  // Only configs that transformers cannot compute; golden.gpu.test.ts compares the others with the golden logits of
  // transformers.
  const configOf = (name: string): DecoderConfig =>
    TINY_CONFIGS.find((candidate) => candidate.name === name) ?? expect.fail(`found no config '${name}'`);

  test('of a model of odd sizes equal the logits of the oracle', () => checkLogits(configOf('odd sizes')));

  scheduled(
    'a software GPU compiles a chain for this config alone',
    'labs/language/decoders/chain/stages.gpu.test.ts, where attention rotates neighbours',
    'of a model with interleaved RoPE pairs (neighbours) equal the logits of the oracle',
    () => checkLogits(configOf('neighbours')),
  );

  async function checkLogits(config: DecoderConfig): Promise<void> {
    const ids = randomIds(config, 20, 5);
    const stacked = config.layers === 2;
    const { chain, oracle } = await open(config, { stacked });
    expect(relativeError(await chain.feed(ids), oracle(ids))).toBeLessThan(1e-6);
    expect(chain.length).toBe(20);
    chain.destroy();
  }

  const longContext = tinyConfig({ context: 200 });
  /** More tokens than a span of attention has positions. */
  const ids = randomIds(longContext, 140, 6);

  scheduled(
    'a software GPU compiles a chain for each way',
    'logits of odd sizes here, those after a rewind, and tokens that are written',
    'are the same whether tokens are fed one by one, in batches or all together',
    async () => {
      const { chain, oracle } = await open(longContext, { gemm: true });
      expect(chain.tokensAtOnce).toBe(16);
      const expected = oracle(ids);
      expect(relativeError(await chain.feed(ids), expected)).toBeLessThan(1e-6);
      chain.rewind(0);
      const parts = [];
      for (const [from, to] of [
        [0, 1],
        [1, 40],
        [40, 41],
        [41, 140],
      ])
        parts.push(await chain.feed(ids.slice(from, to)));
      const logits = parts.flatMap((part) => [...part]);
      expect(relativeError(logits, expected)).toBeLessThan(1e-6);
      chain.destroy();
    },
  );

  scheduled(
    'a software GPU compiles the stages for 64 tokens alone',
    'the test above, which computes 16 tokens at once',
    'are the same if 64 tokens of a long text are computed at once',
    async () => {
      // 140 tokens are two batches of 64; the last 12 are fed in another way.
      const { chain, oracle } = await open(longContext, { gemm: true, tokensAtOnce: 64 });
      expect(chain.tokensAtOnce).toBe(64);
      const expected = oracle(ids);
      expect(relativeError(await chain.feed(ids), expected)).toBeLessThan(1e-6);
      chain.rewind(0);
      const last = expected.slice(-longContext.vocabulary);
      expect(relativeError(await chain.feed(ids, 'last'), last)).toBeLessThan(1e-6);
      chain.destroy();
    },
  );

  scheduled(
    'a software GPU compiles attention again if the matrices are not stacked',
    'the chain of odd sizes here, whose matrices are not stacked',
    'are the same if matrices are not stacked',
    async () => {
      const { chain, oracle } = await open(longContext, { gemm: true, stacked: false });
      expect(relativeError(await chain.feed(ids), oracle(ids))).toBeLessThan(1e-6);
      chain.destroy();
    },
  );

  scheduled(
    'compiles a whole chain anew',
    'a text after another in labs/language/decoders/chain/chain.gpu.test.ts, and write.test.ts on the CPU',
    'after a rewind are those of the shortened sequence with its new tokens',
    async () => {
      const config = tinyConfig();
      const { chain, oracle } = await open(config);
      const [a, b] = [randomIds(config, 9, 7), randomIds(config, 6, 8)];
      await chain.feed(a);
      chain.rewind(4);
      expect(chain.length).toBe(4);
      const joined = [...a.slice(0, 4), ...b];
      expect(relativeError(await chain.feed(b), oracle(joined).slice(4 * config.vocabulary))).toBeLessThan(1e-6);
      chain.destroy();
    },
  );
});

describe('writing', () => {
  test('samples the same tokens as the CPU from the same logits', async () => {
    const config = tinyConfig({ eos: [] });
    const { chain } = await open(config);
    for (const sampling of [
      { temperature: 0, seed: 0 },
      { temperature: 1, seed: 1 },
      { temperature: 0.7, seed: 2 ** 32 - 1 },
    ]) {
      chain.rewind(0);
      await chain.feed([4, 5]);
      const ids = await allOf(chain.write(6, 30, sampling));
      expect(ids).toHaveLength(30);
      expect(chain.length).toBe(32);
      // Feeds the same tokens again: the prompt and all drawn tokens but the last, which was not fed.
      chain.rewind(0);
      const logits = await chain.feed([4, 5, 6, ...ids.slice(0, -1)]);
      const { vocabulary } = config;
      const drawn = ids.map((_, i) =>
        drawToken(logits.subarray((2 + i) * vocabulary, (3 + i) * vocabulary), 3 + i, sampling),
      );
      expect(ids).toEqual(drawn);
    }
    chain.destroy();
  });

  test('ends after a token of eos, and at the end of the context', async () => {
    const config = tinyConfig({ eos: [] });
    const first = await open(config);
    const sampling = { temperature: 1.5, seed: 9 };
    const ids = await allOf(first.chain.write(3, 1000, sampling));
    expect(ids).toHaveLength(64);
    expect(first.chain.length).toBe(64);
    await expect(first.chain.feed([1])).rejects.toThrow(
      new RangeError('found 65 tokens, expected at most the context of 64'),
    );
    first.chain.destroy();
    const end = ids.findIndex((id, i) => i > 10 && !ids.slice(0, i).includes(id));
    const second = await open({ ...config, eos: [ids[end]] });
    expect(await allOf(second.chain.write(3, 1000, sampling))).toEqual(ids.slice(0, end + 1));
    expect(second.chain.length).toBe(end + 1);
    // The sequence ends with the eos token, although the device has drawn further tokens in the same submit.
    const logits = await second.chain.feed([ids[end]]);
    expect(relativeError(logits, second.oracle([3, ...ids.slice(0, end + 1)]).slice(-config.vocabulary))).toBeLessThan(
      1e-6,
    );
    second.chain.destroy();
  });

  test('stops when its consumer returns, and another text may follow at once', async () => {
    const config = tinyConfig({ eos: [] });
    const { chain } = await open(config);
    const sampling = { temperature: 1, seed: 4 };
    const allIds = await allOf(chain.write(2, 20, sampling));
    chain.rewind(0);
    const firstIds: number[] = [];
    for await (const id of chain.write(2, 20, sampling)) {
      firstIds.push(id);
      if (firstIds.length === 5) break;
    }
    expect(firstIds).toEqual(allIds.slice(0, 5));
    expect(chain.length).toBe(5);
    expect(await allOf(chain.write(firstIds[4], 10, sampling))).toEqual(allIds.slice(5, 15));
    chain.destroy();
  });
});

describe('a kernel that the user has changed', () => {
  /** Runs a chain whose first dense kernel has a changed text, and compares its logits with the oracle. */
  async function logitsWithKernelText(change: (code: string) => string): Promise<SavedLogits> {
    const config = tinyConfig();
    const encode = encodeWith(context, dense, F32, { gemm: false });
    const changed: typeof encode = (rows, cols, cells) => {
      const { matrix, cells: storedCells } = encode(rows, cols, cells);
      const { spec } = matrix.oneToken;
      const draft: KernelSpec<EncodedMatrix> = {
        ...spec,
        id: `${spec.id}, changed`,
        plan: (...planArguments) => {
          const plan = spec.plan(...planArguments);
          const passes = plan.passes.map((pass) => ({
            ...pass,
            files: pass.files.map((file) => ({ ...file, code: change(file.code) })),
          }));
          return { ...plan, passes };
        },
      };
      return { matrix: { ...matrix, oneToken: { spec: draft } }, cells: storedCells };
    };
    const model = await chainModel(config, randomWeights(config, 3), changed, encode, true);
    const chain = await Chain.open(context, config, model.chain);
    const ids = randomIds(config, 8, 4);
    const comparison = savedLogits(await chain.feed(ids), oracleLogits(config, model.stored, ids), config.vocabulary);
    chain.destroy();
    return comparison;
  }

  test('computes the same logits, or is reported if it does not', async () => {
    expect(
      await logitsWithKernelText((code) =>
        code.replace('total += subgroup_sums[i];', 'total = subgroup_sums[i] + total;'),
      ),
    ).toMatchObject({ ok: true });
    const wrong = await logitsWithKernelText((code) =>
      code.replace('total += subgroup_sums[i];', 'total += 1.01 * subgroup_sums[i];'),
    );
    expect(wrong.ok).toBe(false);
    expect(wrong.relativeError).toBeGreaterThan(1e-3);
  });

  test('is rejected with its reason if it does not suit a chain', async () => {
    const config = tinyConfig();
    const encode = encodeWith(context, dense, F32, { gemm: false });
    const openWithKernel = async (change: Partial<KernelSpec<EncodedMatrix>>) => {
      const changed: typeof encode = (rows, cols, cells) => {
        const { matrix, cells: storedCells } = encode(rows, cols, cells);
        return {
          matrix: { ...matrix, oneToken: { spec: { ...matrix.oneToken.spec, ...change } } },
          cells: storedCells,
        };
      };
      const model = await chainModel(config, randomWeights(config, 3), changed, encode, true);
      await Chain.open(context, config, model.chain);
    };
    await expect(openWithKernel({ read: () => new Float32Array(1) })).rejects.toThrow(
      'block 0, q, k, v: dense/spmv_subgroup writes its result in another layout, expected numbers in order',
    );
    await expect(openWithKernel({ features: ['chromium-of-tomorrow'] })).rejects.toThrow(
      "block 0, q, k, v: dense/spmv_subgroup cannot run here: needs 'chromium-of-tomorrow', which this device does not have",
    );
  });
});

describe('a chain', () => {
  scheduled(
    'compiles a whole chain anew',
    'src/formats/minimum-limits.gpu.test.ts for kernels, and a head in parts in labs/language/page/service/decoders.gpu.test.ts',
    'runs on a device with WebGPU’s minimum limits, with an embedding in f16 and a head in parts',
    async () => {
      const min = await openTestDevice({ minimum: true });
      const config = tinyConfig({ vocabulary: 150, context: 100, layers: 1 });
      const random = randomWeights(config, 3);
      const weights = { ...random, embedding: random.embedding.map((v) => f16Value(f16Bits(v))) };
      const encode = encodeWith(min, dense, F32, { gemm: false });
      const model = await chainModel(config, weights, encode, encode, true);
      expect(model.chain.embedding.type).toBe('f16');
      const rows = (from: number, to: number) =>
        encode(to - from, config.hidden, weights.head.slice(from * config.hidden, to * config.hidden)).matrix;
      const head = [rows(0, 64), rows(64, 128), rows(128, 150)];
      const chain = await Chain.open(min, config, { ...model.chain, head });
      // More tokens than a span of attention has positions.
      const ids = randomIds(config, 70, 4);
      expect(relativeError(await chain.feed(ids), oracleLogits(config, model.stored, ids))).toBeLessThan(1e-6);
      await expect(Chain.open(min, config, { ...model.chain, head: [rows(0, 60), rows(60, 150)] })).rejects.toThrow(
        'head: found a part of 60 rows, expected a multiple of 64 in all but the last',
      );
      min.destroy();
      await expect(chain.feed([1])).rejects.toThrow(DeviceLostError);
    },
  );

  test('rejects matrices of other sizes than in its config', async () => {
    const config = tinyConfig();
    const model = await modelOf(config);
    await expect(Chain.open(context, { ...config, intermediate: 39 }, model.chain)).rejects.toThrow(
      /^block 0, gate, up: found more rows than gate, up have, expected no others$/,
    );
    await expect(Chain.open(context, { ...config, vocabulary: 50 }, model.chain)).rejects.toThrow(
      'head: found 53 rows, expected 50',
    );
  });

  test('rejects ids, seeds and lengths out of range, with found and expected', async () => {
    const config = tinyConfig();
    const { chain } = await open(config);
    await expect(chain.feed([0, 53])).rejects.toThrow(new RangeError('token 53: expected a whole number below 53'));
    await expect(chain.write(0, 1, { temperature: 1, seed: -1 }).next()).rejects.toThrow(RangeError);
    await expect(chain.write(0, 1, { temperature: Number.NaN, seed: 1 }).next()).rejects.toThrow(RangeError);
    expect(() => chain.rewind(1)).toThrow(
      new RangeError('rewind: found 1, expected a whole number up to the 0 tokens fed'),
    );
    expect(await chain.feed([])).toHaveLength(0);
    chain.destroy();
  });

  test('counts its bytes', async () => {
    const config = tinyConfig();
    const { chain } = await open(config);
    const { matrices, head, embedding, cache } = chain.bytes;
    const cells = 2 * ((24 + 12 + 12 + 24) * 24 + 3 * 24 * 40);
    expect(matrices).toBe(4 * cells);
    expect(head).toBe(4 * 24 * 53);
    expect(embedding).toBe(4 * 53 * 24);
    // Two blocks, keys and values, two heads of 6 columns padded to 8, 64 positions, 4 bytes each.
    expect(cache).toBe(2 * 2 * 2 * 8 * 64 * 4);
    chain.destroy();
  });

  test('allocates separate memory for matrices that are passed several times', async () => {
    const config = tinyConfig({ layers: 3 });
    const encode = encodeWith(context, dense, F32, { gemm: false });
    const weights = randomWeights(config, 3);
    const repeatedBlocks = { ...weights, blocks: [weights.blocks[0], weights.blocks[0], weights.blocks[0]] };
    const { chain: model, stored: storedCells } = await chainModel(config, repeatedBlocks, encode, encode, true);
    const blocks = [];
    for await (const block of model.blocks) blocks.push(block);
    const [block] = blocks;
    const chain = await Chain.open(context, config, { ...model, blocks: [block, block, block] });
    expect(chain.bytes.matrices).toBe(3 * 4 * ((24 + 12 + 12 + 24) * 24 + 3 * 24 * 40));
    const ids = randomIds(config, 5, 6);
    expect(relativeError(await chain.feed(ids), oracleLogits(config, storedCells, ids))).toBeLessThan(1e-6);
    chain.destroy();
  });
});

// With 53 ids one dispatch draws a token; with 4097 ids two are needed.
test.for([53, 4097])(
  'a chain of dense matrices has the dispatches that tokenDispatches counts, with a vocabulary of %i',
  async (vocabulary) => {
    const config = tinyConfig({ vocabulary });
    const model = await modelOf(config);
    const chain = await Chain.open(context, config, model.chain);
    const isProduct = chain.launches.map(({ kind }) => kind === 'matrices' || kind === 'head');
    const dispatches = tokenDispatches(config);
    expect(dispatches.map(({ cells }) => cells > 0)).toEqual(isProduct);
    // The time of a small model is the CPU's encoding, so the number of calls must not grow.
    const calls: string[] = [];
    const pass = Object.fromEntries(
      ['setPipeline', 'setBindGroup', 'dispatchWorkgroups'].map((name) => [name, () => calls.push(name)]),
    ) as unknown as GPUComputePassEncoder;
    chain.encodeTokens(pass, 16);
    expect(calls).toHaveLength(3 * (chain.beginning.length + 16 * dispatches.length));
    chain.destroy();
  },
);

test('a product also binds the matrix of the next product, and the head binds the matrix of the first', async () => {
  const config = tinyConfig();
  const model = await modelOf(config);
  const created = vi.spyOn(context.device, 'createBindGroup');
  const chain = await Chain.open(context, config, model.chain);
  const boundBy = (group: GPUBindGroup): readonly string[] => {
    const call = created.mock.results.findIndex(({ value }) => value === group);
    return [...created.mock.calls[call][0].entries].map(({ resource }) => {
      const { buffer, offset = 0 } = resource as GPUBufferBinding;
      return `${buffer.label} at ${offset}`;
    });
  };
  const products = chain.launches.filter(({ product }) => product !== undefined).map(({ group }) => boundBy(group));
  expect(products).toHaveLength(4 * config.layers + 1);
  for (const [i, product] of products.entries()) {
    // The values are the second binding of a dense kernel.
    expect(product).toContain(products[(i + 1) % products.length][1]);
  }
  chain.destroy();
  created.mockRestore();
});

describe('times of dispatches', () => {
  test('cover every kind of dispatch of a token, and leave the sequence unchanged', async () => {
    const config = tinyConfig({ layers: 1 });
    const { chain, oracle } = await open(config);
    const ids = randomIds(config, 6, 2);
    await chain.feed(ids.slice(0, 5));
    const times = await chainTimes(context, chain, { report: () => {}, cancelled: false });
    expect(times.position).toBe(5);
    // Four products (q k v; o; gate up; down, the second and the last added to the stream), attention, activation,
    // head, and drawing, which also starts the next stream.
    const launches = Object.fromEntries(Object.entries(times.kinds).map(([kind, time]) => [kind, time.launches]));
    expect(launches).toEqual({ matrices: 4, head: 1, attention: 1, activations: 1, sampling: 1 });
    for (const { ns } of Object.values(times.kinds)) expect(ns).toBeGreaterThan(0);
    expect(times.tokenNs).toHaveLength(7);
    const logits = await chain.feed(ids.slice(5));
    expect(relativeError(logits, oracle(ids).slice(-config.vocabulary))).toBeLessThan(1e-6);
    chain.destroy();
  });
});

scheduled(
  'compiles every kernel for many tokens',
  'numbers found by trial in src/gpu/bench.gpu.test.ts',
  'a trial chooses among the kernels for many tokens',
  async () => {
    const matrix = denseMatrix(8, 4, new Float32Array(32).fill(1));
    const first = chainMatrix(dense.encode(matrix, F32), dense.kernels, context.facts);
    expect(first.many).toBeNull();
    const kernels = dense.kernels.filter(({ id }) => [GEMM, 'dense/gemm_few'].includes(id));
    const { many } = await withFastestKernel(context, first, kernels, { report: () => {}, cancelled: false });
    expect(kernels).toContain(many?.spec);
  },
);

test('an array that several callers request at the same time is copied once for each of them', async () => {
  const arena = new Arena(context);
  const created = vi.spyOn(context.device, 'createBuffer');
  const data = Float32Array.of(1, 2, 3, 4);
  const copyFor = (user: string): Promise<GPUBufferBinding> => arena.copyFor('matrices', 'weights', data, user);
  const [first, second, again, third] = await Promise.all([copyFor('q'), copyFor('o'), copyFor('o'), copyFor('down')]);
  expect(second).toBe(again);
  expect(new Set([first, second, third]).size).toBe(3);
  // One is uploaded, and two are copied from it.
  expect(created).toHaveBeenCalledTimes(3);
  created.mockRestore();
  arena.destroy();
});
