import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDevice } from '../../test/gpu.ts';
import type { KernelPlan } from '../core/kernel/kernel.ts';
import { Buffers } from './buffers.ts';
import { GpuContext } from './device.ts';
import { Noise } from './noise.ts';
import { runMemoryAllocator, prepareKernel } from './prepare.ts';
import { OutputBuffer } from './output-buffer.ts';
import type { PreparedKernel } from './prepared-kernel.ts';

const file = (name: string, body: string) => ({
  path: `toy/${name}.wgsl`,
  code: `@group(0) @binding(0) var<storage, read_write> kept: array<u32>;
@group(0) @binding(1) var<storage, read_write> first: array<u32>;
@group(0) @binding(2) var<storage, read_write> second: array<u32>;
@compute @workgroup_size(1) fn main() { ${body} }`,
});
const PASS = { constants: {}, bindings: ['kept', 'first', 'second'], workgroups: [1, 1, 1] } as const;

/** Writes the values of earlier runs that it finds, in scratch and in its outputs, and its initial values. */
const plan: KernelPlan = {
  buffers: [
    { role: 'scratch', name: 'kept', bytes: 8 },
    { role: 'output', name: 'first', bytes: 12 },
    { role: 'output', name: 'second', bytes: 4 },
  ],
  passes: [
    { ...PASS, files: [file('given', 'kept[1] = 777u;')], isPrecomputed: true },
    {
      ...PASS,
      files: [
        file(
          'finds',
          'first[0] = kept[0]; first[1] = second[0]; first[2] = kept[1]; kept[0] = 12345u; second[0] = 6u;',
        ),
      ],
    },
  ],
  bytes: 16,
};

let context: GpuContext;
let buffers: Buffers;
beforeEach(async () => {
  context = await openTestDevice();
  buffers = new Buffers(context);
});
afterEach(() => {
  buffers.destroy();
  context.destroy();
});

async function prepared(
  hasOwnMemory: boolean,
): Promise<{ kernel: PreparedKernel; output: OutputBuffer; noise: Noise }> {
  const output = await OutputBuffer.create(buffers, 1024);
  const kernel = await prepareKernel(context, 'toy/keeps', plan, {}, { buffers, output, coldBytes: 0, hasOwnMemory });
  return { kernel, output, noise: await Noise.create(buffers, 1) };
}

function run(kernel: PreparedKernel, first: number, runs: number): void {
  const encoder = context.device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  kernel.encode(pass, first, runs);
  pass.end();
  context.device.queue.submit([encoder.finish()]);
}

test('runs share their memory, unless each has its own', async () => {
  const { kernel, output, noise } = await prepared(false);
  expect(await kernel.reserve(5)).toBe(Number.POSITIVE_INFINITY);
  expect(kernel.slots).toBe(1);
  kernel.refill(output, noise);
  run(kernel, 0, 5);
  expect([...(await kernel.readSlot(output, 0))]).toEqual([12345, 6, 777, 6]);
});

test('with separate memory, no run finds values of another run in scratch or outputs, and each has the initial values', async () => {
  const { kernel, output, noise } = await prepared(true);
  expect(await kernel.reserve(3)).toBe(3);
  // More than fit in the memory so far: it is replaced.
  expect(await kernel.reserve(5, 7)).toBe(7);
  expect(await kernel.reserve(6)).toBe(7);
  const seen: number[][] = [];
  for (const first of [0, 4]) {
    kernel.refill(output, noise);
    run(kernel, first, 7);
    for (let slot = 0; slot < 7; slot++) seen.push([...(await kernel.readSlot(output, slot))]);
  }
  expect(seen.map(([, , given, second]) => [given, second])).toEqual(Array.from({ length: 14 }, () => [777, 6]));
  const found = seen.flatMap(([kept, before]) => [kept, before]);
  expect(found).not.toContain(12345);
  expect(found).not.toContain(6);
  // Noise, other noise in every run.
  expect(new Set(found).size).toBe(28);
});

test('a single run finds nothing of the runs before, either', async () => {
  const { kernel, output, noise } = await prepared(true);
  await kernel.reserve(4);
  kernel.refill(output, noise);
  run(kernel, 0, 4);
  const poison = 0x7fc5a5a5;
  expect([...(await kernel.runLast(output))]).toEqual([poison, poison, 777, 6]);
});

test('memory is for as many runs as fit into 256 MiB and into the largest buffer, and for at least one', () => {
  const spaceFor = (scratch: readonly number[], limits: Readonly<Record<string, number>> = {}): number => {
    const large = {
      minStorageBufferOffsetAlignment: 256,
      maxBufferSize: 2 ** 30,
      maxStorageBufferBindingSize: 2 ** 30,
    };
    const facts = { ...context.facts, limits: { ...context.facts.limits, ...large, ...limits } };
    const buffers = new Buffers(new GpuContext(context.device, facts, context.environment));
    const kept = scratch.map((bytes, i) => ({ role: 'scratch' as const, name: `kept${i}`, bytes }));
    const y = { role: 'output' as const, name: 'y', bytes: 100 };
    return runMemoryAllocator('toy', { buffers: [...kept, y], passes: [], bytes: 0 }, buffers).available;
  };
  expect(spaceFor([])).toBe(1_048_576);
  expect(spaceFor([2 ** 20 - 256])).toBe(256);
  expect(spaceFor([2 ** 20 - 256, 2 ** 20])).toBe(128);
  expect(spaceFor([2 ** 20], { maxBufferSize: 2 ** 22 })).toBe(4);
  expect(spaceFor([2 ** 20], { maxStorageBufferBindingSize: 2 ** 21 })).toBe(2);
  expect(spaceFor([2 ** 29])).toBe(1);
});
