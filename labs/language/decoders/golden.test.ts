// Logits and token ids of the shipped models against those of transformers and its tokenizers.

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import golden from '../scripts/train-tales/golden-configs.json';
import { relativeError } from '../test/decoders.ts';
import { toDense } from '../../../src/core/matrix/index.ts';
import { NO_JOB } from '../../../src/core/job.ts';
import { readMatrix } from '../../../src/io/read.ts';
import { fileSource } from '../../../src/io/source.ts';
import { openSafetensors } from '../../../src/io/tensors/safetensors.ts';
import { drawTale } from '../tales/draw.ts';
import { cpuDecoder } from './cpu/cpu-decoder.ts';
import type { DecoderConfig, DecoderWeights } from './decoder.ts';
import { oracleLogits } from './oracle/oracle.ts';
import { readDecoderConfig } from './read/decoder-config.ts';
import { readDecoderWeights } from './read/decoder-weights.ts';
import { tokenBits } from './token-bits.ts';
import { readTokenizer, type ModelTokenizer } from './tokenizer.ts';
import { cases, scheduled } from '../../../test/scheduled.ts';

/** The output of labs/language/scripts/train-tales/golden.py: logits by transformers, ids by the tokenizers in Rust. */
const GOLDENS = 'labs/language/test/decoders';
const MODELS = 'labs/language/public/models';

/** Maximum relative error of logits: transformers computes norms, angles and softmax in f32. */
const F32_ERROR = 2e-6;

const text = (path: string): string => readFileSync(path, 'utf8');
const json = <T>(path: string): T => JSON.parse(text(path)) as T;
const file = (path: string) => ({ name: path, bytes: new Uint8Array(readFileSync(path)) });

const TOKEN_IDS = json<Readonly<Record<string, unknown>>>(`${GOLDENS}/token-ids.json`);
/** Models that are published here. */
const PUBLISHED = Object.keys(TOKEN_IDS).filter((name) => `${name}/decoded` in TOKEN_IDS);
/** Those whose logits transformers can compute; it has no reader for weights that are stored sparse. */
const WITH_LOGITS = PUBLISHED.filter((name) => existsSync(`${GOLDENS}/${name}/ids.json`));

/** The decoder of a folder, with its weights. */
async function modelIn(folder: string): Promise<{ config: DecoderConfig; weights: DecoderWeights }> {
  const config = readDecoderConfig(text(`${folder}/config.json`), folder);
  const container = await openSafetensors(fileSource(file(`${folder}/model.safetensors`)), NO_JOB);
  return { config, weights: await readDecoderWeights(config, container, NO_JOB) };
}

function tokensIn(folder: string): ModelTokenizer {
  return readTokenizer(text(`${folder}/tokenizer.json`), readDecoderConfig(text(`${folder}/config.json`), folder));
}

/** The logits that the reference implementation computed for the model of a folder. */
async function logitsIn(folder: string): Promise<Float32Array> {
  return toDense((await readMatrix(file(`${folder}/logits.npy`))).matrix);
}

/** The named rows of logits, one after another. */
function selectedRows(logits: ArrayLike<number>, rows: readonly number[], { vocabulary }: DecoderConfig): Float64Array {
  return Float64Array.from(
    { length: rows.length * vocabulary },
    (_, i) => logits[rows[Math.floor(i / vocabulary)] * vocabulary + (i % vocabulary)],
  );
}

describe('the oracle and the CPU decoder compute the golden logits of transformers', () => {
  it.each(golden.configs)('for the random model $name', async ({ name, ids }) => {
    const { config, weights } = await modelIn(`${GOLDENS}/${name}`);
    const expected = await logitsIn(`${GOLDENS}/${name}`);
    expect(relativeError(oracleLogits(config, weights, ids), expected)).toBeLessThan(F32_ERROR);
    expect(relativeError(await cpuDecoder(config, weights).feed(ids), expected)).toBeLessThan(F32_ERROR);
  });

  it('recorded for these published models', () => {
    expect(WITH_LOGITS).toEqual(['tales', 'tales-relu', 'tales-small']);
  });

  it.each(WITH_LOGITS.filter((name) => name !== 'tales'))('for the published model %s', checkPublished);

  scheduled(
    'an oracle in f64 reads a large model',
    'tales-relu, which has its sizes, and tales-small, which has its activation',
    'for the published model tales',
    () => checkPublished('tales'),
  );

  async function checkPublished(name: string): Promise<void> {
    const { config, weights } = await modelIn(`${MODELS}/${name}`);
    const { ids, rows } = json<{ ids: readonly number[]; rows: readonly number[] }>(`${GOLDENS}/${name}/ids.json`);
    const expected = await logitsIn(`${GOLDENS}/${name}`);
    expect(relativeError(selectedRows(oracleLogits(config, weights, ids), rows, config), expected)).toBeLessThan(
      F32_ERROR,
    );
    const logits = await cpuDecoder(config, weights).feed(ids);
    expect(relativeError(selectedRows(logits, rows, config), expected)).toBeLessThan(F32_ERROR);
  }
});

describe('tokenizers return the golden token ids of the tokenizers in Rust', () => {
  it.each(PUBLISHED)('for the published model %s', (name) => {
    const tokens = tokensIn(`${MODELS}/${name}`);
    expect(golden.sentences.map(tokens.encode)).toEqual(TOKEN_IDS[name]);
    expect(golden.sentences.map((message) => tokens.decode(tokens.encode(message)))).toEqual(
      TOKEN_IDS[`${name}/decoded`],
    );
  });
});

/** Bits above the floor that each of some held-out tales costs a model. */
async function lostOn(model: string, count: number): Promise<readonly number[]> {
  const { config, weights } = await modelIn(`${MODELS}/${model}`);
  const tokens = tokensIn(`${MODELS}/${model}`);
  const tales = Array.from({ length: count }, (_, i) => drawTale('held-out', 2029, i));
  const decoder = cpuDecoder(config, weights);
  const lost: number[] = [];
  for (const { text: tale, bits } of tales) {
    const computedBits = await tokenBits(decoder, [...tokens.encode(tale), ...config.eos.slice(0, 1)]);
    lost.push(computedBits.reduce((a, b) => a + b, 0) - bits);
  }
  return lost;
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

describe('bits of newly drawn tales', () => {
  scheduled(
    'a model reads four tales',
    'logits of transformers here, and labs/language/tales/judge.test.ts',
    'of a trained model are on average not below the floor, and not far above',
    async () => {
      const lost = await lostOn('tales-small', cases(4, 6));
      expect(lost.length).toBeGreaterThan(3);
      const variance = lost.reduce((sum, bits) => sum + (bits - mean(lost)) ** 2, 0) / (lost.length - 1);
      // By chance a model may need fewer bits than the floor for a single tale, but not on average.
      expect(mean(lost)).toBeGreaterThan(-3 * Math.sqrt(variance / lost.length));
      expect(mean(lost)).toBeLessThan(40);
    },
  );

  it('a model that was pruned and stored sparse has about a third of its weights', async () => {
    const { weights } = await modelIn(`${MODELS}/tales-pruned`);
    const { down } = weights.blocks[0].matrices;
    const density = down.filter((weight) => weight !== 0).length / down.length;
    expect(density).toBeGreaterThan(0.2);
    expect(density).toBeLessThan(0.4);
  });

  scheduled(
    'a model of 3.4 million weights reads two tales',
    "'of a trained model are on average not below the floor, and not far above' in the same file, and labs/language/decoders/read/decoder-weights.test.ts, with small models",
    'of a model that was pruned, trained further and stored sparse are on average at most 20 above the floor',
    async () => {
      expect(mean(await lostOn('tales-pruned', 2))).toBeLessThan(20);
    },
  );
});
