// Test helper: runs stages of a chain (a decoder on the GPU) on given buffers, and compares the results.

import { expect } from 'vitest';
import type { PassPlan } from '../../../src/core/kernel/kernel.ts';
import { Random } from '../../../src/core/number/random.ts';
import { POISON_BITS } from '../../../src/core/operations/verify.ts';
import { Buffers, paddedBytes } from '../../../src/gpu/buffers.ts';
import type { GpuContext } from '../../../src/gpu/device.ts';
import { encodeLaunches } from '../decoders/chain/chain.ts';
import { launchOf } from '../decoders/chain/launches.ts';

/** The contents of buffers, by the name of their binding. */
export type Filled = Readonly<Record<string, Float32Array | Uint32Array>>;

/** Runs passes on buffers with these contents, and returns the buffers afterwards, as f32. */
export async function runPasses(
  context: GpuContext,
  passes: readonly PassPlan[],
  filled: Filled,
): Promise<Readonly<Record<string, Float32Array>>> {
  const { device } = context;
  const buffers = new Buffers(context);
  try {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    const bound: Record<string, GPUBuffer> = {};
    for (const [name, data] of Object.entries(filled)) {
      bound[name] = await buffers.allocate(name, data.byteLength, usage);
      device.queue.writeBuffer(bound[name], 0, data as Uint32Array<ArrayBuffer>);
    }
    const launches = [];
    for (const pass of passes) launches.push(await launchOf(context, 'norms', 'stage', pass, bound));
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    encodeLaunches(pass, launches);
    pass.end();
    const staging = new Map<string, GPUBuffer>();
    for (const [name, data] of Object.entries(filled)) {
      const copy = await buffers.allocate(name, data.byteLength, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
      encoder.copyBufferToBuffer(bound[name], 0, copy, 0, paddedBytes(data.byteLength));
      staging.set(name, copy);
    }
    device.queue.submit([encoder.finish()]);
    const read: Record<string, Float32Array> = {};
    for (const [name, copy] of staging) {
      await copy.mapAsync(GPUMapMode.READ);
      read[name] = new Float32Array(copy.getMappedRange().slice(0)).subarray(0, filled[name].length);
      copy.unmap();
    }
    return read;
  } finally {
    buffers.destroy();
  }
}

/** Initial contents of an output buffer, which no stage writes: elements that a stage leaves out are then noticed. */
export function poison(length: number): Uint32Array {
  return new Uint32Array(length).fill(POISON_BITS);
}

/** Random numbers from -scale to scale. */
export function randomNumbers(length: number, seed: number, scale = 1): Float32Array {
  const random = new Random(seed);
  return Float32Array.from({ length }, () => scale * (random.uniform() * 2 - 1));
}

/** Fails unless all numbers differ by at most `share` of the largest expected number. */
export function expectClose(computed: ArrayLike<number>, expected: ArrayLike<number>, share = 3e-6): void {
  expect(computed.length).toBe(expected.length);
  let largest = 0;
  for (let i = 0; i < expected.length; i++) largest = Math.max(largest, Math.abs(expected[i]));
  for (let i = 0; i < expected.length; i++) {
    // not toBeCloseTo: thousands of assertions take longer than the stage
    if (!(Math.abs(computed[i] - expected[i]) <= share * largest)) {
      expect.fail(`number ${i}: found ${computed[i]}, expected ${expected[i]} within ${share} of ${largest}`);
    }
  }
}
