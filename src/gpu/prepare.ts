import { KernelError } from '../core/errors.ts';
import { throwIfCancelled } from '../core/pace.ts';
import type { Job } from '../core/job.ts';
import type { BufferPlan, KernelPlan } from '../core/kernel/kernel.ts';
import type { Inputs } from '../core/operations/operation.ts';
import { type Buffers, COPY_BUFFER_BYTES, type DeviceArray, paddedBytes } from './buffers.ts';
import type { GpuContext } from './device.ts';
import { guarded } from './guard.ts';
import { inputData } from './packed-inputs.ts';
import { compilePass } from './pipelines.ts';
import { type OutputBuffer, type OutputRegion, outputRegions, regionBytes } from './output-buffer.ts';
import { type KernelParts, type SlotMemory, PreparedKernel } from './prepared-kernel.ts';

// Prepares a kernel: compiles its passes and puts its arrays, in copies that runs rotate through, on the device.

/** Maximum copies of the sparse arrays: binding more copies costs more than it gains. */
const MAX_COPIES = 2048;

/** Number of runs whose bind groups are created before the thread is yielded. */
const BOUND_AT_ONCE = 256;

/** Arrays and inputs for the passes of a kernel; the kernel's runs may alternate between several variants. */
export interface Variant {
  /** provides the buffers; the plan's passes are not used */
  readonly plan: KernelPlan;
  readonly inputs: Inputs;
}

/** Where a kernel is prepared, and how many copies and variants its runs rotate through. */
export interface PrepareOptions {
  readonly buffers: Buffers;
  readonly output: OutputBuffer;
  /** minimum bytes of all copies of the sparse arrays together, so that no copy stays in a cache; 0: a single copy */
  readonly coldBytes: number;
  /** consecutive runs alternate between these and the plan with its inputs; default: none */
  readonly otherVariants?: readonly Variant[];
  /** what a last run after all others computes (`PreparedKernel.runLast`); default: no such run */
  readonly last?: Variant;
  /** each run can get separate outputs and scratch (`PreparedKernel.reserve`); default: all runs share them */
  readonly hasOwnMemory?: boolean;
  readonly job?: Job;
}

/** Compiles a plan and puts its arrays on the device. Throws KernelError, CancelledError and DeviceLostError. */
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

  const { coldBytes, otherVariants = [], last, hasOwnMemory = false, job } = options;
  const binder = new Binder(context, id, plan, options);
  const first = await binder.bind({ plan, inputs });
  const variants = [first];
  for (const other of otherVariants) variants.push(await binder.bind(other));
  const lastBound = last ? await binder.bind(last) : null;

  const sparseBytes = first.sparse.reduce((sum, array) => sum + array.bytes, 0);
  const sparseArrays = new Set(variants.flatMap(({ sparse }) => sparse));
  const haveOwnArrays = sparseArrays.size > first.sparse.length;
  // Variants with own arrays rotate like copies. If 6 copies exceed the cache and 2 variants have own arrays, 3 copies of
  // each are enough: the slots are a0 b0 a1 b1 a2 b2 (variant, copy).
  const arraySets = haveOwnArrays ? variants.length : 1;
  const copies = Math.ceil(copiesBeyondCache(coldBytes, sparseBytes) / arraySets);
  for (const array of sparseArrays) {
    throwIfCancelled(job);
    await options.buffers.ensureCopies(array, copies);
  }

  const slots = slotsOf(copies, variants.length, haveOwnArrays);
  const createBindGroups = ({ bindings }: BoundVariant, copy: number): readonly GPUBindGroup[] =>
    plan.passes.map((pass, i) =>
      context.device.createBindGroup({
        label: id,
        layout: passes[i].layout,
        entries: pass.bindings.map((name, binding) => ({ binding, resource: resource(bindings, name, copy) })),
      }),
    );
  const { result: bindGroupSets, settled } = guarded(context, id, () => ({
    inTurn: slots.map(({ variant, copy }) => createBindGroups(variants[variant], copy)),
    last: lastBound ? createBindGroups(lastBound, hasSameArrays(lastBound, first) ? copies - 1 : 0) : null,
  }));
  await settled;
  const ownMemory = hasOwnMemory && separateMemory(context, id, plan, { variants, slots, createBindGroups }, options);
  return new PreparedKernel(context, {
    id,
    bytes: plan.bytes,
    passes,
    workgroups: plan.passes.map((pass) => pass.workgroups),
    isPrecomputed: plan.passes.map((pass) => pass.isPrecomputed === true),
    bindGroups: bindGroupSets.inTurn,
    variants: variants.length,
    ...(bindGroupSets.last && { last: bindGroupSets.last }),
    copies: copies * arraySets,
    scratch: binder.scratch,
    ...(ownMemory && { ownMemory }),
    sparseBytes,
    outputs: outputRegions(plan, context.facts.limits.minStorageBufferOffsetAlignment),
    uploadMs: first.sparse.reduce((sum, array) => sum + array.uploadMs, 0),
  });
}

/** Copies of sparse arrays of `sparseBytes` that together have `coldBytes`. */
function copiesBeyondCache(coldBytes: number, sparseBytes: number): number {
  return sparseBytes === 0 ? 1 : Math.max(1, Math.min(MAX_COPIES, Math.ceil(coldBytes / sparseBytes)));
}

/** Whether the last run reads the arrays of the first variant, which have copies. Arrays that it alone reads have none. */
function hasSameArrays(last: BoundVariant, first: BoundVariant): boolean {
  // The first array is enough to tell: the last run has the encoding of the first variant, or another with other arrays.
  return last.sparse[0] === first.sparse[0];
}

/** The variant and the copy of the sparse arrays that a run uses. */
interface Slot {
  readonly variant: number;
  readonly copy: number;
}

/**
 * The slots of consecutive runs. Their number is a multiple of `variants`, so that variants alternate when runs begin again
 * at slot 0.
 */
export function slotsOf(copies: number, variants: number, haveOwnArrays: boolean): readonly Slot[] {
  let count = haveOwnArrays ? copies * variants : copies;
  while (count % variants !== 0) count += copies;
  return Array.from({ length: count }, (_, i) => ({
    variant: i % variants,
    copy: haveOwnArrays ? Math.floor(i / variants) : i % copies,
  }));
}

/** The buffers of one variant by name. */
interface BoundVariant {
  readonly bindings: ReadonlyMap<string, DeviceArray | GPUBufferBinding>;
  readonly sparse: readonly DeviceArray[];
}

/** Puts the buffers of a kernel's variants on the device: they share outputs, scratch and identical arrays. */
class Binder {
  readonly scratch: GPUBuffer[] = [];
  readonly #context: GpuContext;
  readonly #id: string;
  readonly #options: PrepareOptions;
  readonly #scratchByName = new Map<string, GPUBufferBinding>();
  readonly #outputs: readonly OutputRegion[];
  readonly #paramBuffers = new Map<Uint32Array, GPUBufferBinding>();

  constructor(context: GpuContext, id: string, plan: KernelPlan, options: PrepareOptions) {
    this.#context = context;
    this.#id = id;
    this.#options = options;
    this.#outputs = outputRegions(plan, context.facts.limits.minStorageBufferOffsetAlignment);
  }

  async bind({ plan, inputs }: Variant): Promise<BoundVariant> {
    const { buffers, output, job } = this.#options;
    const bindings = new Map<string, DeviceArray | GPUBufferBinding>();
    const sparse: DeviceArray[] = [];
    let nextOutput = 0;
    for (const buffer of plan.buffers) {
      const { name } = buffer;
      const label = `${this.#id}: ${name}`;
      if (buffer.role === 'params') {
        bindings.set(name, await this.#params(label, buffer.data));
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
        bindings.set(name, this.#scratchByName.get(name) ?? (await this.#scratch(name, label, buffer.bytes)));
      }
    }
    return { bindings, sparse };
  }

  async #params(label: string, data: Uint32Array): Promise<GPUBufferBinding> {
    const existing = this.#paramBuffers.get(data);
    if (existing) return existing;
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    const buffer = await this.#options.buffers.allocate(label, data.byteLength, usage);
    this.#context.device.queue.writeBuffer(buffer, 0, data as Uint32Array<ArrayBuffer>);
    this.#paramBuffers.set(data, { buffer });
    return { buffer };
  }

  async #scratch(name: string, label: string, bytes: number): Promise<GPUBufferBinding> {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
    const buffer = await this.#options.buffers.allocate(label, bytes, usage);
    this.scratch.push(buffer);
    this.#scratchByName.set(name, { buffer });
    return { buffer };
  }
}

/** What the runs of a kernel rotate through, and how they are bound. */
interface Rotation {
  readonly variants: readonly BoundVariant[];
  readonly slots: readonly Slot[];
  readonly createBindGroups: (variant: BoundVariant, copy: number) => readonly GPUBindGroup[];
}

/** Separate outputs and scratch for each run, with the bind groups of each. */
function separateMemory(
  context: GpuContext,
  id: string,
  plan: KernelPlan,
  { variants, slots, createBindGroups }: Rotation,
  { buffers, job }: PrepareOptions,
): NonNullable<KernelParts['ownMemory']> {
  const { available, allocate: allocateRuns } = runMemoryAllocator(id, plan, buffers);
  // A multiple of the variants if memory allows; at least one run of each variant, and at least two runs: a wall clock
  // subtracts the time of n runs from that of 2 n runs (clock.ts).
  const max = Math.max(2, variants.length, available - (available % variants.length));
  const allocate = async (runs: number): Promise<SlotMemory> => {
    const count = Math.min(max, Math.ceil(runs / slots.length) * slots.length);
    const written = await allocateRuns(count);
    const bindGroups: (readonly GPUBindGroup[])[] = [];
    while (bindGroups.length < count) {
      throwIfCancelled(job);
      const end = Math.min(count, bindGroups.length + BOUND_AT_ONCE);
      const slice = guarded(context, id, () => {
        for (let run = bindGroups.length; run < end; run++) {
          const { variant, copy } = slots[run % slots.length];
          const runBindings = new Map(
            written.map(({ name, buffer, size, stride }) => [name, { buffer, size, offset: run * stride }]),
          );
          const bindings = new Map([...variants[variant].bindings, ...runBindings]);
          bindGroups.push(createBindGroups({ ...variants[variant], bindings }, copy));
        }
      });
      await slice.settled;
    }
    return { written, bindGroups };
  };
  return { max, allocate };
}

/** Allocates separate outputs and scratch for runs. `available`: the number of runs whose memory fits, at least 1. */
export function runMemoryAllocator(id: string, plan: KernelPlan, buffers: Buffers) {
  const { limits } = buffers.context.facts;
  const alignment = limits.minStorageBufferOffsetAlignment;
  const regions = (['output', 'scratch'] as const).flatMap((role) =>
    plan.buffers.flatMap((buffer) => {
      if (buffer.role !== role) return [];
      const size = paddedBytes(buffer.bytes);
      return [{ name: buffer.name, size, stride: Math.ceil(size / alignment) * alignment }];
    }),
  );
  const largest = Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize);
  const bytesPerRun = regions.reduce((sum, { stride }) => sum + stride, 0);
  // All regions together fit in COPY_BUFFER_BYTES, and the buffer of each in the limits of the device.
  const maxRuns = regions.reduce((min, { stride }) => Math.min(min, largest / stride), COPY_BUFFER_BYTES / bytesPerRun);
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const allocate = (runs: number) =>
    Promise.all(
      regions.map(async (region) => {
        const label = `${id}: ${region.name} of ${runs} runs`;
        return { ...region, buffer: await buffers.allocate(label, runs * region.stride, usage) };
      }),
    );
  return { available: Math.max(1, Math.floor(maxRuns)), allocate };
}

/** The buffer of a binding; for a sparse array, the given copy. Throws KernelError for an unknown name. */
function resource(bound: ReadonlyMap<string, DeviceArray | GPUBufferBinding>, name: string, copy: number) {
  const buffer = bound.get(name);
  if (!buffer) throw new KernelError(`binding '${name}': found no buffer of this name in the plan`);
  return 'copies' in buffer ? buffer.copies[copy] : buffer;
}

/** Throws KernelError when the plan contradicts itself or the limits of the device. */
function checkPlan({ facts }: GpuContext, id: string, plan: KernelPlan, output: OutputBuffer): void {
  const buffers = new Map<string, BufferPlan>(plan.buffers.map((b) => [b.name, b]));
  const outputs = outputRegions(plan, facts.limits.minStorageBufferOffsetAlignment);
  if (outputs.length === 0) throw new KernelError(`${id}: found no output in the plan`);
  const bytes = regionBytes(outputs);
  if (bytes > output.buffer.size) {
    throw new KernelError(`${id}: plans an output of ${bytes} bytes, expected at most ${output.buffer.size}`);
  }
  const max = facts.limits.maxComputeWorkgroupsPerDimension;
  for (const pass of plan.passes) {
    for (const name of pass.bindings) {
      if (!buffers.has(name)) throw new KernelError(`${id}: binds '${name}', which is no buffer of its plan`);
    }
    if (pass.workgroups.some((n) => !Number.isInteger(n) || n < 1 || n > max)) {
      throw new KernelError(
        `${id}: found ${pass.workgroups.join(' × ')} workgroups, expected 1 to ${max} in each dimension`,
      );
    }
  }
}
