import { expect, it } from 'vitest';
import { scheduled } from '../../../../../test/scheduled.ts';
import type { AnyFormat } from '../../../../core/format.ts';
import { threadPace } from '../../../../core/pace.ts';
import { formats } from '../../../../formats/registry.ts';
import { DeviceHolder } from '../../../../engine/device.ts';
import { ServiceJob } from '../../../../engine/bridge/job.ts';
import { Networks } from './networks.ts';
import type { NetworkChoice, NetworkResult } from './types.ts';

const device = new DeviceHolder({ gpu: navigator.gpu, isSecure: true, runtime: 'test' });
const host = { ...threadPace, formats, device };
const url = '/networks/digits.npz';

/** One with a number for each entry, one of bits, and one of activations. */
const EVERY_TIME = ['csr', 'bitmask', 'twell'];

it('kernels of some formats answer as the products on the CPU do, image by image', async () => {
  expect(await compare(formats.filter(({ id }) => EVERY_TIME.includes(id)))).toBeGreaterThan(1);
});

scheduled(
  'a software GPU compiles the kernels of every format for each layer',
  'the formats of every time here, src/formats/contract.gpu.test.ts for the kernels, and networks.test.ts for the layers',
  'kernels of all formats answer as the products on the CPU do, image by image',
  async () => {
    expect(await compare(formats)).toBeGreaterThan(6);
  },
);

/** How many formats ran on both, after their answers were compared. */
async function compare(tried: readonly AnyFormat[]): Promise<number> {
  const networks = new Networks(host, async () => ({
    name: 'digits.npz',
    bytes: new Uint8Array(await (await fetch(url)).arrayBuffer()),
  }));
  const choices = tried.flatMap((format) =>
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
  expect(results).toHaveLength(2 * tried.length);
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
  return compared;
}
