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

/** More copies than this cost more to bind than they tell. */
const MAX_COPIES = 2048;

/** A part of the output buffer, in bytes. */
export interface OutputRegion {
  readonly offset: number;
  /** a multiple of 4 */
  readonly bytes: number;
}

/** Where the outputs of a plan lie in one buffer: each where a binding may begin. */
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

  /** The words of the regions, one behind the other, after everything that was submitted. */
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

/** What a prepared kernel is made of. */
export interface KernelParts {
  readonly id: string;
  readonly bytes: number;
  readonly passes: readonly CompiledPass[];
  readonly workgroups: readonly (readonly [number, number, number])[];
  /** by pass */
  readonly isGiven?: readonly boolean[];
  /** by copy, then by pass */
  readonly bindGroups: readonly (readonly GPUBindGroup[])[];
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
  /** places in memory between which consecutive runs rotate */
  readonly copies: number;
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
  /** by copy, then by pass */
  readonly #bindGroups: readonly (readonly GPUBindGroup[])[];
  readonly #scratch: readonly GPUBuffer[];

  constructor(context: GpuContext, parts: KernelParts) {
    this.id = parts.id;
    this.bytes = parts.bytes;
    this.copies = parts.bindGroups.length;
    this.rotatedBytes = parts.sparseBytes * parts.bindGroups.length;
    this.outputs = parts.outputs;
    this.uploadMs = parts.uploadMs;
    this.compileMs = parts.passes.reduce((sum, pass) => sum + pass.compileMs, 0);
    this.#context = context;
    this.#passes = parts.passes;
    this.#workgroups = parts.workgroups;
    this.#isGiven = parts.isGiven ?? [];
    this.#bindGroups = parts.bindGroups;
    this.#scratch = parts.scratch;
  }

  /**
   * Encodes `runs` runs, the first on copy `firstCopy`, each next one on the next copy. Passes of which the plan says that
   * they are given are left out, unless `withGiven`: what they leave stays.
   */
  encode(pass: GPUComputePassEncoder, firstCopy: number, runs: number, withGiven = false): void {
    const single = this.#passes.length === 1;
    if (single) pass.setPipeline(this.#passes[0].pipeline);
    for (let run = 0; run < runs; run++) {
      const groups = this.#bindGroups[(firstCopy + run) % this.copies];
      for (let i = 0; i < groups.length; i++) {
        if (!withGiven && this.#isGiven[i]) continue;
        const [x, y, z] = this.#workgroups[i];
        if (!single) pass.setPipeline(this.#passes[i].pipeline);
        pass.setBindGroup(0, groups[i]);
        pass.dispatchWorkgroups(x, y, z);
      }
    }
  }

  /** Fills what is kept between passes with the NaN that no kernel computes: nobody may count on zeros. */
  poisonScratch(): void {
    for (const buffer of this.#scratch) poisonBuffer(this.#context, buffer);
  }

  /** One run on the given copy with poisoned output and scratch, and the words that it wrote. */
  async runOnce(output: OutputBuffer, copy = 0): Promise<Uint32Array<ArrayBuffer>> {
    const { device } = this.#context;
    output.poison();
    this.poisonScratch();
    const { settled } = guarded(this.#context, this.id, () => {
      const encoder = device.createCommandEncoder({ label: this.id });
      const pass = encoder.beginComputePass({ label: this.id });
      this.encode(pass, copy, 1, true);
      pass.end();
      device.queue.submit([encoder.finish()]);
    });
    await settled;
    return output.read(this.outputs);
  }
}

export interface PrepareOptions {
  readonly buffers: Buffers;
  readonly output: OutputBuffer;
  /** rotate at least so many bytes of sparse arrays; 0 for a single copy */
  readonly coldBytes: number;
  readonly job?: Job;
}

/**
 * Compiles a plan and puts its arrays on the device. Throws KernelError when it does not compile, contradicts itself or
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

  const { buffers, output, job } = options;
  const bound = new Map<string, DeviceArray | GPUBufferBinding>();
  const sparse: DeviceArray[] = [];
  const scratch: GPUBuffer[] = [];
  const outputs = outputRegions(plan, context.facts.limits.minStorageBufferOffsetAlignment);
  let nextOutput = 0;
  for (const buffer of plan.buffers) {
    const label = `${id}: ${buffer.name}`;
    if (buffer.role === 'params') {
      const uniform = await buffers.allocate(
        label,
        buffer.data.byteLength,
        GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
      );
      context.device.queue.writeBuffer(uniform, 0, buffer.data as Uint32Array<ArrayBuffer>);
      bound.set(buffer.name, { buffer: uniform });
    } else if (buffer.role === 'sparse') {
      const array = await buffers.upload(label, buffer.data, job);
      sparse.push(array);
      bound.set(buffer.name, array);
    } else if (buffer.role === 'input') {
      const array = await buffers.upload(label, inputData(buffer.name, buffer.type, inputs[buffer.name]), job);
      bound.set(buffer.name, array.copies[0]);
    } else if (buffer.role === 'output') {
      const { offset, bytes } = outputs[nextOutput++];
      bound.set(buffer.name, { buffer: output.buffer, offset, size: paddedBytes(bytes) });
    } else {
      const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
      const kept = await buffers.allocate(label, buffer.bytes, usage);
      scratch.push(kept);
      bound.set(buffer.name, { buffer: kept });
    }
  }

  const sparseBytes = sparse.reduce((sum, array) => sum + array.bytes, 0);
  const copies = sparseBytes === 0 ? 1 : Math.max(1, Math.min(MAX_COPIES, Math.ceil(options.coldBytes / sparseBytes)));
  for (const array of sparse) {
    throwIfCancelled(job);
    await buffers.ensureCopies(array, copies);
  }

  const { result: bindGroups, settled } = guarded(context, id, () =>
    Array.from({ length: copies }, (_, copy) =>
      plan.passes.map((pass, i) =>
        context.device.createBindGroup({
          label: id,
          layout: passes[i].layout,
          entries: pass.bindings.map((name, binding) => ({ binding, resource: resource(bound, name, copy) })),
        }),
      ),
    ),
  );
  await settled;
  const uploadMs = sparse.reduce((sum, array) => sum + array.uploadMs, 0);
  const workgroups = plan.passes.map((pass) => pass.workgroups);
  return new PreparedKernel(context, {
    id,
    bytes: plan.bytes,
    passes,
    workgroups,
    isGiven: plan.passes.map((pass) => pass.isGiven === true),
    bindGroups,
    scratch,
    sparseBytes,
    outputs,
    uploadMs,
  });
}

const packedInputs = { f16: new WeakMap<Float32Array, Uint32Array>(), bf16: new WeakMap<Float32Array, Uint32Array>() };

/** What is uploaded of an input: packed once, so that kernels share its upload. */
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
 * Runs a plan once with poisoned output and returns its output as f32; frees everything it made. For tests and single
 * answers; to run a kernel again and again, prepare it. Throws like `prepareKernel`.
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

/** The same; the output as the words that the kernel wrote. */
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
