import { scheduled } from '../../test/scheduled.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CancelledError } from '../core/errors.ts';
import { Buffers, paddedBytes } from './buffers.ts';
import type { GpuContext } from './device.ts';
import { openTestDevice } from '../../test/gpu.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openTestDevice();
});
afterAll(() => context.destroy());

async function withBuffers<T>(work: (buffers: Buffers) => Promise<T>): Promise<T> {
  const buffers = new Buffers(context);
  try {
    return await work(buffers);
  } finally {
    buffers.destroy();
  }
}

/** Reads the bytes of a binding back from the GPU. */
async function contentOf({ buffer, offset = 0, size = buffer.size }: GPUBufferBinding): Promise<Uint8Array> {
  const { device } = context;
  const staging = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, offset, staging, 0, size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const bytes = new Uint8Array(staging.getMappedRange().slice(0));
  staging.destroy();
  return bytes;
}

describe('upload', () => {
  test.for([0, 1, 2, 3, 4, 5, 15, 16, 17, 1000])('pads %i bytes with zeros to a multiple of 16', async (length) => {
    await withBuffers(async (buffers) => {
      // a view into a larger array, at an offset that is no multiple of 4
      const memory = Uint8Array.from({ length: length + 7 }, (_, i) => (i % 255) + 1);
      const data = memory.subarray(3, 3 + length);
      const array = await buffers.upload('test', data);
      const bytes = await contentOf(array.copies[0]);
      expect(bytes).toHaveLength(paddedBytes(length));
      expect(bytes.subarray(0, length)).toEqual(data);
      expect(bytes.subarray(length).every((b) => b === 0)).toBe(true);
      expect(array.bytes).toBe(length);
    });
  });

  test('uploads the same memory once, and other views of it again', async () => {
    await withBuffers(async (buffers) => {
      const data = Uint32Array.of(1, 2, 3, 4);
      const first = await buffers.upload('a', data);
      expect(await buffers.upload('b', new Uint8Array(data.buffer))).toBe(first);
      expect(await buffers.upload('c', data.subarray(1))).not.toBe(first);
    });
  });

  test('sends a large array in parts of 16 MiB, and can be cancelled after each', async () => {
    await withBuffers(async (buffers) => {
      const seen: number[] = [];
      const job = {
        report: ({ done }: { done: number }) => void seen.push(done),
        get cancelled() {
          return seen.length === 2;
        },
      };
      await expect(buffers.upload('large', new Uint8Array(80 * 2 ** 20), job)).rejects.toThrow(CancelledError);
      expect(seen).toEqual([16 * 2 ** 20, 32 * 2 ** 20]);
    });
  });
});

describe('ensureCopies', () => {
  test('makes equal copies, each at a separate offset', async () => {
    await withBuffers(async (buffers) => {
      const data = Uint32Array.from({ length: 75 }, (_, i) => i * i);
      const array = await buffers.upload('test', data);
      await buffers.ensureCopies(array, 3);
      await buffers.ensureCopies(array, 7);
      await buffers.ensureCopies(array, 2);
      expect(array.copies).toHaveLength(7);
      const addresses = array.copies.map((copy) => `${copy.buffer.label} ${copy.offset ?? 0}`);
      expect(new Set(addresses).size).toBe(7);
      const first = await contentOf(array.copies[0]);
      for (const copy of array.copies) expect(await contentOf(copy)).toEqual(first);
    });
  });

  scheduled(
    'copies of 100 MiB',
    'the next test of src/gpu/buffers.gpu.test.ts for the limits, and bench.gpu.test.ts for copies in one buffer',
    'uses several buffers if one would be too long',
    async () => {
      await withBuffers(async (buffers) => {
        const array = await buffers.upload('test', new Uint8Array(100 * 2 ** 20).fill(9));
        await buffers.ensureCopies(array, 4);
        expect(new Set(array.copies.map((copy) => copy.buffer)).size).toBe(3);
        const last = await contentOf(array.copies[3]);
        expect([last[0], last.at(-1)]).toEqual([9, 9]);
      });
    },
  );
});

describe('allocate', () => {
  test('rejects what the device does not allow, with the limit and the requirement', async () => {
    await withBuffers(async (buffers) => {
      const { maxBufferSize, maxUniformBufferBindingSize } = context.facts.limits;
      await expect(buffers.allocate('a', maxBufferSize + 1, GPUBufferUsage.COPY_DST)).rejects.toThrow(
        `a: needs a buffer of ${maxBufferSize + 16} bytes, the limit of this GPU is ${maxBufferSize}`,
      );
      await expect(buffers.allocate('b', maxUniformBufferBindingSize + 1, GPUBufferUsage.UNIFORM)).rejects.toThrow(
        `b: needs a buffer of ${maxUniformBufferBindingSize + 16} bytes, the limit of this GPU is ${maxUniformBufferBindingSize}`,
      );
    });
  });

  test('turns an error that WebGPU would only log into one error message', async () => {
    await withBuffers(async (buffers) => {
      const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.STORAGE;
      await expect(buffers.allocate('odd', 16, usage)).rejects.toThrow(/^odd, 16 bytes: [^\n]+$/);
    });
  });
});
