import { describe, expect, it } from 'vitest';
import { DeviceHolder } from './device.ts';

describe('DeviceHolder', () => {
  it('opens one device, and another after that was lost', async () => {
    const holder = new DeviceHolder({ gpu: navigator.gpu, isSecure: true, runtime: 'test' });
    const [first, same] = await Promise.all([holder.open(), holder.open()]);
    expect(same).toBe(first);
    first.destroy();
    await first.lost;
    const [second, also] = await Promise.all([holder.open(), holder.open()]);
    expect(second).not.toBe(first);
    expect(also).toBe(second);
    expect(await holder.status()).toMatchObject({ kind: 'ready', environment: { runtime: 'test' } });
    second.destroy();
  });
});
