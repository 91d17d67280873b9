import type { KernelPlan } from '../core/kernel/kernel.ts';
import { POISON_BITS } from '../core/operations/verify.ts';
import { type Buffers, paddedBytes } from './buffers.ts';
import type { GpuContext } from './device.ts';
import { guarded } from './guard.ts';
import type { Noise } from './noise.ts';
import type { CompiledPass } from './pipelines.ts';

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

/** Bytes of a buffer that holds these regions. */
export function regionBytes(regions: readonly OutputRegion[]): number {
  const last = regions.at(-1);
  return last ? last.offset + paddedBytes(last.bytes) : 0;
}

/** The output buffer that the kernels of a run share, so that their dispatches serialise alike. */
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

  /** Fills it with the NaN that no kernel computes. */
  poison(): void {
    poisonBuffer(this.#context, this.buffer);
  }

  /** The words of the regions, one after the other, after everything that was submitted; of this buffer or their own. */
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
    await this.#context.alive(this.#staging.mapAsync(GPUMapMode.READ, 0, mapped));
    const words = new Uint32Array(this.#staging.getMappedRange(0, mapped).slice(0, size));
    this.#staging.unmap();
    return words;
  }
}

function poisonBuffer(context: GpuContext, buffer: GPUBuffer): void {
  const slice = new Uint32Array(Math.min(buffer.size, 2 ** 22) / 4).fill(POISON_BITS);
  for (let offset = 0; offset < buffer.size; offset += slice.byteLength) {
    context.device.queue.writeBuffer(buffer, offset, slice, 0, Math.min(slice.length, (buffer.size - offset) / 4));
  }
}

/** Separate outputs and scratch for the run at each slot: no run finds the results of another. */
export interface SlotMemory {
  /** outputs in their order, then scratch, each with the bytes from one slot to the next */
  readonly written: readonly { readonly buffer: GPUBuffer; readonly stride: number }[];
  /** by slot, then by pass */
  readonly bindGroups: readonly (readonly GPUBindGroup[])[];
}

/** The components of a prepared kernel. */
export interface KernelParts {
  readonly id: string;
  readonly bytes: number;
  readonly passes: readonly CompiledPass[];
  readonly workgroups: readonly (readonly [number, number, number])[];
  /** by pass */
  readonly isPrecomputed?: readonly boolean[];
  /** by slot, then by pass: consecutive runs use consecutive slots */
  readonly bindGroups: readonly (readonly GPUBindGroup[])[];
  /** slot `i` computes variant `i % variants`; absent: 1 */
  readonly variants?: number;
  /** for `runLast`, by pass */
  readonly last?: readonly GPUBindGroup[];
  /** number of copies of the sparse arrays; absent: one per slot */
  readonly copies?: number;
  readonly scratch: readonly GPUBuffer[];
  /** Allocates separate memory for each of `runs` runs, at most `max`; absent: runs share their memory. */
  readonly ownMemory?: { readonly max: number; readonly allocate: (runs: number) => Promise<SlotMemory> };
  /** of one copy */
  readonly sparseBytes: number;
  readonly outputs: readonly OutputRegion[];
  readonly uploadMs: number;
}

/** A kernel with its pipelines and buffers on the device, ready to be dispatched any number of times. */
export class PreparedKernel {
  readonly id: string;
  /** bytes that one run must at least move */
  readonly bytes: number;
  /** copies of the sparse arrays between which consecutive runs rotate */
  readonly copies: number;
  /** different inputs between which consecutive runs rotate: slot `i` computes variant `i % variants` */
  readonly variants: number;
  /** bytes of all copies together */
  readonly rotatedBytes: number;
  readonly outputs: readonly OutputRegion[];
  readonly uploadMs: number;
  readonly compileMs: number;
  readonly #context: GpuContext;
  readonly #parts: KernelParts;
  #own: SlotMemory | null = null;

  constructor(context: GpuContext, parts: KernelParts) {
    this.id = parts.id;
    this.bytes = parts.bytes;
    this.variants = parts.variants ?? 1;
    this.copies = parts.copies ?? parts.bindGroups.length;
    this.rotatedBytes = parts.sparseBytes * this.copies;
    this.outputs = parts.outputs;
    this.uploadMs = parts.uploadMs;
    this.compileMs = parts.passes.reduce((sum, pass) => sum + pass.compileMs, 0);
    this.#context = context;
    this.#parts = parts;
  }

  /**
   * Slots between which consecutive runs rotate: a copy and a variant each, and memory of its own after `reserve`; a
   * multiple of `variants`.
   */
  get slots(): number {
    return this.#inTurn.length;
  }

  get #inTurn(): readonly (readonly GPUBindGroup[])[] {
    return this.#own?.bindGroups ?? this.#parts.bindGroups;
  }

  /**
   * From now on, each of `runs` consecutive runs has outputs and scratch of its own, which `refill` fills, or as many
   * as there is room for; returns how many, Infinity if runs share theirs. Allocates for `expected` runs at once.
   * Throws ResourceError.
   */
  async reserve(runs: number, expected = runs): Promise<number> {
    if (!this.#parts.ownMemory) return Number.POSITIVE_INFINITY;
    const { max, allocate } = this.#parts.ownMemory;
    const before = this.#own;
    if (before === null || before.bindGroups.length < Math.min(runs, max)) {
      this.#own = await allocate(Math.min(expected, max));
      for (const { buffer } of before?.written ?? []) buffer.destroy();
    }
    return this.slots;
  }

  /**
   * Encodes `runs` runs, the first at `firstSlot`, each following one at the next slot. Passes that the plan marks as
   * given are left out: their results persist.
   */
  encode(pass: GPUComputePassEncoder, firstSlot: number, runs: number): void {
    if (this.#parts.passes.length === 1) pass.setPipeline(this.#parts.passes[0].pipeline);
    const groups = this.#inTurn;
    for (let run = 0; run < runs; run++) {
      this.#encodeRun(pass, groups[(firstSlot + run) % groups.length], (isPrecomputed) => !isPrecomputed);
    }
  }

  #encodeRun(
    pass: GPUComputePassEncoder,
    groups: readonly GPUBindGroup[],
    takesPart: (isPrecomputed: boolean) => boolean,
  ): void {
    const { passes, workgroups, isPrecomputed } = this.#parts;
    for (let i = 0; i < groups.length; i++) {
      if (!takesPart(isPrecomputed?.[i] ?? false)) continue;
      const [x, y, z] = workgroups[i];
      if (passes.length > 1) pass.setPipeline(passes[i].pipeline);
      pass.setBindGroup(0, groups[i]);
      pass.dispatchWorkgroups(x, y, z);
    }
  }

  /**
   * Fills outputs and scratch with other noise each time and runs the given passes again, so that nothing of earlier
   * runs is left, and nothing that a kernel could know.
   */
  refill(output: OutputBuffer, noise: Noise): void {
    const { device } = this.#context;
    const encoder = device.createCommandEncoder({ label: `refill for ${this.id}` });
    if (this.#own === null) {
      for (const { offset, bytes } of this.outputs) noise.copyTo(encoder, output.buffer, offset, paddedBytes(bytes));
    }
    for (const buffer of this.#own?.written.map((one) => one.buffer) ?? this.#parts.scratch)
      noise.copyTo(encoder, buffer, 0, buffer.size);
    if (this.#parts.isPrecomputed?.includes(true)) {
      const pass = encoder.beginComputePass({ label: `given to ${this.id}` });
      const slots = this.#own?.bindGroups ?? [this.#parts.bindGroups[0]];
      for (const groups of slots) this.#encodeRun(pass, groups, (isPrecomputed) => isPrecomputed);
      pass.end();
    }
    device.queue.submit([encoder.finish()]);
  }

  /** Fills memory kept between passes with a NaN that no kernel computes: kernels must not rely on zeros. */
  poisonScratch(): void {
    for (const buffer of this.#parts.scratch) poisonBuffer(this.#context, buffer);
  }

  /** The words that the last run at a slot wrote. */
  readSlot(output: OutputBuffer, slot: number): Promise<Uint32Array<ArrayBuffer>> {
    const own = this.#own?.written;
    const regionOf = ({ buffer, stride }: SlotMemory['written'][number], bytes: number) => ({
      buffer,
      offset: slot * stride,
      bytes,
    });
    return output.read(own ? this.outputs.map(({ bytes }, i) => regionOf(own[i], bytes)) : this.outputs);
  }

  /** One run at the given slot with poisoned output and scratch; returns the words that it wrote. */
  runOnce(output: OutputBuffer, slot = 0): Promise<Uint32Array<ArrayBuffer>> {
    output.poison();
    this.poisonScratch();
    return this.#runAlone(output, [this.#parts.bindGroups[slot]], () => true);
  }

  /**
   * Runs once on inputs that no earlier run had (`PrepareOptions.last`), right after a run like the timed ones, and
   * returns the words written; without such inputs it is `runOnce` on the last copy. If each run has memory of its own,
   * so has this one.
   */
  runLast(output: OutputBuffer): Promise<Uint32Array<ArrayBuffer>> {
    if (!this.#parts.last) return this.runOnce(output, this.#parts.bindGroups.length - 1);
    if (this.#parts.ownMemory) {
      output.poison();
      this.poisonScratch();
      return this.#runAlone(output, [this.#parts.last], () => true);
    }
    // Kernels share the output buffer: it may already hold the right answer, from another kernel.
    return this.#runAlone(output, [this.#parts.bindGroups[0], this.#parts.last], (isPrecomputed) => !isPrecomputed);
  }

  async #runAlone(
    output: OutputBuffer,
    runs: readonly (readonly GPUBindGroup[])[],
    takesPart: (isPrecomputed: boolean) => boolean,
  ): Promise<Uint32Array<ArrayBuffer>> {
    const { device } = this.#context;
    const { settled } = guarded(this.#context, this.id, () => {
      const encoder = device.createCommandEncoder({ label: this.id });
      const pass = encoder.beginComputePass({ label: this.id });
      if (this.#parts.passes.length === 1) pass.setPipeline(this.#parts.passes[0].pipeline);
      for (const groups of runs) this.#encodeRun(pass, groups, takesPart);
      pass.end();
      device.queue.submit([encoder.finish()]);
    });
    await settled;
    return output.read(this.outputs);
  }
}
