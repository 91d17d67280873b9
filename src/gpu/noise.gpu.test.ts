import { expect, test } from 'vitest';
import { openTestDevice } from '../../test/gpu.ts';
import { Buffers } from './buffers.ts';
import { Noise } from './noise.ts';
import { OutputBuffer } from './output-buffer.ts';

test('noise fills a buffer longer than its own to the last word with finite numbers, different each time', async () => {
  const context = await openTestDevice();
  const buffers = new Buffers(context);
  try {
    const bytes = 3 * 2 ** 20;
    const output = await OutputBuffer.create(buffers, bytes);
    const noise = await Noise.create(buffers, 1);
    const filled = async (): Promise<Float32Array> => {
      output.poison();
      const encoder = context.device.createCommandEncoder();
      noise.copyTo(encoder, output.buffer, 0, bytes);
      context.device.queue.submit([encoder.finish()]);
      const words = await output.read([{ offset: 0, bytes }]);
      return new Float32Array(words.buffer);
    };
    const [first, second] = [await filled(), await filled()];
    expect(first.every((value) => Number.isFinite(value) && value !== 0 && Math.abs(value) < 10)).toBe(true);
    expect(first.filter((value, i) => value === second[i]).length).toBeLessThan(first.length / 1000);
  } finally {
    buffers.destroy();
    context.destroy();
  }
});
