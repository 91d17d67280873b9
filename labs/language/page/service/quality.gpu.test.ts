// The service that measures the quality of pruned models, on the GPU.

import { beforeAll, expect } from 'vitest';
import { randomIds, randomWeights, tinyConfig } from '../../test/decoders.ts';
import { sharedTestDevice } from '../../../../test/gpu.ts';
import { scheduled } from '../../../../test/scheduled.ts';
import { threadPace } from '../../../../src/core/pace.ts';
import { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import { type GpuContext, NoDeviceError } from '../../../../src/gpu/index.ts';
import { UNCHANGED } from '../../decoders/stored/recipe.ts';
import { Decoders } from './decoders.ts';
import { QualityMeasurer } from './quality.ts';
import type { MeasuredQuality } from './types.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await sharedTestDevice();
});

/** A tiny model: a software GPU needs minutes for a tale of a real one. */
const config = tinyConfig({ layers: 1, context: 40 });
const weights = randomWeights(config, 3);
const written: string[] = [];
const tokenizer = {
  encode: () => randomIds(config, 24, 9).map((id) => Math.max(2, id)),
  decode(ids: readonly number[]) {
    written.push(ids.join(' '));
    return 'Nothing that is a tale.';
  },
};

async function measured(open: () => Promise<GpuContext>): Promise<MeasuredQuality> {
  written.length = 0;
  const model = { id: 'm', config, weights, tokenizer };
  const models = { load: () => Promise.resolve(model), pruned: () => Promise.resolve(weights) };
  const host = { ...threadPace, device: { open } } as never;
  const measurer = new QualityMeasurer(models as never, host, new Decoders(host, true));
  const request = { model: { id: 'm', url: '' }, recipe: UNCHANGED, tales: 2, judged: 3 };
  return measurer.measure(new ServiceJob(threadPace), request, () => {});
}

scheduled(
  'it writes whole texts twice, for which a software GPU needs ten seconds',
  'labs/language/decoders/chain/chain.gpu.test.ts, which compares logits and drawn tokens with the CPU, and labs/language/page/quality/measuring.test.ts',
  'a model has the same quality through a chain of kernels as on the CPU',
  async () => {
    const gpu = await measured(() => Promise.resolve(context));
    const texts = written.toSorted();
    const cpu = await measured(() => Promise.reject(new NoDeviceError('none')));
    expect(gpu.where).toEqual(['gpu']);
    expect(cpu.where).toEqual(['cpu']);
    expect(gpu.bits).toHaveLength(2);
    for (const [i, bits] of gpu.bits.entries()) expect(Math.abs(bits / cpu.bits[i] - 1)).toBeLessThan(1e-5);
    // The same noise draws the same texts.
    expect(texts).toHaveLength(3);
    expect(texts).toEqual(written.toSorted());
    expect(gpu).toMatchObject({ judged: 3, unbroken: 0, firstBroken: cpu.firstBroken });
  },
);
