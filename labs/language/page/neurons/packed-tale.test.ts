// The recorded firing neurons of a tale, as the site ships them.

import { expect, test } from 'vitest';
import { oneJob } from '../../../../test/jobs.ts';
import type { FiredToken, FiringRequest } from '../service/types.ts';
import { MAX_WRITTEN, TEXT_FIELDS } from '../text/fields.ts';
import { loadTale, type PackedTale, recordedTale, unpackFired } from './packed-tale.ts';
import { firingJob } from './use-firing.ts';
import { packFired } from '../../scripts/pack-fired.ts';
import { meanFired } from './firing-tokens.ts';
import { shippedFiring } from '../../test/offers.ts';

const layer = (neurons: readonly number[], values: readonly number[]) => ({
  neurons: Uint16Array.from(neurons),
  values: Float32Array.from(values),
});
const TOKENS: readonly FiredToken[] = [
  { piece: 'a', layers: [layer([0, 1, 767], [1, -17.5, 0.002]), layer([], [])] },
  { piece: ' b', layers: [layer([], []), layer([31, 32, 33, 300], [0.5, -0.5, 14, 3])] },
];

test('unpacked firing neurons are exact, and their values are within 5 %', () => {
  const packed = { fired: packFired(TOKENS), pieces: TOKENS.map(({ piece }) => piece), layers: 2 };
  const unpacked = unpackFired(packed);
  expect(unpacked.map(({ piece, layers }) => [piece, layers.map(({ neurons }) => [...neurons])])).toEqual(
    TOKENS.map(({ piece, layers }) => [piece, layers.map(({ neurons }) => [...neurons])]),
  );
  for (const [i, { layers }] of TOKENS.entries()) {
    for (const [k, { values }] of layers.entries()) {
      for (const [j, value] of values.entries()) {
        expect(Math.abs(unpacked[i].layers[k].values[j] / value - 1)).toBeLessThan(0.05);
      }
    }
  }
  expect(() => unpackFired({ ...packed, fired: packed.fired.slice(0, 8) })).toThrow('expected more');
});

const RECORD = shippedFiring();
const request = (seed: number): FiringRequest => ({
  model: { id: 'tales-relu', url: '' },
  prompt: TEXT_FIELDS.prompt.default,
  seed,
  temperature: TEXT_FIELDS.temperature.default,
  count: MAX_WRITTEN,
});

test('the shipped tale has the settings that the tab requests, and a typical number of firing neurons', async () => {
  const tale = recordedTale(await loadTale(), request(TEXT_FIELDS.seed.default));
  expect(tale?.tokens.length).toBeGreaterThan(100);
  expect(tale?.total).toBeGreaterThanOrEqual(tale?.tokens.length ?? 0);
  const tokens = tale?.tokens ?? [];
  const mean = tokens.reduce((sum, token) => sum + meanFired(token), 0) / tokens.length;
  expect(mean).toBeGreaterThan(RECORD.mean / 1.5);
  expect(mean).toBeLessThan(RECORD.mean * 1.5);
  for (const { layers } of tokens) {
    for (const [k, { neurons }] of layers.entries()) {
      expect(neurons.length).toBeLessThanOrEqual(RECORD.maxByLayer[k] + 64);
      expect(Math.max(-1, ...neurons)).toBeLessThan(RECORD.neurons);
    }
  }
  expect(recordedTale((await loadTale()) satisfies PackedTale, request(11))).toBeNull();
});

test('a recorded text is shown without writing, and written on request', async () => {
  const written: number[] = [];
  const host: Parameters<typeof firingJob>[0] = {
    service: {
      fire: async (_job, { seed }, onFired) => {
        written.push(seed);
        await onFired(TOKENS);
        return { ended: true };
      },
    },
    recorded: async ({ seed }) => (seed === 10 ? { tokens: TOKENS.slice(0, 1), total: 2 } : null),
  };
  const job = oneJob<{ readonly tokens: readonly FiredToken[]; readonly recordedOf: number | null }>();
  await job.start(firingJob(host, request(10), false));
  expect(job.state()).toMatchObject({ data: { recordedOf: 2 }, job: null, error: null });
  expect(written).toEqual([]);
  await job.start(firingJob(host, request(10), true));
  expect(job.state()).toMatchObject({ data: { recordedOf: null }, job: null });
  expect(job.state().data?.tokens).toHaveLength(2);
  await job.at('other').start(firingJob(host, request(3), false));
  expect(written).toEqual([10, 3]);
});
