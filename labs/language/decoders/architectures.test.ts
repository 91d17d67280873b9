// Decoders of every architecture: the oracle and the CPU decoder against an independent forward pass.

import { describe, expect, it } from 'vitest';
import { OTHER_CONFIGS, relativeError } from '../test/decoders.ts';
import { hubLogits } from '../test/models/forward.ts';
import { ggufOf } from '../test/models/gguf.ts';
import { ARCHITECTURES, makeModel, safetensorsOf, sharded, type MadeModel } from '../test/models/make.ts';
import type { Container } from '../../../src/io/container.ts';
import { NO_JOB } from '../../../src/core/job.ts';
import { openTensors } from '../../../src/io/read.ts';
import { fileSource } from '../../../src/io/source.ts';
import { openGguf, readGgufMetadata } from '../../../src/io/tensors/gguf.ts';
import { openSafetensors } from '../../../src/io/tensors/safetensors.ts';
import { chainRejection } from './chain/rejection.ts';
import { cpuDecoder } from './cpu/cpu-decoder.ts';
import type { DecoderConfig, DecoderWeights } from './decoder.ts';
import { oracleLogits } from './oracle/oracle.ts';
import { readDecoderConfig } from './read/decoder-config.ts';
import { readDecoderWeights } from './read/decoder-weights.ts';
import { readGgufConfig } from './read/gguf-config.ts';

/** Maximum relative error between two programs that compute in f64 from the same f32 weights. */
const F64_ERROR = 1e-12;
/** Maximum relative error of a decoder whose activations are f32. */
const F32_ERROR = 1e-5;

const NAMES = Object.keys(ARCHITECTURES);
const IDS = [0, 5, 77, 130, 9, 9, 254, 31, 88, 200, 17, 3];

function configOf({ config }: MadeModel): DecoderConfig {
  return readDecoderConfig(JSON.stringify(config), 'config.json');
}

async function weightsIn(config: DecoderConfig, container: Container): Promise<DecoderWeights> {
  return readDecoderWeights(config, container, NO_JOB);
}

async function opened(model: MadeModel) {
  const config = configOf(model);
  const source = fileSource({ name: 'model.safetensors', bytes: safetensorsOf(model) });
  return { config, weights: await weightsIn(config, await openSafetensors(source, NO_JOB)) };
}

/** A random model of an architecture, and the logits that an independent forward pass (`hubLogits`) computes. */
async function modelWithLogits(name: string, seed: number) {
  const model = makeModel(ARCHITECTURES[name], seed);
  return { model, expected: Float64Array.from(hubLogits(model.config, model.tensors, IDS).flat()) };
}

describe.each(NAMES)('a random model of %s', (name) => {
  it('computes the logits of a forward pass written from its definition', async () => {
    const { model, expected } = await modelWithLogits(name, 11);
    const { config, weights } = await opened(model);
    expect(relativeError(oracleLogits(config, weights, IDS), expected)).toBeLessThan(F64_ERROR);
    expect(relativeError(await cpuDecoder(config, weights).feed(IDS), expected)).toBeLessThan(F32_ERROR);
  });

  it('computes the same logits from several files and an index', async () => {
    const { model, expected } = await modelWithLogits(name, 12);
    const config = configOf(model);
    const files = Object.entries(sharded(model)).map(([file, bytes]) => fileSource({ name: file, bytes }));
    const sibling = async (file: string) => files.find((candidate) => candidate.name === file) ?? null;
    const container = await openTensors(files[0], sibling, NO_JOB);
    const weights = await weightsIn(config, container);
    expect(relativeError(oracleLogits(config, weights, IDS), expected)).toBeLessThan(F64_ERROR);
  });
});

describe('SparseLM', () => {
  const model = makeModel(ARCHITECTURES.sparselm, 11);

  it('uses ReLU for any hidden_act', async () => {
    const { config, weights } = await opened(model);
    expect(config).toMatchObject({ activation: 'relu', activationName: 'silu', gated: true, intermediate: 56 });
    const last = oracleLogits(config, weights, IDS).slice(-config.vocabulary);
    // By hubLogits, which knows nothing of the decoders.
    const golden = [0.03645235790068, -0.95635066302676, 5.29161967360245, 0.77455317743988, -1.50504211405532];
    for (const [i, logit] of golden.entries()) expect(last[i]).toBeCloseTo(logit, 9);
  });

  it('would write another text with the activation that its file names', async () => {
    const { config, weights } = await opened(model);
    const expected = hubLogits(model.config, model.tensors, IDS).flat();
    const asConfigured = oracleLogits({ ...config, activation: 'silu' }, weights, IDS);
    expect(relativeError(asConfigured, expected)).toBeGreaterThan(0.1);
  });

  it('is read without a gate if its file has none', async () => {
    const config = configOf(makeModel({ ...ARCHITECTURES.sparselm, sparsity_gated_mlp: false }, 1));
    expect(config).toMatchObject({ gated: false, activation: 'relu' });
    expect(chainRejection(config)).toContain('a feed-forward block without a gate');
  });

  it('is decoded by a GPU', () => {
    expect(chainRejection(configOf(model))).toBeNull();
  });
});

it.each(OTHER_CONFIGS)('a decoder of $name cannot be a chain, and the reason is named', (config) => {
  expect(chainRejection(config)).toMatch(/found .+, expected .+ for the GPU$/);
});

describe('GGUF files', () => {
  const NO_TOKENIZER = { 'tokenizer.ggml.tokens': Array.from({ length: 258 }, (_, i) => `t${i}`) };

  it.each(['llama', 'qwen2'])(
    'of %s contain the configuration and weights with which the oracle computes the expected logits',
    async (name) => {
      const { model, expected } = await modelWithLogits(name, 14);
      const source = fileSource({ name: 'tiny.gguf', bytes: ggufOf(model, NO_TOKENIZER) });
      const container = await openGguf(source, NO_JOB);
      const names = new Set(container.tensors.map((t) => t.name));
      const config = readGgufConfig(await readGgufMetadata(source, NO_JOB), names, 'tiny.gguf');
      expect(config).toMatchObject({ name: 'Tiny', context: 64, bos: 0, eos: [1], tied: name !== 'llama' });
      const weights = await weightsIn(config, container);
      // The epsilon is stored in f32.
      expect(relativeError(oracleLogits(config, weights, IDS), expected)).toBeLessThan(1e-9);
    },
  );

  it('with an unsupported part are rejected, and the error names that part', () => {
    const wrong =
      (metadata: Record<string, unknown>, tensors: readonly string[] = []) =>
      () =>
        readGgufConfig(new Map(Object.entries(metadata)) as never, new Set(tensors), 'x.gguf');
    expect(wrong({ 'general.architecture': 'mamba' })).toThrow(
      "x.gguf, general.architecture: found 'mamba', expected one of llama, qwen2, gpt2",
    );
    expect(wrong({ 'general.architecture': 'llama_sparse_relu' })).toThrow(
      'x.gguf, general.architecture: found llama_sparse_relu, whose order of rows in q and k no GGUF says, expected its safetensors',
    );
    const llama = { 'general.architecture': 'llama', 'tokenizer.ggml.tokens': ['a'] };
    expect(wrong({ ...llama, 'llama.rope.scaling.type': 'yarn' })).toThrow("found 'yarn', expected none");
    expect(wrong(llama, ['rope_freqs.weight'])).toThrow('found rotary frequencies');
    expect(wrong({ 'general.architecture': 'llama' })).toThrow('tokenizer.ggml.tokens: found nothing');
  });
});
