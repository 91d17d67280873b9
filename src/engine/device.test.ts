import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceDispatcher } from './bridge/serve.ts';
import { defineService } from './bridge/service.ts';
import { DeviceHolder } from './device.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const NEVER = new Promise<never>(() => {});

/** A GPU whose device does nothing; `requestAdapter` and `requestDevice` may be replaced. */
function fakeGpu({ adapter, device }: { readonly adapter?: Promise<never>; readonly device?: Promise<never> } = {}) {
  const destroy = vi.fn<() => void>();
  const result = { features: new Set(), limits: {}, lost: NEVER, destroy };
  const info = { vendor: '', architecture: '', device: '', description: '', isFallbackAdapter: false };
  const adapterFound = {
    features: new Set(),
    limits: {},
    info,
    requestDevice: () => device ?? Promise.resolve(result),
  };
  const requestAdapter = vi.fn<() => Promise<unknown>>(() => adapter ?? Promise.resolve(adapterFound));
  const gpu = { requestAdapter } as unknown as GPU;
  return { holder: new DeviceHolder({ gpu, isSecure: true, runtime: 'test' }), requestAdapter, adapterFound, destroy };
}

describe('a GPU that never answers', () => {
  it.each([
    ['requestAdapter', { adapter: NEVER }],
    ['requestDevice', { device: NEVER }],
  ])('%s: is waited for until it is given up, and requested again by the next caller', async (_, never) => {
    const { holder, requestAdapter } = fakeGpu(never);
    const status = holder.status();
    await vi.advanceTimersByTimeAsync(2999);
    holder.giveUpSilent();
    expect(holder.silenceMs()).toBe(2999);
    await vi.advanceTimersByTimeAsync(9001);
    expect(holder.silenceMs()).toBe(12_000);
    holder.giveUpSilent();
    expect(await status).toEqual({
      kind: 'unavailable',
      reason: 'the GPU did not answer for 12 s; close what else uses it, or reload',
    });
    expect(holder.silenceMs()).toBe(0);
    const again = holder.status();
    await vi.advanceTimersByTimeAsync(3000);
    expect(requestAdapter).toHaveBeenCalledTimes(2);
    // Waits are counted for the whole thread: none remains for the next test.
    holder.giveUpSilent();
    expect(await again).toMatchObject({ kind: 'unavailable' });
  });

  it('a GPU that never answers is closed if it answers after it was given up', async () => {
    const { holder, requestAdapter, adapterFound, destroy } = fakeGpu();
    let answer: (adapter: unknown) => void = () => {};
    requestAdapter.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    const status = holder.status();
    await vi.advanceTimersByTimeAsync(5000);
    holder.giveUpSilent();
    expect(await status).toMatchObject({ kind: 'unavailable' });
    answer(adapterFound);
    await vi.advanceTimersByTimeAsync(0);
    expect(destroy).toHaveBeenCalledOnce();
    expect(await holder.status()).toMatchObject({ kind: 'ready' });
    expect(destroy).toHaveBeenCalledOnce();
  });

  // mapAsync, onSubmittedWorkDone and all others are waited for by `whileAlive`.
  it.each([
    ['opening', { adapter: NEVER }],
    ['a run', {}],
  ])('ends %s that is cancelled, within seconds', async (_, never) => {
    const { holder } = fakeGpu(never);
    const service = defineService('runs', () => ({
      async run() {
        const context = await holder.open();
        return context.exclusively(() => context.whileAlive(NEVER));
      },
    }));
    const clock = { now: () => performance.now() };
    const dispatcher = new ServiceDispatcher([service], null, clock, () => holder.giveUpSilent());
    const outcome = vi.fn<(name: string) => void>();
    dispatcher.run(1, 'runs', 'run', undefined, []).catch((error: unknown) => outcome((error as Error).name));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(outcome).not.toHaveBeenCalled();
    dispatcher.cancel(1);
    await vi.advanceTimersByTimeAsync(1500);
    expect(outcome).toHaveBeenCalledWith('CancelledError');
    expect(holder.silenceMs()).toBe(0);
    expect(vi.getTimerCount()).toBeLessThan(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
