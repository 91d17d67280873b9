// Cancelled jobs end even while a compiler keeps the device busy.

import { afterEach, expect, it, vi } from 'vitest';
import { GpuContext } from '../../../../../src/gpu/device.ts';
import { exampleDevice } from '../../../../../src/gpu/example-device.ts';
import { runAbandonable } from './run-abandonable.ts';

/** A device that a compiler keeps busy for ever: it does not even answer that it was destroyed. */
function busyContext(): GpuContext {
  const device = { lost: new Promise(() => {}), destroy() {} } as unknown as GPUDevice;
  const adapter = { vendor: '', architecture: '', device: '', description: '' };
  const subgroupSize = { min: 0, max: 0 };
  return new GpuContext(device, exampleDevice(), {
    adapter,
    isFallback: false,
    runtime: 'test',
    features: [],
    limits: {},
    subgroupSize,
  });
}

afterEach(() => void vi.useRealTimers());

const jobOf = () => ({ cancelled: false, report() {} });

it('a job that is cancelled while a compiler is busy ends with the device, which is lost at once', async () => {
  const context = busyContext();
  const job = jobOf();
  const work = runAbandonable(context, job, () => context.whileAlive(new Promise<never>(() => {})));
  job.cancelled = true;
  await expect(work).rejects.toThrow('the GPU device was closed');
  expect(context.lostReason).toBe('the GPU device was closed');
  expect(await context.lost).toBe('the GPU device was closed');
});

it('a job that ends by itself soon after it was cancelled leaves the device unchanged', async () => {
  vi.useFakeTimers();
  const context = busyContext();
  const job = jobOf();
  job.cancelled = true;
  expect(await runAbandonable(context, job, async () => 'done')).toBe('done');
  vi.advanceTimersByTime(10_000);
  expect(context.lostReason).toBeNull();
});
