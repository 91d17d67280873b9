// BatchModel, the decoder on the CPU for several texts at once, compared with the oracle.

import { describe, expect, test } from 'vitest';
import {
  OTHER_CONFIGS,
  randomIds,
  randomWeights,
  relativeError,
  TINY_CONFIGS,
  tinyConfig,
} from '../../test/decoders.ts';
import { finish } from '../../../../src/core/job.ts';
import { columnNorms } from '../../../../src/generate/prune.ts';
import type { BlockMatrix, DecoderConfig, DecoderWeights } from '../decoder.ts';
import { oracleLogits } from '../oracle/oracle.ts';
import { bitsOf, drawToken } from '../sampling.ts';
import { BatchModel } from './batch-model.ts';
import { readTextSteps } from './read-text.ts';
import { textBitsSteps } from '../quality/meter.ts';
import { CalibrationTexts } from './text-calibration.ts';
import { writeTextsSteps, type WrittenIds } from './write-texts.ts';

function opened(config: DecoderConfig, weights: DecoderWeights, tokens: number, texts = 0): BatchModel {
  const batch = new BatchModel(config, tokens, texts);
  batch.setWeights(weights);
  return batch;
}

/** All logits of a text, token by token. */
function logitsOf(batch: BatchModel, ids: readonly number[]): readonly number[] {
  const { logits } = finish(readTextSteps(batch, ids, 0));
  return logits.flatMap((row) => [...row]);
}

describe.each([...TINY_CONFIGS, ...OTHER_CONFIGS].map((config) => [config.name, config] as const))(
  '%s',
  (_, config) => {
    const longContext = { ...config, context: 160 };
    const weights = randomWeights(longContext, 4);

    test('logits of whole texts equal the logits of the oracle', () => {
      // One token, fewer than eight, and more tokens than the model processes, or attends with, at once.
      for (const length of [1, 5, 45, 150]) {
        const ids = randomIds(longContext, length, length);
        const batch = opened(longContext, weights, 160);
        // An earlier, longer text leaves keys and values, which must not be read.
        logitsOf(batch, randomIds(longContext, 160, 99));
        expect(relativeError(logitsOf(batch, ids), oracleLogits(longContext, weights, ids))).toBeLessThan(1e-5);
      }
    });

    test('texts that are written in one batch equal the texts of the oracle', () => {
      const short = { ...config, context: 12, eos: [1] };
      const batch = opened(short, weights, 3, 3);
      const sampling = (text: number) => ({ temperature: 1, seed: text });
      const written: WrittenIds[] = [];
      finish(
        writeTextsSteps(
          batch,
          0,
          5,
          (logits, position, text) => drawToken(logits, position, sampling(text)),
          (progress) => written.push(progress),
        ),
      );
      expect(written.map(({ text }) => text).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
      for (const { text, ids } of written) {
        const { vocabulary } = config;
        const logits = Float32Array.from(oracleLogits(short, weights, ids.slice(0, -1)));
        ids.slice(1).forEach((id, i) => {
          expect(drawToken(logits.subarray(i * vocabulary, (i + 1) * vocabulary), i + 1, sampling(text))).toBe(id);
        });
        expect(ids.length === short.context || ids[ids.length - 1] === 1).toBe(true);
        expect(ids.slice(1, -1)).not.toContain(1);
      }
    });
  },
);

const config = tinyConfig();
const weights = randomWeights(config, 8);

test('bits of a text equal the bits of the oracle, token by token', () => {
  const ids = randomIds(config, 40, 2);
  const logits = Float32Array.from(oracleLogits(config, weights, ids));
  const bits = finish(textBitsSteps(opened(config, weights, 40), ids));
  expect(bits).toHaveLength(39);
  bits.forEach((bitsOfToken, t) => {
    const expected = bitsOf(logits.subarray(t * config.vocabulary, (t + 1) * config.vocabulary), ids[t + 1]);
    expect(bitsOfToken).toBeCloseTo(expected, 3);
  });
  expect(finish(textBitsSteps(opened(config, weights, 8), [0]))).toHaveLength(0);
});

test('a model with equal logits has a perplexity equal to the size of the vocabulary', () => {
  const flat = { ...weights, head: new Float32Array(weights.head.length) };
  const bits = finish(textBitsSteps(opened(config, flat, 24), randomIds(config, 20, 3)));
  for (const tokenBits of bits) expect(2 ** tokenBits).toBeCloseTo(config.vocabulary, 6);
});

test('the norms of a matrix’s inputs include all tokens of all texts, after the new weights of earlier blocks', () => {
  const texts = [randomIds(config, 9, 1), randomIds(config, 30, 2), [], randomIds(config, 1, 3)];
  const other = randomWeights(config, 9);
  const mixed = { ...weights, blocks: [other.blocks[0], weights.blocks[1]] };
  // The inputs of each matrix as rows, from the oracle.
  const rows: Partial<Record<'q' | 'o' | 'gate' | 'down', number[]>>[] = [{}, {}];
  for (const ids of texts) {
    if (ids.length > 0) {
      oracleLogits(config, mixed, ids, (layer, input, numbers) => (rows[layer][input] ??= []).push(...numbers));
    }
  }
  const calibration = new CalibrationTexts(opened(config, weights, 32), texts).begin();
  finish(calibration.norms(0, weights.blocks[0]));
  finish(calibration.advance(0, other.blocks[0]));
  const norms = finish(calibration.norms(1, weights.blocks[1]));
  const expectNorms = (name: BlockMatrix, input: 'q' | 'o' | 'gate' | 'down', cols: number): void => {
    const expected = columnNorms(Float32Array.from(rows[1][input] ?? []), cols);
    expect(relativeError(norms[name], expected)).toBeLessThan(1e-5);
  };
  for (const name of ['q', 'k', 'v'] as const) expectNorms(name, 'q', config.hidden);
  expectNorms('o', 'o', config.heads * config.headDim);
  for (const name of ['gate', 'up'] as const) expectNorms(name, 'gate', config.hidden);
  expectNorms('down', 'down', config.intermediate);
});

test('unknown tokens, too many tokens, and a model that does not fit are rejected', () => {
  const batch = opened(config, weights, 8);
  expect(() => batch.embed([config.vocabulary])).toThrow(`token ${config.vocabulary}: expected`);
  expect(() => batch.embed(randomIds(config, 9, 1))).toThrow('found 9, expected at most 8');
  expect(() => new BatchModel({ ...config, layers: 5000, hidden: 4096 }, 8)).toThrow('numbers to store');
});
