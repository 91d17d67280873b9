// Decoders, which opens a chain on the GPU or a decoder on the CPU, and keeps the last ones.

import { beforeAll, describe, expect, test, vi } from 'vitest';
import { randomIds, randomWeights, relativeError, tinyConfig } from '../../test/decoders.ts';
import { openTestDevice, sharedTestDevice } from '../../../../test/gpu.ts';
import { scheduled } from '../../../../test/scheduled.ts';
import type { EncodedMatrix } from '../../../../src/core/format.ts';
import type { KernelSpec } from '../../../../src/core/kernel/kernel.ts';
import { threadPace } from '../../../../src/core/pace.ts';
import { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import { formatById, formats } from '../../../../src/formats/registry.ts';
import { GpuContext } from '../../../../src/gpu/device.ts';
import { DeviceLostError, NoDeviceError } from '../../../../src/gpu/index.ts';
import { Chain } from '../../decoders/chain/chain.ts';
import { cpuDecoder } from '../../decoders/cpu/cpu-decoder.ts';
import { Decoders } from './decoders.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await sharedTestDevice();
});

/** The id of the format that a kernel belongs to. */
const ownerOf = (spec: KernelSpec<EncodedMatrix>): string =>
  formats.find(({ kernels }) => kernels.some((kernel) => kernel === spec))?.id ?? 'none';
const openChain = Chain.open.bind(Chain);
const config = tinyConfig();
const weights = randomWeights(config, 21);
const ids = randomIds(config, 6, 22);

function hostWith(open: () => Promise<GpuContext>): ConstructorParameters<typeof Decoders>[0] {
  return { ...threadPace, device: { open } as never };
}

/** Decoders that also use a software GPU. */
const onGpu = (gpu = context): Decoders =>
  new Decoders(
    hostWith(() => Promise.resolve(gpu)),
    true,
  );
const job = (): ServiceJob => new ServiceJob(threadPace);

describe('a model on a device', () => {
  test('computes the same text on the GPU as on the CPU, in any format of its matrices', async () => {
    const decoders = onGpu();
    const expected = await cpuDecoder(config, weights).feed(ids);
    const ell = { format: formatById('ell'), params: { valueType: 'f32' } };
    for (const storage of [null, ell, null]) {
      const { decoder, where } = await decoders.open({ config }, weights, storage, job());
      expect(where).toBe('gpu');
      expect(decoder.length).toBe(0);
      expect(relativeError(await decoder.feed(ids), expected)).toBeLessThan(1e-6);
      decoder.destroy();
    }
  });

  test('multiplies in the format, and is dense only if the format does not support a matrix', async () => {
    const productFormats: string[] = [];
    const open = vi.spyOn(Chain, 'open').mockImplementation(async (device, sizes, model, options) => {
      async function* blocks() {
        for await (const block of model.blocks) {
          productFormats.push(...[...block.qkv, ...block.o].map(({ oneToken }) => ownerOf(oneToken.spec)));
          yield block;
        }
      }
      return openChain(device, sizes, { ...model, blocks: blocks() }, options);
    });
    const resultOf = async (id: string, gpu: GpuContext | null) => {
      productFormats.length = 0;
      const hostWithoutDevice = hostWith(() => Promise.reject(new NoDeviceError('none')));
      const decoders = gpu ? onGpu(gpu) : new Decoders(hostWithoutDevice, true);
      const storage = { format: formatById(id), params: { valueType: 'f32' } };
      const { decoder, formatUse } = await decoders.open({ config }, weights, storage, job());
      const error = relativeError(await decoder.feed(ids), await cpuDecoder(config, weights).feed(ids));
      expect(error).toBeLessThan(1e-6);
      decoder.destroy();
      return { ...formatUse, encoded: [...productFormats] };
    };
    const stacks = 2 * config.layers;
    expect(await resultOf('ell', context)).toEqual({
      inFormat: 7 * config.layers,
      rejection: null,
      encoded: Array.from({ length: stacks }, () => 'ell'),
    });
    const rejectedUse = await resultOf('slidesparse', context);
    expect(rejectedUse).toMatchObject({ inFormat: 0, encoded: Array.from({ length: stacks }, () => 'dense') });
    expect(rejectedUse.rejection).not.toBeNull();
    expect(await resultOf('ell', null)).toMatchObject({ inFormat: 7 * config.layers, rejection: null });
    open.mockRestore();
  });

  scheduled(
    'a software GPU compiles a chain again for the device and for each format',
    'labs/language/decoders/chain/chain.gpu.test.ts, where a chain runs on the least that a device may have',
    'runs on the least that a device may have, in formats and with biases',
    async () => {
      const minimalDevice = await openTestDevice({ minimum: true });
      const { maxStorageBuffersPerShaderStage: buffers, maxStorageBufferBindingSize: binding } =
        minimalDevice.facts.limits;
      expect([buffers, binding, minimalDevice.facts.features.has('shader-f16')]).toEqual([8, 2 ** 27, false]);
      const decoders = onGpu(minimalDevice);
      const withBiases = tinyConfig({ biases: ['q', 'k', 'v'], tied: true });
      for (const [modelConfig, modelWeights, id] of [
        [config, weights, 'macko'],
        [withBiases, randomWeights(withBiases, 23), 'csr'],
      ] as const) {
        const storage = { format: formatById(id), params: { valueType: 'f32' } };
        const placedDecoder = await decoders.open({ config: modelConfig }, modelWeights, storage, job());
        expect(placedDecoder).toMatchObject({
          where: 'gpu',
          notOnGpu: null,
          formatUse: { inFormat: 7 * modelConfig.layers },
        });
        const expected = await cpuDecoder(modelConfig, modelWeights).feed(ids);
        expect(relativeError(await placedDecoder.decoder.feed(ids), expected), id).toBeLessThan(1e-6);
        placedDecoder.decoder.destroy();
      }
      minimalDevice.destroy();
    },
  );

  test('has a head in parts if it exceeds the limit of a binding', async () => {
    const wideConfig = tinyConfig({ layers: 1, vocabulary: 3000 });
    const wideWeights = randomWeights(wideConfig, 24);
    // Memory for 2 688 rows of the head, and for everything else.
    const { device, facts, environment } = context;
    const limits = { ...facts.limits, maxStorageBufferBindingSize: 2 ** 18 };
    const limitedGpu = new GpuContext(device, { ...facts, limits }, environment);
    const decoders = onGpu(limitedGpu);
    const placedDecoder = await decoders.open({ config: wideConfig }, wideWeights, null, job());
    expect(placedDecoder.notOnGpu).toBeNull();
    expect(
      relativeError(await placedDecoder.decoder.feed(ids), await cpuDecoder(wideConfig, wideWeights).feed(ids)),
    ).toBeLessThan(1e-6);
    placedDecoder.decoder.destroy();
  });

  scheduled(
    'a software GPU compiles a chain on two separate devices',
    'labs/language/page/service/write.test.ts, which continues a text on a new device, and src/engine/device.gpu.test.ts, which opens one',
    'opens on another device after its device was lost',
    async () => {
      const openDevices: GpuContext[] = [];
      const open = async (): Promise<GpuContext> => {
        const latestDevice = openDevices.at(-1);
        if (latestDevice && latestDevice.lostReason === null) return latestDevice;
        const newDevice = await openTestDevice();
        openDevices.push(newDevice);
        return newDevice;
      };
      const decoders = new Decoders(hostWith(open), true);
      const begin = async () => (await decoders.open({ config }, weights, null, job())).decoder;
      const firstDecoder = await begin();
      await firstDecoder.feed(ids.slice(0, 3));
      openDevices[0].destroy();
      await openDevices[0].lost;
      await expect(firstDecoder.feed(ids.slice(3))).rejects.toThrow(DeviceLostError);
      firstDecoder.destroy();
      const secondDecoder = await begin();
      expect(openDevices).toHaveLength(2);
      expect(relativeError(await secondDecoder.feed(ids), await cpuDecoder(config, weights).feed(ids))).toBeLessThan(
        1e-6,
      );
      secondDecoder.destroy();
      openDevices[1].destroy();
    },
  );

  test('runs on the CPU without a GPU, with a software GPU, and if a kernel does not fit', async () => {
    const smallLimits = { ...context.facts.limits, maxStorageBufferBindingSize: 64, maxBufferSize: 64 };
    const limitedGpu = Object.assign(Object.create(context), { facts: { ...context.facts, limits: smallLimits } });
    const reasonForCpu = async (decoders: Decoders, modelConfig = config) => {
      const { decoder, where, notOnGpu } = await decoders.open({ config: modelConfig }, weights, null, job());
      expect(where).toBe('cpu');
      decoder.destroy();
      return notOnGpu;
    };
    const hostWithoutDevice = hostWith(() => Promise.reject(new NoDeviceError('none')));
    expect(await reasonForCpu(new Decoders(hostWithoutDevice, true))).toBeNull();
    expect(await reasonForCpu(new Decoders(hostWith(() => Promise.resolve(context))))).toBeNull();
    // If there is a GPU, the reason why it is not used is reported.
    expect(await reasonForCpu(onGpu(limitedGpu))).toContain(
      'this device binds at most 64 (maxStorageBufferBindingSize)',
    );
    expect(await reasonForCpu(onGpu(), tinyConfig({ window: 5 }))).toContain(
      'found a window of 5 tokens, expected attention to all tokens before for the GPU',
    );
  });
});

describe('the time of a token', () => {
  scheduled(
    'it measures each kind of launch for its time',
    'labs/language/decoders/chain/chain.gpu.test.ts, which times every kind and checks that the sequence is unchanged',
    'is by kind on a GPU, and the chain is at its beginning for the next text',
    async () => {
      const decoders = onGpu();
      const { where, writtenNs, queued } = await decoders.times({ config }, weights, null, job());
      expect(where).toBe('gpu');
      expect(writtenNs).toBeGreaterThan(0);
      expect(queued?.tokenNs).toBeGreaterThan(0);
      expect(queued?.kinds['matrices']?.launches).toBe(4 * config.layers);
      const { decoder } = await decoders.open({ config }, weights, null, job());
      expect(relativeError(await decoder.feed(ids), await cpuDecoder(config, weights).feed(ids))).toBeLessThan(1e-6);
      decoder.destroy();
    },
  );

  test('is of whole tokens on the CPU without a GPU', async () => {
    const decoders = new Decoders(hostWith(() => Promise.reject(new NoDeviceError('none'))));
    const times = await decoders.times({ config }, weights, null, job());
    expect(times).toMatchObject({ where: 'cpu', queued: null });
    expect(times.writtenNs).toBeGreaterThanOrEqual(0);
  });
});
