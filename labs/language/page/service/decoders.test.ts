// The worker's cache of decoders: chains on the GPU and encoded products are reused until they are released.

import { afterEach, expect, test, vi } from 'vitest';
import { randomWeights, tinyConfig } from '../../test/decoders.ts';
import { threadPace } from '../../../../src/core/pace.ts';
import { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import { formatById } from '../../../../src/formats/registry.ts';
import { NoDeviceError, exampleDevice } from '../../../../src/gpu/index.ts';
import { Chain } from '../../decoders/chain/chain.ts';
import { cpuDecoder } from '../../decoders/cpu/cpu-decoder.ts';
import { Decoders } from './decoders.ts';

afterEach(() => vi.restoreAllMocks());

const config = tinyConfig();
const host = (open: () => Promise<unknown>): ConstructorParameters<typeof Decoders>[0] => ({
  ...threadPace,
  now: () => 0,
  device: { open } as never,
});

test('release destroys idle chains at once, and a chain in use when its user destroys it', async () => {
  const destroyed: number[] = [];
  const opening = vi.spyOn(Chain, 'open').mockImplementation(async () => {
    const number = opening.mock.calls.length;
    return Object.assign(cpuDecoder(config, weights[0]), { destroy: () => destroyed.push(number) }) as never;
  });
  const context = { facts: exampleDevice(), lostReason: null };
  const decoders = new Decoders(host(() => Promise.resolve(context)));
  const weights = [randomWeights(config, 1), randomWeights(config, 2)];
  const open = async (model: number) =>
    (await decoders.open({ config }, weights[model], null, new ServiceJob(threadPace))).decoder;
  const [idle, used] = [await open(0), await open(1)];
  idle.destroy();
  expect([destroyed, opening.mock.calls.length]).toEqual([[], 2]);
  decoders.release();
  expect(destroyed).toEqual([1]);
  used.destroy();
  expect(destroyed).toEqual([1, 2]);
  (await open(1)).destroy();
  await open(1);
  expect([destroyed, opening.mock.calls.length]).toEqual([[1, 2], 3]);
});

test('release drops encoded matrices, which are then encoded again', async () => {
  const decoders = new Decoders(host(() => Promise.reject(new NoDeviceError('none'))));
  const weights = randomWeights(config, 3);
  const format = { ...formatById('ell') };
  const encoding = vi.spyOn(format, 'encodeSteps');
  const encodedAt: number[] = [];
  const open = async (): Promise<void> => {
    await decoders.open({ config }, weights, { format, params: { valueType: 'f32' } }, new ServiceJob(threadPace));
    encodedAt.push(encoding.mock.calls.length);
  };
  await open();
  await open();
  decoders.release();
  await open();
  const matrices = 7 * config.layers;
  expect(encodedAt).toEqual([matrices, matrices, 2 * matrices]);
});
