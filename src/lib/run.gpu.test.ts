import { afterAll, beforeAll, expect, it } from 'vitest';
import type { GpuContext } from '../gpu/index.ts';
import { macko } from './codecs/macko.ts';
import { openTestDevice } from '../../test/gpu.ts';
import { fromDense, referenceProduct } from './matrices.ts';
import { encode, run } from './on-demand.ts';

let device: GpuContext | null = null;
const opened = (): GpuContext => {
  if (device === null) throw new Error('found no device');
  return device;
};
beforeAll(async () => {
  device = await openTestDevice();
});
afterAll(() => device?.destroy());

it('run accepts any numbers, and reads them when it is called', async () => {
  const a = fromDense(2, 4, [1, 0, 2, 3, 0, -1.5, 0, 4]);
  const x = [0.1, -2, 3.25, 1e-3];
  const expected = [...referenceProduct(a, x)].map(Math.fround);
  const stored = encode(a, macko, { valueType: 'f32' });
  for (const given of [x, Float64Array.from(x), Float32Array.from(x)]) {
    const reused = given.slice();
    const running = run(opened(), stored, reused);
    reused.fill(Number.NaN);
    const y = await running;
    for (const [i, each] of expected.entries()) expect(y[i]).toBeCloseTo(each, 5);
  }
});
