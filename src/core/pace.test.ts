import { describe, expect, it } from 'vitest';
import { CancelledError } from './errors.ts';
import { Pacer, SLICE_MS, threadPace, throwIfCancelled } from './pace.ts';

describe('threadPace and Pacer', () => {
  it('end every pause in a later task, in order', async () => {
    const order: string[] = [];
    const pauses = [1, 2].map((n) => threadPace.pause().then(() => order.push(`pause ${n}`)));
    await Promise.resolve().then(() => order.push('microtask'));
    await Promise.all(pauses);
    expect(order).toEqual(['microtask', 'pause 1', 'pause 2']);
  });

  it('let waiting messages be handled during a pause', async () => {
    const { port1, port2 } = new MessageChannel();
    let isHandled = false;
    port1.onmessage = () => {
      isHandled = true;
    };
    port2.postMessage(null);
    for (let i = 0; i < 3 && !isHandled; i++) await threadPace.pause();
    port1.close();
    expect(isHandled).toBe(true);
  });

  it('pause for at least the given time', async () => {
    const start = threadPace.now();
    await threadPace.pause(20);
    expect(threadPace.now() - start).toBeGreaterThan(18);
  });

  it('yield once a slice is over, and not before', async () => {
    const pacer = new Pacer();
    let timerCalls = 0;
    const timer = setInterval(() => timerCalls++, 0);
    await pacer.pauseIfDue();
    expect(timerCalls).toBe(0);
    const end = threadPace.now() + SLICE_MS + 5;
    while (threadPace.now() < end);
    await pacer.pauseIfDue();
    await threadPace.pause(2);
    clearInterval(timer);
    expect(timerCalls).toBeGreaterThan(0);
  });
});

it('throwIfCancelled throws only for a cancelled job', () => {
  expect(() => throwIfCancelled({ cancelled: true })).toThrow(CancelledError);
  throwIfCancelled({ cancelled: false });
  throwIfCancelled(undefined);
});
