// Quality of models that use only the largest inputs of each product (activation sparsity), in bits per byte.

import { expect, it } from 'vitest';
import { diskModels, newJob } from '../../test/disk-host.ts';
import { scheduled } from '../../../../test/scheduled.ts';
import { cpuDecoder } from '../../decoders/cpu/cpu-decoder.ts';
import { tokenBits } from '../../decoders/token-bits.ts';
import { drawTale } from '../../tales/draw.ts';
import { bytesRead, recordedBits, recordedInputs, ALL_SERIES } from '../quality/inputs.ts';
import { inputsQuality, keepLargest } from './inputs.ts';

const models = diskModels();
const model = { id: 'tales', url: 'labs/language/public/models/tales/' };

it('keepLargest sets all inputs to 0 except a share with the largest magnitudes, and keeps ties', () => {
  const x = Float32Array.of(0.5, -3, 0, 2, -1, 2);
  keepLargest(x, 1);
  expect([...x]).toEqual([0.5, -3, 0, 2, -1, 2]);
  keepLargest(x, 0.5);
  expect([...x]).toEqual([0, -3, 0, 2, 0, 2]);
  keepLargest(x, 1 / 3);
  expect([...x]).toEqual([0, -3, 0, 2, 0, 2]);
  keepLargest(x, 0.05);
  expect([...x]).toEqual([0, 0, 0, 0, 0, 0]);
});

/** Measures one tale with a share of the inputs, and compares its bits with the recording's first tale. */
async function checkTale(id: (typeof ALL_SERIES)[number]['id'], used: number): Promise<void> {
  const series = ALL_SERIES.find((candidate) => candidate.id === id) ?? ALL_SERIES[0];
  const request = { model, recipe: series.recipe, used, tales: 1 };
  const { bits, bytes } = await inputsQuality(models, request, newJob());
  expect(bits[0]).toBeCloseTo(recordedInputs.bits[id][used][0], 2);
  expect(bytes[0]).toBe(recordedInputs.bytes[0]);
}

scheduled(
  'a model reads a tale twice, on the CPU',
  'the largest magnitudes that are kept, and bits per byte of six tales, in the same file',
  'the smallest model needs the usual bits for a tale with all inputs, and more with half of them',
  async () => {
    const small = { id: 'tales-small', url: 'labs/language/public/models/tales-small/' };
    const job = newJob();
    const costOf = (used: number) =>
      inputsQuality(models, { model: small, recipe: ALL_SERIES[0].recipe, used, tales: 1 }, job);
    const [unprunedCost, halvedCost] = [await costOf(1), await costOf(0.5)];
    const { config, tokenizer, weights } = await models.load(small, job);
    const { text } = drawTale('held-out', 1, 0);
    const bitsByToken = await tokenBits(cpuDecoder(config, weights), [
      ...tokenizer.encode(text),
      ...config.eos.slice(0, 1),
    ]);
    const sum = bitsByToken.reduce((total, bits) => total + bits, 0);
    expect(unprunedCost.bits[0]).toBeCloseTo(sum, 6);
    expect(halvedCost.bits[0]).toBeGreaterThan(unprunedCost.bits[0]);
    expect([unprunedCost.bytes, halvedCost.bytes]).toEqual([[text.length], [text.length]]);
  },
);

for (const [title, id, used] of [
  ['70 % of the inputs and 70 % of the weights', 'pruned', 0.7],
  ['all inputs', 'all', 1],
  ['half of the inputs', 'all', 0.5],
  ['half of the inputs and 4-bit weights', 'i4', 0.5],
] as const) {
  scheduled(
    'a model reads a tale for each, on the CPU',
    'the tale of the smallest model here, and the choice of inputs above',
    `with ${title}, a model needs the recorded bits for a tale`,
    () => checkTale(id, used),
  );
}

it('bits per byte of six tales rise slowly to 70 % of the inputs, and fast to half', () => {
  const bits = (id: (typeof ALL_SERIES)[number]['id'], used: number) => recordedBits(id, used)?.toFixed(4);
  expect([bits('all', 1), bits('all', 0.7), bits('all', 0.5)]).toEqual(['0.2085', '0.2090', '0.3179']);
  expect([bits('pruned', 1), bits('pruned', 0.7), bits('pruned', 0.5)]).toEqual(['0.2094', '0.2157', '0.4177']);
  expect([bits('i4', 1), bits('i4', 0.7), bits('i4', 0.5)]).toEqual(['0.2100', '0.2113', '0.3413']);
  expect(bits('all', 0.55)).toBeUndefined();
});

it('bytesRead counts only the columns of used inputs for dense weights, but all bytes of a format by rows', () => {
  const [dense, pruned, i4] = ALL_SERIES;
  expect([bytesRead(dense, 1), bytesRead(dense, 0.5)]).toEqual([1, 0.5]);
  expect([bytesRead(pruned, 1), bytesRead(pruned, 0.5)]).toEqual([0.7625, 0.7625]);
  expect(bytesRead(i4, 0.5)).toBeCloseTo(4.5 / 32, 9);
});

it.each([0, 1.5, Number.NaN])('rejects %s as the share of the inputs', async (used) => {
  const request = { model, recipe: ALL_SERIES[0].recipe, used, tales: 1 };
  await expect(inputsQuality(models, request, newJob())).rejects.toThrow(
    `used: found ${used}, expected a share above 0 and up to 1`,
  );
});
