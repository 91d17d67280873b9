import { KernelError } from '../core/errors.ts';
import { throwIfCancelled } from '../core/pace.ts';
import type { Job } from '../core/job.ts';
import type { BufferPlan, KernelPlan } from '../core/kernel/kernel.ts';
import { POISON_BITS } from '../core/operations/verify.ts';
import type { Inputs } from '../core/operations/operation.ts';
import { Buffers, type DeviceArray, packBf16, packF16, paddedBytes } from './buffers.ts';
import type { GpuContext } from './device.ts';
import { guarded } from './guard.ts';
import { type CompiledPass, compilePass } from './pipelines.ts';

/** Binding more copies than this costs more than it gains. */
const MAX_COPIES = 2048;

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

  /** The words of the regions, one after the other, after everything that was submitted. */
  async read(regions: readonly OutputRegion[]): Promise<Uint32Array<ArrayBuffer>> {
    const { device } = this.#context;
    const encoder = device.createCommandEncoder({ label: 'read output' });
    let size = 0;
    for (const { offset, bytes } of regions) {
      if (bytes > 0) encoder.copyBufferToBuffer(this.buffer, offset, this.#staging, size, bytes);
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

/** The components of a prepared kernel. */
export interface KernelParts {
  readonly id: string;
  readonly bytes: number;
  readonly passes: readonly CompiledPass[];
  readonly workgroups: readonly (readonly [number, number, number])[];
  /** by pass */
  readonly isGiven?: readonly boolean[];
  /** by slot, then by pass: consecutive runs use consecutive slots */
  readonly bindGroups: readonly (readonly GPUBindGroup[])[];
  /** slot `i` computes variant `i % variants`; absent: 1 */
  readonly variants?: number;
  /** for `runLast`, by pass */
  readonly last?: readonly GPUBindGroup[];
  /** number of copies of the sparse arrays; absent: one per slot */
  readonly copies?: number;
  readonly scratch: readonly GPUBuffer[];
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
  /** slots between which consecutive runs rotate: a copy and a variant each; a multiple of `variants` */
  readonly slots: number;
  /** different inputs between which consecutive runs rotate: slot `i` computes variant `i % variants` */
  readonly variants: number;
  /** bytes of all copies together */
  readonly rotatedBytes: number;
  readonly outputs: readonly OutputRegion[];
  readonly uploadMs: number;
  readonly compileMs: number;
  readonly #context: GpuContext;
  readonly #passes: readonly CompiledPass[];
  readonly #workgroups: readonly (readonly [number, number, number])[];
  /** by pass */
  readonly #isGiven: readonly boolean[];
  /** by slot, then by pass */
  readonly #bindGroups: readonly (readonly GPUBindGroup[])[];
  readonly #last: readonly GPUBindGroup[] | null;
  readonly #scratch: readonly GPUBuffer[];

  constructor(context: GpuContext, parts: KernelParts) {
    this.id = parts.id;
    this.bytes = parts.bytes;
    this.slots = parts.bindGroups.length;
    this.variants = parts.variants ?? 1;
    this.copies = parts.copies ?? this.slots;
    this.rotatedBytes = parts.sparseBytes * this.copies;
    this.outputs = parts.outputs;
    this.uploadMs = parts.uploadMs;
    this.compileMs = parts.passes.reduce((sum, pass) => sum + pass.compileMs, 0);
    this.#context = context;
    this.#passes = parts.passes;
    this.#workgroups = parts.workgroups;
    this.#isGiven = parts.isGiven ?? [];
    this.#bindGroups = parts.bindGroups;
    this.#last = parts.last ?? null;
    this.#scratch = parts.scratch;
  }

  /**
   * Encodes `runs` runs, the first at `firstSlot`, each following one at the next slot. Passes that the plan marks as
   * given are left out: their results persist.
   */
  encode(pass: GPUComputePassEncoder, firstSlot: number, runs: number): void {
    if (this.#passes.length === 1) pass.setPipeline(this.#passes[0].pipeline);
    for (let run = 0; run < runs; run++) {
      this.#encodeRun(pass, this.#bindGroups[(firstSlot + run) % this.slots], (isGiven) => !isGiven);
    }
  }

  /** The first slot from `slot` on from which the last of `runs` runs computes this variant. */
  slotFor(slot: number, runs: number, variant: number): number {
    const last = slot + runs - 1;
    const on = (variant - (last % this.variants) + this.variants) % this.variants;
    return (slot + on) % this.slots;
  }

  #encodeRun(
    pass: GPUComputePassEncoder,
    groups: readonly GPUBindGroup[],
    takesPart: (isGiven: boolean) => boolean,
  ): void {
    const single = this.#passes.length === 1;
    for (let i = 0; i < groups.length; i++) {
      if (!takesPart(this.#isGiven[i] ?? false)) continue;
      const [x, y, z] = this.#workgroups[i];
      if (!single) pass.setPipeline(this.#passes[i].pipeline);
      pass.setBindGroup(0, groups[i]);
      pass.dispatchWorkgroups(x, y, z);
    }
  }

  /** Clears outputs and scratch and runs the given passes again, so that nothing of earlier runs is left. */
  clear(output: OutputBuffer): void {
    const { device } = this.#context;
    const encoder = device.createCommandEncoder({ label: `clear for ${this.id}` });
    for (const { offset, bytes } of this.outputs) encoder.clearBuffer(output.buffer, offset, paddedBytes(bytes));
    for (const buffer of this.#scratch) encoder.clearBuffer(buffer);
    if (this.#isGiven.includes(true)) {
      const pass = encoder.beginComputePass({ label: `given to ${this.id}` });
      this.#encodeRun(pass, this.#bindGroups[0], (isGiven) => isGiven);
      pass.end();
    }
    device.queue.submit([encoder.finish()]);
  }

  /** Fills what is kept between passes with the NaN that no kernel computes: kernels must not rely on zeros. */
  poisonScratch(): void {
    for (const buffer of this.#scratch) poisonBuffer(this.#context, buffer);
  }

  /** One run at the given slot with poisoned output and scratch; returns the words that it wrote. */
  runOnce(output: OutputBuffer, slot = 0): Promise<Uint32Array<ArrayBuffer>> {
    output.poison();
    this.poisonScratch();
    return this.#runAlone(output, [this.#bindGroups[slot]], () => true);
  }

  /**
   * Runs once on inputs that no earlier run had (`PrepareOptions.last`), right after a run like the timed ones, and
   * returns the words written; without such inputs it is `runOnce` on the last copy.
   */
  runLast(output: OutputBuffer): Promise<Uint32Array<ArrayBuffer>> {
    if (!this.#last) return this.runOnce(output, this.slots - 1);
    // Kernels share the output buffer: it may already hold the right answer, from another kernel.
    return this.#runAlone(output, [this.#bindGroups[0], this.#last], (isGiven) => !isGiven);
  }

  async #runAlone(
    output: OutputBuffer,
    runs: readonly (readonly GPUBindGroup[])[],
    takesPart: (isGiven: boolean) => boolean,
  ): Promise<Uint32Array<ArrayBuffer>> {
    const { device } = this.#context;
    const { settled } = guarded(this.#context, this.id, () => {
      const encoder = device.createCommandEncoder({ label: this.id });
      const pass = encoder.beginComputePass({ label: this.id });
      if (this.#passes.length === 1) pass.setPipeline(this.#passes[0].pipeline);
      for (const groups of runs) this.#encodeRun(pass, groups, takesPart);
      pass.end();
      device.queue.submit([encoder.finish()]);
    });
    await settled;
    return output.read(this.outputs);
  }
}

/** Other arrays and inputs for the same passes. */
export interface Variant {
  /** only its buffers count */
  readonly plan: KernelPlan;
  readonly inputs: Inputs;
}

export interface PrepareOptions {
  readonly buffers: Buffers;
  readonly output: OutputBuffer;
  /** rotate at least this many bytes of sparse arrays; 0 for a single copy */
  readonly coldBytes: number;
  /** consecutive runs alternate between these and the plan with its inputs; default: none */
  readonly others?: readonly Variant[];
  /** for `runLast`; default: none */
  readonly last?: Variant;
  readonly job?: Job;
}

/**
 * Compiles a plan and puts its arrays on the device. Throws KernelError if it does not compile, contradicts itself or
 * does not fit; CancelledError; DeviceLostError.
 */
export async function prepareKernel(
  context: GpuContext,
  id: string,
  plan: KernelPlan,
  inputs: Inputs,
  options: PrepareOptions,
): Promise<PreparedKernel> {
  checkPlan(context, id, plan, options.output);
  const passes = await Promise.all(plan.passes.map((pass) => compilePass(context, id, pass)));
  throwIfCancelled(options.job);

  const { buffers, coldBytes, others = [], last, job } = options;
  const binder = new Binder(context, id, plan, options);
  const first = await binder.bind({ plan, inputs });
  const all = [first];
  for (const other of others) all.push(await binder.bind(other));
  const lastBound = last ? await binder.bind(last) : null;

  const sparseBytes = first.sparse.reduce((sum, array) => sum + array.bytes, 0);
  // Variants that differ in their sparse arrays rotate like copies.
  const sets = new Set(all.flatMap(({ sparse }) => sparse)).size > first.sparse.length ? all.length : 1;
  const wanted = sparseBytes === 0 ? 1 : Math.max(1, Math.min(MAX_COPIES, Math.ceil(coldBytes / sparseBytes)));
  const copies = Math.ceil(wanted / sets);
  for (const array of new Set(all.flatMap(({ sparse }) => sparse))) {
    throwIfCancelled(job);
    await buffers.ensureCopies(array, copies);
  }

  const slots = slotsOf(copies, all.length, sets > 1);
  const groupsOf = ({ bindings }: Bound, copy: number): readonly GPUBindGroup[] =>
    plan.passes.map((pass, i) =>
      context.device.createBindGroup({
        label: id,
        layout: passes[i].layout,
        entries: pass.bindings.map((name, binding) => ({ binding, resource: resource(bindings, name, copy) })),
      }),
    );
  const { result: groups, settled } = guarded(context, id, () => ({
    inTurn: slots.map(({ variant, copy }) => groupsOf(all[variant], copy)),
    last: lastBound ? groupsOf(lastBound, lastBound.sparse[0] === first.sparse[0] ? copies - 1 : 0) : null,
  }));
  await settled;
  return new PreparedKernel(context, {
    id,
    bytes: plan.bytes,
    passes,
    workgroups: plan.passes.map((pass) => pass.workgroups),
    isGiven: plan.passes.map((pass) => pass.isGiven === true),
    bindGroups: groups.inTurn,
    variants: all.length,
    ...(groups.last && { last: groups.last }),
    copies: copies * sets,
    scratch: binder.scratch,
    sparseBytes,
    outputs: outputRegions(plan, context.facts.limits.minStorageBufferOffsetAlignment),
    uploadMs: first.sparse.reduce((sum, array) => sum + array.uploadMs, 0),
  });
}

/**
 * The rotation of consecutive runs: slot `i` has variant `i % variants`. Variants that share their arrays go through
 * all copies; variants with separate arrays take the copies of each in turn.
 */
export function slotsOf(
  copies: number,
  variants: number,
  haveOwnArrays: boolean,
): readonly { readonly variant: number; readonly copy: number }[] {
  let count = copies;
  while (count % variants !== 0) count += copies;
  if (haveOwnArrays) count = copies * variants;
  return Array.from({ length: count }, (_, i) => ({
    variant: i % variants,
    copy: haveOwnArrays ? Math.floor(i / variants) : i % copies,
  }));
}

/** The buffers of one variant by name. */
interface Bound {
  readonly bindings: ReadonlyMap<string, DeviceArray | GPUBufferBinding>;
  readonly sparse: readonly DeviceArray[];
}

/** Puts the buffers of a kernel on the device; its variants share outputs, scratch and identical arrays. */
class Binder {
  readonly scratch: GPUBuffer[] = [];
  readonly #context: GpuContext;
  readonly #id: string;
  readonly #options: PrepareOptions;
  readonly #shared = new Map<string, GPUBufferBinding>();
  readonly #outputs: readonly OutputRegion[];
  readonly #sizes = new Map<Uint32Array, GPUBufferBinding>();

  constructor(context: GpuContext, id: string, plan: KernelPlan, options: PrepareOptions) {
    this.#context = context;
    this.#id = id;
    this.#options = options;
    this.#outputs = outputRegions(plan, context.facts.limits.minStorageBufferOffsetAlignment);
  }

  async bind({ plan, inputs }: Variant): Promise<Bound> {
    const { buffers, output, job } = this.#options;
    const bindings = new Map<string, DeviceArray | GPUBufferBinding>();
    const sparse: DeviceArray[] = [];
    let nextOutput = 0;
    for (const buffer of plan.buffers) {
      const { name } = buffer;
      const label = `${this.#id}: ${name}`;
      if (buffer.role === 'params') {
        bindings.set(name, await this.#sized(label, buffer.data));
      } else if (buffer.role === 'sparse') {
        const array = await buffers.upload(label, buffer.data, job);
        sparse.push(array);
        bindings.set(name, array);
      } else if (buffer.role === 'input') {
        const array = await buffers.upload(label, inputData(name, buffer.type, inputs[name]), job);
        bindings.set(name, array.copies[0]);
      } else if (buffer.role === 'output') {
        const { offset, bytes } = this.#outputs[nextOutput++];
        bindings.set(name, { buffer: output.buffer, offset, size: paddedBytes(bytes) });
      } else {
        bindings.set(name, this.#shared.get(name) ?? (await this.#kept(name, label, buffer.bytes)));
      }
    }
    return { bindings, sparse };
  }

  async #sized(label: string, data: Uint32Array): Promise<GPUBufferBinding> {
    const known = this.#sizes.get(data);
    if (known) return known;
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    const buffer = await this.#options.buffers.allocate(label, data.byteLength, usage);
    this.#context.device.queue.writeBuffer(buffer, 0, data as Uint32Array<ArrayBuffer>);
    this.#sizes.set(data, { buffer });
    return { buffer };
  }

  async #kept(name: string, label: string, bytes: number): Promise<GPUBufferBinding> {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
    const buffer = await this.#options.buffers.allocate(label, bytes, usage);
    this.scratch.push(buffer);
    this.#shared.set(name, { buffer });
    return { buffer };
  }
}

const packedInputs = { f16: new WeakMap<Float32Array, Uint32Array>(), bf16: new WeakMap<Float32Array, Uint32Array>() };

/** The uploaded form of an input: packed once, so that kernels share its upload. */
function inputData(name: string, type: 'f32' | 'f16' | 'bf16', values: Float32Array): Float32Array | Uint32Array {
  if (type === 'f32') return values;
  const known = packedInputs[type];
  let packed = known.get(values);
  if (!packed) {
    packed = type === 'f16' ? packF16(name, values) : packBf16(name, values);
    known.set(values, packed);
  }
  return packed;
}

function resource(
  bound: ReadonlyMap<string, DeviceArray | GPUBufferBinding>,
  name: string,
  copy: number,
): GPUBufferBinding {
  const found = bound.get(name);
  if (!found) throw new KernelError(`binding '${name}': found no buffer of this name in the plan`);
  return 'copies' in found ? found.copies[copy] : found;
}

/** Throws KernelError when the plan contradicts itself or the limits of the device. */
function checkPlan({ facts }: GpuContext, id: string, plan: KernelPlan, output: OutputBuffer): void {
  const buffers = new Map<string, BufferPlan>(plan.buffers.map((b) => [b.name, b]));
  const outputs = outputRegions(plan, facts.limits.minStorageBufferOffsetAlignment);
  if (outputs.length === 0) throw new KernelError(`${id}: found no output in the plan, expected at least 1`);
  const bytes = regionBytes(outputs);
  if (bytes > output.buffer.size) {
    throw new KernelError(`${id}: plans an output of ${bytes} bytes, expected at most ${output.buffer.size}`);
  }
  const most = facts.limits.maxComputeWorkgroupsPerDimension;
  for (const pass of plan.passes) {
    for (const name of pass.bindings) {
      if (!buffers.has(name)) throw new KernelError(`${id}: binds '${name}', which is no buffer of its plan`);
    }
    if (pass.workgroups.some((n) => !Number.isInteger(n) || n < 1 || n > most)) {
      throw new KernelError(
        `${id}: found ${pass.workgroups.join(' × ')} workgroups, expected 1 to ${most} in each dimension`,
      );
    }
  }
}

/**
 * Runs a plan once with poisoned output and returns its output as f32; frees everything it allocated. For tests and
 * single answers; to run a kernel repeatedly, prepare it. Throws like `prepareKernel`.
 */
export async function runKernel(
  context: GpuContext,
  id: string,
  plan: KernelPlan,
  inputs: Inputs,
  job?: Job,
): Promise<Float32Array> {
  return new Float32Array((await runKernelWords(context, id, plan, inputs, job)).buffer);
}

/** Like `runKernel`, but returns the words that the kernel wrote. */
export async function runKernelWords(
  context: GpuContext,
  id: string,
  plan: KernelPlan,
  inputs: Inputs,
  job?: Job,
): Promise<Uint32Array<ArrayBuffer>> {
  const buffers = new Buffers(context);
  try {
    const bytes = regionBytes(outputRegions(plan, context.facts.limits.minStorageBufferOffsetAlignment));
    const output = await OutputBuffer.create(buffers, bytes);
    const kernel = await prepareKernel(context, id, plan, inputs, {
      buffers,
      output,
      coldBytes: 0,
      ...(job ? { job } : {}),
    });
    return await kernel.runOnce(output);
  } finally {
    buffers.destroy();
  }
}
