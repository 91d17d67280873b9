import { expect, it } from 'vitest';
import { threadPace } from '../../../../core/pace.ts';
import { formats } from '../../../../formats/registry.ts';
import { DeviceHolder } from '../../../../engine/device.ts';
import { ServiceJob } from '../../../../engine/bridge/job.ts';
import { Networks } from './networks.ts';
import type { NetworkChoice, NetworkResult } from './types.ts';

const device = new DeviceHolder({ gpu: navigator.gpu, isSecure: true, runtime: 'test' });
const host = { ...threadPace, formats, device };
const url = '/networks/digits.npz';

it('kernels answer as the products on the CPU do, image by image', async () => {
  const networks = new Networks(host, async () => ({
    name: 'digits.npz',
    bytes: new Uint8Array(await (await fetch(url)).arrayBuffer()),
  }));
  const choices = formats.flatMap((format) =>
    (['cpu', 'gpu'] as const).map((where): NetworkChoice => ({
      format: format.id,
      params: {},
      // few enough for formats of activations, and a pattern
      pruning: { way: 'n-of-m', kept: 1, group: 32 },
      layers: 'all',
      where,
    })),
  );
  const results: NetworkResult[] = [];
  const job = new ServiceJob(threadPace, () => {});
  await networks.run({ url, images: 12, choices }, job, (result) => void results.push(result));
  let compared = 0;
  for (let i = 0; i < results.length; i += 2) {
    const [cpu, gpu] = [results[i], results[i + 1]];
    // A format may hold the layers but have no kernel that fits them; then the GPU says so.
    if (cpu.kind !== 'ran' || gpu.kind !== 'ran') {
      expect([gpu.choice.format, gpu.kind]).toEqual([gpu.choice.format, 'refused']);
      continue;
    }
    compared++;
    expect([gpu.choice.format, Array.from(gpu.answers)]).toEqual([cpu.choice.format, Array.from(cpu.answers)]);
    expect(gpu.bytes).toBe(cpu.bytes);
    expect(gpu.layers.every(({ kernel }) => kernel?.startsWith(`${gpu.choice.format}/`))).toBe(true);
  }
  expect(compared).toBeGreaterThan(6);
});
