import readBandwidthWgsl from '../../shaders/common/read_bandwidth.wgsl';
import nullDispatchWgsl from '../../shaders/common/null_dispatch.wgsl';
import { KernelError } from '../core/errors.ts';
import { splitWorkgroups, type KernelPlan, type PassPlan } from '../core/kernel/kernel.ts';
import { Random } from '../core/number/random.ts';
import type { Buffers } from './buffers.ts';
import { shaderFiles } from '../core/kernel/shader.ts';
import type { GpuContext } from './device.ts';
import { guarded } from './guard.ts';
import { compilePass } from './pipelines.ts';
import type { OutputBuffer } from './output-buffer.ts';
import { PreparedKernel } from './prepared-kernel.ts';

// Kernels that measure how fast a device reads its memory, and one that does nothing.

/** Bytes of the buffers that are read: far above the size of a last-level cache. */
const DEFAULT_READ_BYTES = 512 * 2 ** 20;
/** Fewer bytes than this would measure a cache. */
const MIN_READ_BYTES = 16 * 2 ** 20;
const WORKGROUP_SIZE = 256;
const BYTES_PER_LOAD = 16;
/** Numbers of loads in flight per lane to try; the fastest counts. */
export const LOADS = [4, 8, 16];
/** Bytes of random words, with which the buffers are filled: zeros may be compressed and read faster. */
const FILL_BYTES = 8 * 2 ** 20;
const FILL_SEED = 20_240_607;

/**
 * Kernels that only read memory, one for each number of loads in flight. Runs rotate through buffers, which have
 * `readBytes` in all, or fewer if memory is short (`PreparedKernel.rotatedBytes`). Throws KernelError if even 16 MiB
 * cannot be allocated.
 */
export async function prepareReadBandwidth(
  context: GpuContext,
  buffers: Buffers,
  output: OutputBuffer,
  readBytes = DEFAULT_READ_BYTES,
  loads: readonly number[] = LOADS,
): Promise<readonly PreparedKernel[]> {
  const filled = await allocateFilled(context, buffers, readBytes);
  return Promise.all(loads.map((count) => readKernel(context, output, filled, count)));
}

/** An empty kernel, whose time is the cost of a dispatch. */
export const NULL_DISPATCH = sinkPlan(shaderFiles(nullDispatchWgsl), {}, 1);

/** The plan of a kernel without inputs; its output, `sink`, keeps compilers from removing its work. */
export function sinkPlan(files: PassPlan['files'], constants: PassPlan['constants'], workgroups: number): KernelPlan {
  return {
    buffers: [{ role: 'output', name: 'sink', bytes: 16 }],
    passes: [{ files, constants, bindings: ['sink'], workgroups: [workgroups, 1, 1] }],
    bytes: 0,
  };
}

async function allocateFilled(context: GpuContext, buffers: Buffers, readBytes: number): Promise<GPUBuffer[]> {
  const { limits } = context.facts;
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  const filled: GPUBuffer[] = [];
  const source = await buffers.allocate('random words', FILL_BYTES, GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST);
  let size = powerOfTwoUpTo(Math.min(readBytes, limits.maxStorageBufferBindingSize, limits.maxBufferSize));
  while (filled.length * size < readBytes) {
    try {
      filled.push(await buffers.allocate('read bandwidth', size, usage));
    } catch (error) {
      if (!(error instanceof KernelError)) throw error;
      if (filled.length > 0) break;
      if (size <= MIN_READ_BYTES) throw error;
      size /= 2;
    }
  }
  const { device } = context;
  const fill = new Uint32Array(FILL_BYTES / 4);
  new Random(FILL_SEED).fill(fill);
  device.queue.writeBuffer(source, 0, fill);
  const encoder = device.createCommandEncoder({ label: 'fill for read bandwidth' });
  for (const buffer of filled) {
    for (let offset = 0; offset < buffer.size; offset += FILL_BYTES) {
      encoder.copyBufferToBuffer(source, 0, buffer, offset, FILL_BYTES);
    }
  }
  device.queue.submit([encoder.finish()]);
  await context.whileAlive(device.queue.onSubmittedWorkDone());
  return filled;
}

async function readKernel(context: GpuContext, output: OutputBuffer, filled: readonly GPUBuffer[], loads: number) {
  const id = `common/read_bandwidth, ${loads} loads`;
  const bytes = filled[0].size;
  const pass: PassPlan = {
    files: shaderFiles(readBandwidthWgsl),
    constants: { WORKGROUP_SIZE, LOADS: loads },
    bindings: ['words', 'sink'],
    workgroups: splitWorkgroups(bytes / (BYTES_PER_LOAD * loads * WORKGROUP_SIZE)),
  };
  const compiled = await compilePass(context, id, pass);
  const { result: bindGroups, settled } = guarded(context, id, () =>
    filled.map((buffer) => [
      context.device.createBindGroup({
        label: id,
        layout: compiled.layout,
        entries: [
          { binding: 0, resource: { buffer } },
          { binding: 1, resource: { buffer: output.buffer } },
        ],
      }),
    ]),
  );
  await settled;
  return new PreparedKernel(context, {
    id,
    bytes,
    passes: [compiled],
    workgroups: [pass.workgroups],
    bindGroups,
    scratch: [],
    sparseBytes: bytes,
    outputs: [],
    uploadMs: 0,
  });
}

function powerOfTwoUpTo(n: number): number {
  return 2 ** Math.floor(Math.log2(n));
}
