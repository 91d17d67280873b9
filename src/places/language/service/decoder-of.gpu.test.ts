import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { randomIds, randomWeights, relativeError, tinyConfig } from '../../../../test/decoders.ts';
import { openTestDevice } from '../../../../test/gpu.ts';
import type { EncodedMatrix } from '../../../core/format.ts';
import type { KernelSpec } from '../../../core/kernel/kernel.ts';
import { threadPace } from '../../../core/pace.ts';
import { ServiceJob } from '../../../engine/bridge/job.ts';
import { formatById, formats } from '../../../formats/registry.ts';
import { type GpuContext, NoDeviceError } from '../../../gpu/index.ts';
import { Chain } from '../../../language/chain/chain.ts';
import { cpuDecoder } from '../../../language/cpu/cpu-decoder.ts';
import { Decoders } from './decoder-of.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openTestDevice();
});
afterAll(() => context.destroy());

const ownerOf = (spec: KernelSpec<EncodedMatrix>): string =>
  formats.find(({ kernels }) => kernels.some((kernel) => kernel === spec))?.id ?? 'none';
const openChain = Chain.open.bind(Chain);
const config = tinyConfig();
const weights = randomWeights(config, 21);
const ids = randomIds(config, 6, 22);

function hostWith(open: () => Promise<GpuContext>): ConstructorParameters<typeof Decoders>[0] {
  return { ...threadPace, device: { open } as never };
}

describe('a model', () => {
  test('runs on the GPU as on the CPU, whatever its matrices are stored as', async () => {
    const decoders = new Decoders(
      hostWith(() => Promise.resolve(context)),
      true,
    );
    const expected = await cpuDecoder(config, weights).feed(ids);
    const ell = { format: formatById('ell'), params: { valueType: 'f32' } };
    for (const storedAs of [null, ell, null]) {
      const { decoder, where } = await decoders.of({ config }, weights, storedAs, new ServiceJob(threadPace));
      expect(where).toBe('gpu');
      expect(decoder.length).toBe(0);
      expect(relativeError(await decoder.feed(ids), expected)).toBeLessThan(1e-6);
      decoder.destroy();
    }
  });

  test('multiplies in the format, and only what that refuses is dense', async () => {
    const encoded: string[] = [];
    const open = vi.spyOn(Chain, 'open').mockImplementation(async (device, sizes, model, options) => {
      async function* blocks() {
        for await (const block of model.blocks) {
          encoded.push(...[...block.qkv, ...block.o].map(({ one }) => ownerOf(one.spec)));
          yield block;
        }
      }
      return openChain(device, sizes, { ...model, blocks: blocks() }, options);
    });
    const of = async (id: string, context_: GpuContext | null) => {
      encoded.length = 0;
      const decoders = new Decoders(
        hostWith(() => (context_ ? Promise.resolve(context_) : Promise.reject(new NoDeviceError('none')))),
        true,
      );
      const storedAs = { format: formatById(id), params: { valueType: 'f32' } };
      const { decoder, multiplied } = await decoders.of({ config }, weights, storedAs, new ServiceJob(threadPace));
      const error = relativeError(await decoder.feed(ids), await cpuDecoder(config, weights).feed(ids));
      expect(error).toBeLessThan(1e-6);
      decoder.destroy();
      return { ...multiplied, encoded: [...encoded] };
    };
    const stacks = 2 * config.layers;
    expect(await of('ell', context)).toEqual({
      inFormat: 7 * config.layers,
      refusal: null,
      encoded: Array.from({ length: stacks }, () => 'ell'),
    });
    const refused = await of('slidesparse', context);
    expect(refused).toMatchObject({ inFormat: 0, encoded: Array.from({ length: stacks }, () => 'dense') });
    expect(refused.refusal).not.toBeNull();
    expect(await of('ell', null)).toMatchObject({ inFormat: 7 * config.layers, refusal: null });
    open.mockRestore();
  });

  test('runs on the CPU without a GPU, on one in software, and where a kernel does not fit', async () => {
    const small = { ...context.facts.limits, maxStorageBufferBindingSize: 64, maxBufferSize: 64 };
    const tight = Object.assign(Object.create(context), { facts: { ...context.facts, limits: small } });
    for (const decoders of [
      new Decoders(
        hostWith(() => Promise.reject(new NoDeviceError('none'))),
        true,
      ),
      new Decoders(hostWith(() => Promise.resolve(context))),
      new Decoders(
        hostWith(() => Promise.resolve(tight)),
        true,
      ),
    ]) {
      const { decoder, where } = await decoders.of({ config }, weights, null, new ServiceJob(threadPace));
      expect(where).toBe('cpu');
      decoder.destroy();
    }
  });
});

describe('the time of a token', () => {
  test('is by kind on a GPU, and the chain is at its beginning for the next text', async () => {
    const decoders = new Decoders(
      hostWith(() => Promise.resolve(context)),
      true,
    );
    const { where, tokenNs, kinds } = await decoders.times({ config }, weights, null, new ServiceJob(threadPace));
    expect(where).toBe('gpu');
    expect(tokenNs).toBeGreaterThan(0);
    expect(kinds.matrices?.launches).toBe(4 * config.layers);
    const { decoder } = await decoders.of({ config }, weights, null, new ServiceJob(threadPace));
    expect(relativeError(await decoder.feed(ids), await cpuDecoder(config, weights).feed(ids))).toBeLessThan(1e-6);
    decoder.destroy();
  });

  test('is of whole tokens on this thread without a GPU', async () => {
    const decoders = new Decoders(hostWith(() => Promise.reject(new NoDeviceError('none'))));
    const times = await decoders.times({ config }, weights, null, new ServiceJob(threadPace));
    expect(times).toMatchObject({ where: 'cpu', kinds: {} });
    expect(times.tokenNs).toBeGreaterThanOrEqual(0);
  });
});
