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
 * The logits of a chain (a decoder on the GPU) equal golden logits, which the Python library transformers computed from
 * the same files of weights (labs/language/test/decoders/README.md).
 */

/**
 * Tolerance, relative: transformers computes norms, angles and softmax in f32, and the chain computes everything in
 * f32.
 */
const TOLERANCE = 3e-6;

/** The kernel for up to 16 tokens together that a software GPU compiles fastest. */
const GEMM = 'dense/gemm_split';

let context: GpuContext;
beforeAll(async () => {
  context = await sharedTestDevice();
});

async function logitsOf(name: string): Promise<Float32Array> {
  return toDense((await readMatrix(await fetchedFile(`/labs/language/test/decoders/${name}/logits.npy`))).matrix);
}

/**
 * Returns the logits after each of `ids`, row by row, by a chain of dense f32 matrices. It processes tokens one by one;
 * with `gemm` up to 16 together.
 */
async function chainLogits(
  config: DecoderConfig,
  weights: DecoderWeights,
  ids: readonly number[],
  gemm: string | false = false,
): Promise<Float32Array> {
  const encode = encodeWith(context, referenceFormat, { valueType: 'f32' }, { gemm });
  const model = await chainModel(config, weights, encode, encode, true);
  const chain = await Chain.open(context, config, model.chain);
  const logits = await chain.feed(ids);
  chain.destroy();
  return logits;
}

/** The random model that every run tests: biases everywhere, grouped heads of odd widths, scaled rotary positions. */
const ALWAYS_TESTED = ['everything'];
const testedConfigs = golden.configs.filter(({ name }) => ALWAYS_TESTED.includes(name));

describe('a chain computes the logits of transformers', () => {
  test('the model that every run tests exists', () => {
    expect(testedConfigs.map(({ name }) => name)).toEqual(ALWAYS_TESTED);
  });

  test.for(testedConfigs)('the chain of the random model $name computes the golden logits', (model) =>
    checkRandom(model),
  );

  for (const model of golden.configs.filter((config) => !testedConfigs.includes(config))) {
    scheduled(
      'each is compiled for its own sizes, for which a software GPU needs seconds',
      'the model that every run tests here, and labs/language/decoders/golden.test.ts, where the oracle of the chain has the logits of all of them',
      `the chain of the random model ${model.name} computes the golden logits`,
      () => checkRandom(model),
    );
  }

  scheduled(
    'it differs from the random models in its size',
    'the random model here, and labs/language/decoders/golden.test.ts, where the oracle has its logits',
    'the chain of tales-small computes the golden logits',
    checkSmallTales,
  );

  async function checkRandom({ name, ids }: (typeof golden.configs)[number]): Promise<void> {
    const { config, weights } = await fetchedModel(`/labs/language/test/decoders/${name}`);
    const logits = await chainLogits(config, weights, ids);
    const expected = await logitsOf(name);
    expect(relativeError(logits, expected)).toBeLessThan(TOLERANCE);
    expect(savedLogits(logits, expected, config.vocabulary, TOLERANCE).firstOther).toBeNull();
  }

  async function checkSmallTales(): Promise<void> {
    const { config, weights } = await fetchedModel(`${import.meta.env.BASE_URL}models/tales-small`);
    const { ids, rows } = smallIds;
    const { vocabulary } = config;
    // The golden file has the logits of some rows only.
    const all = await chainLogits(config, weights, ids, GEMM);
    const goldenRowsLogits = Float32Array.from(
      { length: rows.length * vocabulary },
      (_, i) => all[rows[Math.floor(i / vocabulary)] * vocabulary + (i % vocabulary)],
    );
    const expected = await logitsOf('tales-small');
    expect(relativeError(goldenRowsLogits, expected)).toBeLessThan(TOLERANCE);
    expect(savedLogits(goldenRowsLogits, expected, vocabulary, TOLERANCE).firstOther).toBeNull();
  }

  test('a head whose weights are 0.1 % too large exceeds the tolerance', async () => {
    const [{ name, ids }] = testedConfigs;
    const { config, weights } = await fetchedModel(`/labs/language/test/decoders/${name}`);
    const enlarged = { ...weights, head: weights.head.map((weight) => 1.001 * weight) };
    expect(relativeError(await chainLogits(config, enlarged, ids), await logitsOf(name))).toBeGreaterThan(5e-4);
  });
});
