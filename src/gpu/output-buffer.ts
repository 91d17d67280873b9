import type { KernelPlan } from '../core/kernel/kernel.ts';
import { POISON_BITS } from '../core/operations/verify.ts';
import { type Buffers, paddedBytes } from './buffers.ts';
import type { GpuContext } from './device.ts';

/** A region of the output buffer, in bytes. */
export interface OutputRegion {
  readonly offset: number;
  /** a multiple of 4 */
  readonly bytes: number;
}

/** The regions of a plan's outputs in one buffer: each at an offset where a binding may begin. */
export function outputRegions(plan: KernelPlan, alignment: number): readonly OutputRegion[] {
  let end = 0;
  return plan.buffers.flatMap((buffer) => {
    if (buffer.role !== 'output') return [];
    const offset = Math.ceil(end / alignment) * alignment;
    end = offset + paddedBytes(buffer.bytes);
    return [{ offset, bytes: buffer.bytes }];
  });
}

/** The size in bytes of a buffer with these regions. */
export function regionBytes(regions: readonly OutputRegion[]): number {
  const last = regions.at(-1);
  return last ? last.offset + paddedBytes(last.bytes) : 0;
}

/** The output buffer that the kernels of a run share, so that in each kernel a dispatch waits for the one before. */
export class OutputBuffer {
  readonly buffer: GPUBuffer;
  readonly #context: GpuContext;
  readonly #staging: GPUBuffer;

  private constructor(context: GpuContext, buffer: GPUBuffer, staging: GPUBuffer) {
    this.#context = context;
    this.buffer = buffer;
    this.#staging = staging;
  }

  static async create(buffers: Buffers, bytes: number): Promise<OutputBuffer> {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = await buffers.allocate('output', bytes, usage);
    const staging = await buffers.allocate(
      'output for reading',
      bytes,
      GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    );
    return new OutputBuffer(buffers.context, buffer, staging);
  }

  /** Fills the buffer with `POISON_BITS`, a NaN that no kernel computes: it stays where nothing was written. */
  poison(): void {
    poisonBuffer(this.#context, this.buffer);
  }

  /** The words of the regions, one after the other, once all submitted work is done. `buffer`: default this one. */
  async read(regions: readonly (OutputRegion & { readonly buffer?: GPUBuffer })[]): Promise<Uint32Array<ArrayBuffer>> {
    const { device } = this.#context;
    const encoder = device.createCommandEncoder({ label: 'read output' });
    let size = 0;
    for (const { buffer = this.buffer, offset, bytes } of regions) {
      if (bytes > 0) encoder.copyBufferToBuffer(buffer, offset, this.#staging, size, bytes);
      size += bytes;
    }
    device.queue.submit([encoder.finish()]);
    const mapped = paddedBytes(size);
    await this.#context.whileAlive(this.#staging.mapAsync(GPUMapMode.READ, 0, mapped));
    const words = new Uint32Array(this.#staging.getMappedRange(0, mapped).slice(0, size));
    this.#staging.unmap();
    return words;
  }
}

/** Fills a buffer with `POISON_BITS`. */
export function poisonBuffer(context: GpuContext, buffer: GPUBuffer): void {
  // Written in slices of at most 4 MiB, to bound the memory of the page.
  const slice = new Uint32Array(Math.min(buffer.size, 2 ** 22) / 4).fill(POISON_BITS);
  for (let offset = 0; offset < buffer.size; offset += slice.byteLength) {
    context.device.queue.writeBuffer(buffer, offset, slice, 0, Math.min(slice.length, (buffer.size - offset) / 4));
  }
}
