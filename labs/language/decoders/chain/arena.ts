// The device memory of a chain (a decoder on the GPU).

import type { NamedArray } from '../../../../src/core/encoded/encoded.ts';
import type { Job } from '../../../../src/core/job.ts';
import { Buffers, type DeviceArray, paddedBytes, type GpuContext } from '../../../../src/gpu/index.ts';

/** What the memory of a chain is used for. */
const MEMORY_KINDS = ['matrices', 'head', 'embedding', 'norms and biases', 'cache', 'activations'] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

/** Allocates and counts the device memory of a chain of kernels (chain.ts), by use. */
export class Arena {
  readonly context: GpuContext;
  readonly #buffers: Buffers;
  readonly #bytes = new Map<MemoryKind, number>(MEMORY_KINDS.map((kind) => [kind, 0]));
  /** uploaded arrays with the users of their copies, in the order of the copies */
  readonly #users = new Map<DeviceArray, string[]>();
  /** copies whose bytes are counted */
  readonly #counted = new Set<GPUBufferBinding>();
  /** per array: settles when all requested copies exist */
  readonly #copying = new Map<DeviceArray, Promise<void>>();
  readonly #scratch: GPUBuffer[] = [];
  readonly #job: Job | undefined;

  constructor(context: GpuContext, job?: Job) {
    this.context = context;
    this.#buffers = new Buffers(context);
    this.#job = job;
  }

  get bytes(): Readonly<Record<MemoryKind, number>> {
    return Object.fromEntries(this.#bytes) as Record<MemoryKind, number>;
  }

  #count(kind: MemoryKind, bytes: number): void {
    this.#bytes.set(kind, (this.#bytes.get(kind) ?? 0) + bytes);
  }

  /** Zeroed memory for the kernels of formats (products) and of the stages (the rest, such as attention and norms). */
  async allocate(kind: MemoryKind, label: string, bytes: number): Promise<GPUBuffer> {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = await this.#buffers.allocate(label, bytes, usage);
    this.#count(kind, buffer.size);
    return buffer;
  }

  /** Memory that the CPU reads. */
  staging(label: string, bytes: number): Promise<GPUBuffer> {
    return this.#buffers.allocate(label, bytes, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
  }

  async uniform(label: string, data: Uint32Array): Promise<GPUBufferBinding> {
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    const buffer = await this.#buffers.allocate(label, data.byteLength, usage);
    this.context.device.queue.writeBuffer(buffer, 0, data as Uint32Array<ArrayBuffer>);
    return { buffer };
  }

  /** A shared array, uploaded once. */
  async shared(kind: MemoryKind, label: string, data: NamedArray): Promise<GPUBufferBinding> {
    const array = await this.#buffers.upload(label, data, this.#job);
    return this.#copy(kind, array, 0);
  }

  /** A copy of an array for one product alone; `user`: the product's label, such as 'block 1, q, k, v'. */
  async copyFor(kind: MemoryKind, label: string, data: NamedArray, user: string): Promise<GPUBufferBinding> {
    const array = await this.#buffers.upload(label, data, this.#job);
    const users = this.#users.get(array) ?? [];
    this.#users.set(array, users);
    const userIndex = users.indexOf(user);
    return this.#copy(kind, array, userIndex < 0 ? users.push(user) - 1 : userIndex);
  }

  async #copy(kind: MemoryKind, array: DeviceArray, copy: number): Promise<GPUBufferBinding> {
    // One after the other: in parallel they would make more copies than needed.
    const before = this.#copying.get(array) ?? Promise.resolve();
    const copying = before.then(() => this.#buffers.ensureCopies(array, copy + 1));
    this.#copying.set(array, copying);
    await copying;
    const binding = array.copies[copy];
    if (!this.#counted.has(binding)) this.#count(kind, paddedBytes(array.bytes));
    this.#counted.add(binding);
    return binding;
  }

  /** Memory between the passes of a kernel, shared by all kernels. */
  async scratch(index: number, label: string, bytes: number): Promise<GPUBufferBinding> {
    const existing = this.#scratch[index];
    const size = paddedBytes(bytes);
    if (existing !== undefined && existing.size >= size) return { buffer: existing, size };
    // Kernels that are bound already keep the smaller buffer.
    this.#scratch[index] = await this.allocate('activations', label, bytes);
    return { buffer: this.#scratch[index], size };
  }

  destroy(): void {
    this.#buffers.destroy();
  }
}
