import { paddedBytes } from './buffers.ts';
import type { GpuContext } from './device.ts';
import { guarded } from './guard.ts';
import type { Noise } from './noise.ts';
import { type OutputBuffer, type OutputRegion, poisonBuffer } from './output-buffer.ts';
import type { CompiledPass } from './pipelines.ts';

// A kernel on the device. Consecutive runs use consecutive slots, each with a copy of the arrays and a variant of the
// inputs, so that no run finds its data in a cache.

/** Separate outputs and scratch for the run at each slot: no run finds the results of another. */
export interface SlotMemory {
  /** outputs in their order, then scratch, each with the bytes from one slot to the next */
  readonly written: readonly { readonly buffer: GPUBuffer; readonly stride: number }[];
  /** by slot, then by pass */
  readonly bindGroups: readonly (readonly GPUBindGroup[])[];
}

/** The parts of a prepared kernel; `prepareKernel` makes them. */
export interface KernelParts {
  readonly id: string;
  /** bytes that one run must at least move */
  readonly bytes: number;
  readonly passes: readonly CompiledPass[];
  readonly workgroups: readonly (readonly [number, number, number])[];
  /** by pass: whether the results of the pass persist, so that later runs leave the pass out */
  readonly isPrecomputed?: readonly boolean[];
  /** by slot, then by pass: consecutive runs use consecutive slots */
  readonly bindGroups: readonly (readonly GPUBindGroup[])[];
  /** slot `i` computes variant `i % variants`; absent: 1 */
  readonly variants?: number;
  /** the inputs of `runLast`, by pass */
  readonly last?: readonly GPUBindGroup[];
  /** number of copies of the sparse arrays; absent: one per slot */
  readonly copies?: number;
  readonly scratch: readonly GPUBuffer[];
  /** Allocates separate memory for each of `runs` runs, at most `max`; absent: runs share their memory. */
  readonly ownMemory?: { readonly max: number; readonly allocate: (runs: number) => Promise<SlotMemory> };
  /** bytes of one copy of the sparse arrays */
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
  /** bytes of all copies of the sparse arrays */
  readonly rotatedBytes: number;
  readonly outputs: readonly OutputRegion[];
  readonly uploadMs: number;
  readonly compileMs: number;
  readonly #context: GpuContext;
  readonly #parts: KernelParts;
  #ownMemory: SlotMemory | null = null;

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

  /** Slots between which runs rotate, a multiple of `variants`; after `reserve` each has separate memory. */
  get slots(): number {
    return this.#slotGroups.length;
  }

  get #slotGroups(): readonly (readonly GPUBindGroup[])[] {
    return this.#ownMemory?.bindGroups ?? this.#parts.bindGroups;
  }

  /**
   * Allocates separate outputs and scratch for `expected` runs, unless at least `runs` runs have them already. Returns the
   * number of runs with separate memory; Infinity if all runs share their memory. Throws ResourceError.
   */
  async reserve(runs: number, expected = runs): Promise<number> {
    if (!this.#parts.ownMemory) return Number.POSITIVE_INFINITY;
    const { max, allocate } = this.#parts.ownMemory;
    const previous = this.#ownMemory;
    if (previous === null || previous.bindGroups.length < Math.min(runs, max)) {
      this.#ownMemory = await allocate(Math.min(expected, max));
      for (const { buffer } of previous?.written ?? []) buffer.destroy();
    }
    return this.slots;
  }

  /** Encodes `runs` runs from `firstSlot` on, without the precomputed passes, whose results persist. */
  encode(pass: GPUComputePassEncoder, firstSlot: number, runs: number): void {
    if (this.#parts.passes.length === 1) pass.setPipeline(this.#parts.passes[0].pipeline);
    const groups = this.#slotGroups;
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

  /** Fills outputs and scratch with noise, so that no earlier result remains, and repeats precomputed passes. */
  refill(output: OutputBuffer, noise: Noise): void {
    const { device } = this.#context;
    const encoder = device.createCommandEncoder({ label: `refill for ${this.id}` });
    if (this.#ownMemory === null) {
      for (const { offset, bytes } of this.outputs) noise.copyTo(encoder, output.buffer, offset, paddedBytes(bytes));
    }
    const buffers = this.#ownMemory?.written.map(({ buffer }) => buffer) ?? this.#parts.scratch;
    for (const buffer of buffers) noise.copyTo(encoder, buffer, 0, buffer.size);
    if (this.#parts.isPrecomputed?.includes(true)) {
      const pass = encoder.beginComputePass({ label: `precomputed for ${this.id}` });
      const slots = this.#ownMemory?.bindGroups ?? [this.#parts.bindGroups[0]];
      for (const groups of slots) this.#encodeRun(pass, groups, (isPrecomputed) => isPrecomputed);
      pass.end();
    }
    device.queue.submit([encoder.finish()]);
  }

  /** Fills scratch with a NaN that no kernel computes: kernels must not rely on zeros. */
  poisonScratch(): void {
    for (const buffer of this.#parts.scratch) poisonBuffer(this.#context, buffer);
  }

  /** The words that the last run at a slot wrote. */
  readSlot(output: OutputBuffer, slot: number): Promise<Uint32Array<ArrayBuffer>> {
    const written = this.#ownMemory?.written;
    if (!written) return output.read(this.outputs);
    return output.read(
      this.outputs.map(({ bytes }, i) => ({ bytes, buffer: written[i].buffer, offset: slot * written[i].stride })),
    );
  }

  /** One run at the given slot with poisoned output and scratch; returns the words that it wrote. */
  runOnce(output: OutputBuffer, slot = 0): Promise<Uint32Array<ArrayBuffer>> {
    output.poison();
    this.poisonScratch();
    return this.#runAlone(output, [this.#parts.bindGroups[slot]], () => true);
  }

  /** Runs once on the inputs `last`, which no earlier run had; without them like `runOnce` at the last slot. */
  runLast(output: OutputBuffer): Promise<Uint32Array<ArrayBuffer>> {
    if (!this.#parts.last) return this.runOnce(output, this.#parts.bindGroups.length - 1);
    if (this.#parts.ownMemory) {
      output.poison();
      this.poisonScratch();
      return this.#runAlone(output, [this.#parts.last], () => true);
    }
    // The output buffer, which kernels share, may contain the expected output of another kernel: a run at slot 0 replaces it.
    return this.#runAlone(output, [this.#parts.bindGroups[0], this.#parts.last], (isPrecomputed) => !isPrecomputed);
  }

  /** Encodes and submits these runs, and returns the words that the last one wrote. */
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
