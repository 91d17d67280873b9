// QualityMeter: the bits that a pruned model loses on texts, by part of the model.

import { beforeAll, describe, expect, test } from 'vitest';
import { randomIds, randomWeights, tinyConfig } from '../../test/decoders.ts';
import { finish } from '../../../../src/core/job.ts';
import { cpuDecoder } from '../cpu/cpu-decoder.ts';
import { BLOCK_MATRICES, type DecoderWeights } from '../decoder.ts';
import { type ScoredText, tokenBits } from '../token-bits.ts';
import { UNCHANGED } from '../stored/recipe.ts';
import { QualityMeter } from './meter.ts';
import { allParts, partDensities, type PrunedPart, pieceSensitivitySteps } from './sensitivity.ts';

const config = tinyConfig({ layers: 3, headDim: 8, hidden: 32, intermediate: 48 });

const [EOS] = config.eos;

/** A model whose layer 1 adds nothing to what flows, so that nothing is lost if it is pruned. */
function withIdleLayer(): DecoderWeights {
  const weights = randomWeights(config, 3);
  for (const name of ['o', 'down'] as const) weights.blocks[1].matrices[name].fill(0);
  return weights;
}

const weights = withIdleLayer();
const meter = new QualityMeter(config, weights, [randomIds(config, 20, 1), randomIds(config, 90, 2)]);
const texts: ScoredText[] = [];

beforeAll(() => {
  // What the model writes itself is what it predicts best: any pruning loses.
  finish(
    meter.writeSteps(weights, 24, { seed: 7, temperature: 1 }, (ids) => texts.push({ ids, bytes: 3 * ids.length + 1 })),
  );
});

test('written texts end at eos or at the end of the context, without special tokens', () => {
  expect(texts).toHaveLength(24);
  for (const { ids } of texts) {
    expect(ids.length).toBeLessThan(config.context);
    expect(ids).not.toContain(EOS);
  }
  expect(new Set(texts.map(({ ids }) => ids.join(' '))).size).toBeGreaterThan(20);
});

test('bits of a text equal the bits of a decoder, including its end', async () => {
  const decoder = cpuDecoder(config, weights);
  for (const text of texts.slice(0, 4)) {
    const bits = await tokenBits(decoder, [...text.ids, EOS]);
    const sum = bits.reduce((a, b) => a + b, 0);
    expect(finish(meter.textSteps(weights, text)) / sum).toBeCloseTo(1, 5);
  }
  expect(meter.fits({ ids: randomIds(config, config.context - 1, 4), bytes: 1 })).toBe(true);
  expect(meter.fits({ ids: randomIds(config, config.context, 4), bytes: 1 })).toBe(false);
});

test('measurements of one model do not affect the next', () => {
  const [text] = texts;
  const before = finish(meter.textSteps(weights, text));
  const pruned = finish(meter.pruneAndRoundSteps({ pruning: { way: 'wanda', density: 0.3 }, valueType: 'f16' }));
  expect(finish(meter.textSteps(pruned, text))).toBeGreaterThan(before);
  expect(finish(meter.textSteps(weights, text))).toBe(before);
  // A second pruning does not change the weights of the first.
  finish(meter.pruneAndRoundSteps({ pruning: { way: 'wanda', density: 0.3 }, valueType: 'f16' }));
  expect(finish(meter.textSteps(pruned, text))).toBeGreaterThan(before);
});

test('the norms for Wanda do not depend on earlier measurements', () => {
  const recipe = { pruning: { way: 'wanda', density: 0.3 }, valueType: 'f16' } as const;
  const fresh = new QualityMeter(config, weights, [randomIds(config, 20, 1), randomIds(config, 90, 2)]);
  const { blocks } = finish(fresh.pruneAndRoundSteps(recipe));
  finish(meter.textSteps(weights, texts[0]));
  expect(blocks).toEqual(finish(meter.pruneAndRoundSteps(recipe)).blocks);
});

describe('sensitivity', () => {
  test('only the named part is pruned', () => {
    const { layers } = config;
    expect(allParts(layers)).toHaveLength(layers + 7 + 7 * layers);
    const densities = partDensities({ layer: 2, kind: 'down' }, 0.3, layers);
    expect(densities.flatMap((row) => BLOCK_MATRICES.map((name) => row[name])).filter((d) => d !== 1)).toEqual([0.3]);
    expect(densities[2].down).toBe(0.3);
    const layer = partDensities({ layer: 1, kind: null }, 0.3, layers);
    expect(layer.map((row) => row.q)).toEqual([1, 0.3, 1]);
    expect(BLOCK_MATRICES.every((name) => layer[1][name] === 0.3)).toBe(true);
    expect(partDensities({ layer: null, kind: 'k' }, 0.3, layers).map((row) => [row.k, row.v])).toEqual([
      [0.3, 1],
      [0.3, 1],
      [0.3, 1],
    ]);
  });

  test('a layer that adds nothing loses nothing, and others do', () => {
    const lost = new Map<string, number>();
    const dense = finish(meter.pruneAndRoundSteps(UNCHANGED));
    const add = ({ layer, kind }: PrunedPart, bits: number): void => {
      const part = `${layer} ${kind}`;
      lost.set(part, (lost.get(part) ?? 0) + bits);
    };
    for (const { ids } of texts.slice(0, 6)) {
      finish(pieceSensitivitySteps(meter, dense, [config.bos ?? 0, ...ids], 0.3, add));
    }
    expect(lost.size).toBe(allParts(config.layers).length);
    expect(lost.get('1 null')).toBeCloseTo(0, 4);
    expect(lost.get('1 gate')).toBeCloseTo(0, 4);
    expect(lost.get('0 null')).toBeGreaterThan(1);
    expect(lost.get('2 null')).toBeGreaterThan(1);
  });
});
