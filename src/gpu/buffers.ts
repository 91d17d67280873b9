import type { NamedArray } from '../core/format.ts';
import type { Job } from '../core/job.ts';
import type { GpuContext } from './device.ts';
import { guarded, ResourceError } from './guard.ts';
import { threadPace, throwIfCancelled } from '../core/pace.ts';
import { bytesText } from '../core/text/words.ts';

// Buffers on the device: allocation, uploads, copies that cold runs read one after another, and freeing all of them.

/** Every buffer is as long as a whole number of vec4<u32>, so that kernels may read in steps of 16 bytes. */
const BUFFER_STEP = 16;

/** Bytes written to the device's queue before the thread is yielded. */
const UPLOAD_SLICE_BYTES = 16 * 2 ** 20;

/** Bytes written to the queue before the upload waits for the device. */
const UPLOAD_WINDOW_BYTES = 256 * 2 ** 20;

/** Maximum size of a buffer that several copies of an array, or the outputs and scratch of several runs, share. */
export const COPY_BUFFER_BYTES = 256 * 2 ** 20;

/** The size of a buffer for `bytes` bytes: a multiple of 16, at least 16. */
export function paddedBytes(bytes: number): number {
  return Math.max(BUFFER_STEP, Math.ceil(bytes / BUFFER_STEP) * BUFFER_STEP);
}

/** A read-only array on the device, with all copies that cold runs rotate through. */
export class DeviceArray {
  readonly label: string;
  /** length of the array itself, without padding */
  readonly bytes: number;
  readonly uploadMs: number;
  readonly copies: GPUBufferBinding[];

  constructor(label: string, bytes: number, uploadMs: number, first: GPUBufferBinding) {
    this.label = label;
    this.bytes = bytes;
    this.uploadMs = uploadMs;
    this.copies = [first];
  }
}

/** The buffers of one task; `destroy` frees all of them, even after an error. */
export class Buffers {
  readonly context: GpuContext;
  readonly #all: (GPUBuffer | GPUQuerySet)[] = [];
  /** uploaded arrays by their memory, so that kernels of one format share them; weak references */
  #uploads = new WeakMap<ArrayBufferLike, Map<string, Promise<DeviceArray>>>();
  readonly #parent: Buffers | null;

  /** Arrays that `parent` has uploaded are used again; `destroy` frees only arrays uploaded here. */
  constructor(context: GpuContext, parent: Buffers | null = null) {
    this.context = context;
    this.#parent = parent;
  }

  /** A buffer of at least `bytes`, zeroed. Throws ResourceError above the limit, or when memory runs out. */
  async allocate(label: string, bytes: number, usage: GPUBufferUsageFlags): Promise<GPUBuffer> {
    this.#checkSize(label, bytes, usage);
    return this.#create(label, paddedBytes(bytes), usage);
  }

  #checkSize(label: string, bytes: number, usage: GPUBufferUsageFlags): void {
    const size = paddedBytes(bytes);
    const { limits } = this.context.facts;
    const limit =
      usage & GPUBufferUsage.UNIFORM
        ? limits.maxUniformBufferBindingSize
        : usage & GPUBufferUsage.STORAGE
          ? Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize)
          : limits.maxBufferSize;
    if (size > limit) {
      throw new ResourceError(`${label}: needs a buffer of ${size} bytes, the limit of this GPU is ${limit}`);
    }
  }

  async #create(label: string, size: number, usage: GPUBufferUsageFlags): Promise<GPUBuffer> {
    const { result, settled } = guarded(this.context, `${label}, ${size} bytes`, () =>
      this.context.device.createBuffer({ label, size, usage }),
    );
    this.#all.push(result);
    await settled;
    return result;
  }

  /** The array on the device, padded with zeros; uploaded once, in slices. Throws KernelError and CancelledError. */
  upload(label: string, data: NamedArray, job?: Job): Promise<DeviceArray> {
    const shared = this.#parent === null ? undefined : this.#parent.#uploads.get(data.buffer)?.get(rangeOf(data));
    if (shared) return shared;
    const byRange = this.#uploads.get(data.buffer) ?? new Map<string, Promise<DeviceArray>>();
    this.#uploads.set(data.buffer, byRange);
    const uploaded = byRange.get(rangeOf(data)) ?? this.#upload(label, data, job);
    byRange.set(rangeOf(data), uploaded);
    return uploaded;
  }

  async #upload(label: string, data: NamedArray, job?: Job): Promise<DeviceArray> {
    const start = performance.now();
    this.#checkSize(label, data.byteLength, arrayUsage());
    const size = paddedBytes(data.byteLength);
    const buffer = await this.#create(label, size, arrayUsage());
    await writeSlices(this.context, buffer, label, data, job);
    await this.context.whileAlive(this.context.device.queue.onSubmittedWorkDone());
    return new DeviceArray(label, data.byteLength, performance.now() - start, { buffer, size });
  }

  /** Makes sure that there are `count` copies of the array, each at a separate address. */
  async ensureCopies(array: DeviceArray, count: number): Promise<void> {
    // Copies of a shared array outlive these buffers.
    if (this.#parent && !this.#owns(array)) return this.#parent.ensureCopies(array, count);
    const { limits } = this.context.facts;
    const { device } = this.context;
    const size = paddedBytes(array.bytes);
    const stride = Math.ceil(size / limits.minStorageBufferOffsetAlignment) * limits.minStorageBufferOffsetAlignment;
    // A buffer with several copies may be longer than a binding, since each copy is bound separately.
    const perBuffer = Math.max(1, Math.floor(Math.min(limits.maxBufferSize, COPY_BUFFER_BYTES) / stride));
    const source = array.copies[0].buffer;
    while (array.copies.length < count) {
      const added = Math.min(perBuffer, count - array.copies.length);
      const label = `${array.label}, ${added} copies`;
      const buffer = await this.#create(label, added * stride, arrayUsage());
      const encoder = device.createCommandEncoder({ label });
      for (let i = 0; i < added; i++) {
        encoder.copyBufferToBuffer(source, 0, buffer, i * stride, size);
        array.copies.push({ buffer, offset: i * stride, size });
      }
      device.queue.submit([encoder.finish()]);
      await this.context.whileAlive(device.queue.onSubmittedWorkDone());
    }
  }

  #owns({ copies }: DeviceArray): boolean {
    return this.#all.includes(copies[0].buffer);
  }

  /** Lets `destroy` free a query set, too. */
  adopt(querySet: GPUQuerySet): void {
    this.#all.push(querySet);
  }

  /** Frees every buffer. */
  destroy(): void {
    for (const buffer of this.#all) buffer.destroy();
    this.#all.length = 0;
    this.#uploads = new WeakMap();
  }
}

/** The range of an array in its memory. */
function rangeOf({ byteOffset, byteLength }: NamedArray): string {
  return `${byteOffset}+${byteLength}`;
}

/** Usage of an array and its copies. A function, since under Node the constants come with the device. */
function arrayUsage(): GPUBufferUsageFlags {
  return GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
}

/** Writes an array to the start of a buffer, in slices, and zeros behind it. */
async function writeSlices(context: GpuContext, buffer: GPUBuffer, label: string, data: NamedArray, job?: Job) {
  const { queue } = context.device;
  const total = data.byteLength;
  // writeBuffer needs a multiple of 4 bytes: the last bytes are written in a padded word.
  const wordBytes = total - (total % 4);
  // Bytes written since the device was last idle.
  let waiting = 0;
  for (let offset = 0; offset < wordBytes; offset += UPLOAD_SLICE_BYTES) {
    throwIfCancelled(job);
    const bytes = Math.min(UPLOAD_SLICE_BYTES, wordBytes - offset);
    queue.writeBuffer(buffer, offset, data.buffer, data.byteOffset + offset, bytes);
    waiting += bytes;
    if (bytes < UPLOAD_SLICE_BYTES) break;
    job?.report({ what: `upload ${label}, ${bytesText(total)}`, done: offset + bytes, total });
    if (waiting >= UPLOAD_WINDOW_BYTES) {
      await context.whileAlive(queue.onSubmittedWorkDone());
      waiting = 0;
    } else await threadPace.pause();
  }
  // The last bytes, and zeros as padding.
  if (wordBytes < paddedBytes(total)) {
    const tail = new Uint8Array(paddedBytes(total) - wordBytes);
    tail.set(new Uint8Array(data.buffer, data.byteOffset + wordBytes, total - wordBytes));
    queue.writeBuffer(buffer, wordBytes, tail);
  }
}
