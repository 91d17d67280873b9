// Tests of the measured speed of a decoder in tokens per second: which tokens of a text are timed.

import { expect, test } from 'vitest';
import { tinyConfig } from '../../test/decoders.ts';
import { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import { tokensOfSubmit } from '../../decoders/chain/chain.ts';
import type { Decoder } from '../../decoders/decoder.ts';
import { ratesInTurns } from './rates.ts';

/** Returns the tokens per second of a decoder that needs 1 ms per token and yields the tokens of a submit at once. */
async function rateOfTexts(length: number, context = 512): Promise<number | null> {
  let ms = 0;
  async function* write(_id: number, count: number): AsyncGenerator<number, void> {
    for (let submit = 0, written = 0; written < count; submit++) {
      const tokens = Math.min(tokensOfSubmit(submit), count - written);
      // The last submit takes its full time, even if the text ends inside it.
      ms += tokens;
      for (let i = 0; i < tokens; i++) {
        yield 2;
        if (++written === length) return;
      }
    }
  }
  const config = tinyConfig({ context });
  const decoder: Decoder = {
    config,
    length: 0,
    feed: async () => new Float32Array(0),
    write,
    rewind() {},
    destroy() {},
  };
  const now = (): number => ms;
  const settings = { begin: [0], sampling: { temperature: 1, seed: 0 }, job: new ServiceJob({ now }), now };
  return (await ratesInTurns([decoder], settings))[0];
}

test('submits to the GPU draw 1, 2, 4, and then always 8 tokens', () => {
  expect([0, 1, 2, 3, 4, 5].map(tokensOfSubmit)).toEqual([1, 2, 4, 8, 8, 8]);
});

test.each([31, 40, 64, 500])(
  'a text of %i tokens is timed from the end of a submit to the end of another',
  async (n) => {
    expect(await rateOfTexts(n)).toBe(1000);
  },
);

test('a text up to the end of the context is timed as far as its submits are full', async () => {
  expect(await rateOfTexts(500, 42)).toBe(1000);
});

test('a text with fewer than two full submits after the first is not timed', async () => {
  expect(await rateOfTexts(30)).toBeNull();
});
