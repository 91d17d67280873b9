// FiringWriter, which writes a text and reports the neurons that fire at each token.

import { expect, test } from 'vitest';
import { randomWeights, tinyConfig } from '../../test/decoders.ts';
import { CancelledError } from '../../../../src/core/errors.ts';
import { threadPace } from '../../../../src/core/pace.ts';
import { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import { cpuDecoder } from '../../decoders/cpu/cpu-decoder.ts';
import { FiringWriter } from './firing-writer.ts';
import type { FiredToken } from './types.ts';

const config = tinyConfig({ activation: 'relu' });
const weights = randomWeights(config, 4);
const PROMPT = [3, 5];

function writer(): FiringWriter {
  const tokenizer = { encode: () => PROMPT, piece: (id: number) => String(id) };
  return new FiringWriter({ load: () => Promise.resolve({ config, weights, tokenizer }) } as never, () => 0);
}

const REQUEST = { model: { id: 'm', url: '' }, prompt: 'x', seed: 1, temperature: 0.8, count: 6 };

test('every token, prompt included, comes with exactly the neurons that are not 0', async () => {
  const fired: FiredToken[] = [];
  await writer().write(new ServiceJob(threadPace), REQUEST, (tokens) => void fired.push(...tokens));
  expect(fired.slice(0, 2).map(({ piece }) => piece)).toEqual(['3', '5']);
  expect(fired.length).toBeGreaterThan(2);
  const expected = new Map<string, readonly (readonly [number, number])[]>();
  const decoder = cpuDecoder(config, weights, {
    onInput(layer, input, x, position) {
      if (input !== 'down') return;
      expected.set(
        `${position} ${layer}`,
        [...x].flatMap((value, i) => (value === 0 ? [] : [[i, value] as const])),
      );
    },
  });
  const marks = config.bos === null ? [] : [config.bos];
  await decoder.feed([...marks, ...fired.map(({ piece }) => Number(piece))]);
  decoder.destroy();
  for (const [at, { layers }] of fired.entries()) {
    for (const [layer, { neurons, values }] of layers.entries()) {
      const firedPairs = [...neurons].map((neuron, i) => [neuron, values[i]]);
      expect(firedPairs, `token ${at}, layer ${layer}`).toEqual(expected.get(`${at + marks.length} ${layer}`));
    }
  }
  // Some neuron of ReLU is 0, and some is not.
  const counts = fired.flatMap(({ layers }) => layers.map(({ neurons }) => neurons.length));
  expect(Math.min(...counts)).toBeLessThan(config.intermediate);
  expect(Math.max(...counts)).toBeGreaterThan(0);
});

test('a newer request ends the previous text', async () => {
  const firingWriter = writer();
  const first = firingWriter.write(new ServiceJob(threadPace), REQUEST, () => {});
  const second = firingWriter.write(new ServiceJob(threadPace), REQUEST, () => {});
  await expect(first).rejects.toThrow(CancelledError);
  await expect(second).resolves.toBeDefined();
});
