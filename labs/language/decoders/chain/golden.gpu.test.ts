import { beforeAll, describe, expect, test } from 'vitest';
import golden from '../../scripts/train-tales/golden-configs.json';
import smallIds from '../../test/decoders/tales-small/ids.json';
import { chainModel, encodeWith } from '../../test/chain-weights.ts';
import { relativeError } from '../../test/decoders.ts';
import { fetchedFile, fetchedModel } from '../../test/fetched-model.ts';
import { sharedTestDevice } from '../../../../test/gpu.ts';
import { scheduled } from '../../../../test/scheduled.ts';
import { toDense } from '../../../../src/core/matrix/index.ts';
import { referenceFormat } from '../../../../src/formats/registry.ts';
import type { GpuContext } from '../../../../src/gpu/index.ts';
import { readMatrix } from '../../../../src/io/read.ts';
import type { DecoderConfig, DecoderWeights } from '../decoder.ts';
import { Chain } from './chain.ts';
import { savedLogits } from '../../test/saved-logits.ts';

/**
 * The logits of a chain equal the logits of transformers, with nothing of this repository between them
 * (labs/language/test/decoders/README.md).
 */

/** transformers computes norms, angles and softmax in f32, and the chain everything. */
const ROUNDED = 3e-6;

/** Compiled in no time by a software GPU. */
const GEMM = 'dense/gemm_split';

let context: GpuContext;
beforeAll(async () => {
  context = await sharedTestDevice();
});

async function logitsOf(name: string): Promise<Float32Array> {
  return toDense((await readMatrix(await fetchedFile(`/labs/language/test/decoders/${name}/logits.npy`))).matrix);
}

/** What a chain of dense f32 matrices computes behind each of `ids`, one by one; with `gemm` up to 16 together. */
async function chainLogits(
  config: DecoderConfig,
  weights: DecoderWeights,
  ids: readonly number[],
  gemm: string | false = false,
): Promise<Float32Array> {
  const encode = encodeWith(context, referenceFormat, { valueType: 'f32' }, { gemm });
  const model = await chainModel(config, weights, encode, encode, true);
  const chain = await Chain.open(context, config, model.chain);
  const found = await chain.feed(ids);
  chain.destroy();
  return found;
}

/** Biases everywhere, grouped heads of odd widths, stretched positions. */
const EVERY_TIME = ['everything'];
const kept = golden.configs.filter(({ name }) => EVERY_TIME.includes(name));

describe('the logits of transformers come from a chain', () => {
  test('of the model of every time, which there is', () => {
    expect(kept.map(({ name }) => name)).toEqual(EVERY_TIME);
  });

  test.for(kept)('of the random model $name', (one) => checkRandom(one));

  for (const one of golden.configs.filter((other) => !kept.includes(other))) {
    scheduled(
      'each is compiled for its own sizes, for which a software GPU needs seconds',
      'the model of every time here, and labs/language/decoders/golden.test.ts, where the oracle of the chain has the logits of all of them',
      `of the random model ${one.name}`,
      () => checkRandom(one),
    );
  }

  scheduled(
    'it differs from the random models in its size',
    'the random model here, and labs/language/decoders/golden.test.ts, where the oracle has its logits',
    'of tales-small',
    checkSmallTales,
  );

  async function checkRandom({ name, ids }: (typeof golden.configs)[number]): Promise<void> {
    const { config, weights } = await fetchedModel(`/labs/language/test/decoders/${name}`);
    const found = await chainLogits(config, weights, ids);
    const expected = await logitsOf(name);
    expect(relativeError(found, expected)).toBeLessThan(ROUNDED);
    expect(savedLogits(found, expected, config.vocabulary, ROUNDED).firstOther).toBeNull();
  }

  async function checkSmallTales(): Promise<void> {
    const { config, weights } = await fetchedModel(`${import.meta.env.BASE_URL}models/tales-small`);
    const { ids, rows } = smallIds;
    const { vocabulary } = config;
    const all = await chainLogits(config, weights, ids, GEMM);
    const found = Float32Array.from(
      { length: rows.length * vocabulary },
      (_, i) => all[rows[Math.floor(i / vocabulary)] * vocabulary + (i % vocabulary)],
    );
    const expected = await logitsOf('tales-small');
    expect(relativeError(found, expected)).toBeLessThan(ROUNDED);
    expect(savedLogits(found, expected, vocabulary, ROUNDED).firstOther).toBeNull();
  }

  test('which a matrix that is off by a thousandth would not keep', async () => {
    const [{ name, ids }] = kept;
    const { config, weights } = await fetchedModel(`/labs/language/test/decoders/${name}`);
    const off = { ...weights, head: weights.head.map((weight) => 1.001 * weight) };
    expect(relativeError(await chainLogits(config, off, ids), await logitsOf(name))).toBeGreaterThan(5e-4);
  });
});
