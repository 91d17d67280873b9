import type { EncodedMatrix } from '../core/format.ts';
import { throwIfCancelled } from '../core/pace.ts';
import type { Job } from '../core/job.ts';
import type { KernelSpec } from '../core/kernel/kernel.ts';
import type { Inputs, Sizes } from '../core/operations/operation.ts';
import { Buffers } from './buffers.ts';
import { openClock } from './clock.ts';
import type { GpuContext } from './device.ts';
import { guarded } from './guard.ts';
import { prepareKernel } from './prepare.ts';
import { OutputBuffer, outputRegions, type PreparedKernel, regionBytes } from './prepared-kernel.ts';
import { TimedKernel, Timer } from './timer.ts';
import { readOutputs } from './verify.ts';

/** Samples of a timed product. */
const SAMPLES = 12;
/** GPUs raise their clocks under load. */
const WARM_UP_MS = 60;
/** Vectors that are submitted before their outputs are read. */
const VECTORS_AT_ONCE = 128;

/** The result of a kernel, and its time. */
export interface Product {
  readonly outputs: Float32Array;
  /** nanoseconds per run, arrays warm in the cache; empty on a software adapter */
  readonly samplesNs: readonly number[];
}

/** A kernel of an encoded matrix for which the caller has checked `admitKernel`. */
export interface ProductKernel<E extends EncodedMatrix> {
  readonly spec: KernelSpec<E>;
  readonly encoded: E;
  readonly sizes: Sizes;
}

/**
 * Runs a kernel on the caller's inputs and times it. Everything on the device is freed at the end. Throws like
 * `runKernel`, and SparseScopeError if a run is in progress.
 */
export function timedProduct<E extends EncodedMatrix>(
  context: GpuContext,
  kernel: ProductKernel<E>,
  inputs: Inputs,
  job: Job,
): Promise<Product> {
  return prepared(context, kernel, inputs, job, async ({ ready, output, buffers }) => {
    const outputs = readOutputs(kernel.spec, kernel.encoded, await ready.runOnce(output), kernel.sizes);
    return { outputs, samplesNs: await timed(context, buffers, ready, job) };
  });
}

/**
 * Like `timedProduct`, for a kernel of y = A x with one vector after the other: `vectors` holds them consecutively,
 * like the outputs; one run is one vector. The kernel takes x as f32.
 */
export function timedVectors<E extends EncodedMatrix>(
  context: GpuContext,
  kernel: ProductKernel<E>,
  vectors: Float32Array,
  job: Job,
): Promise<Product> {
  const { spec, encoded, sizes } = kernel;
  const { rows, cols } = encoded;
  const x = vectors.slice(0, cols);
  return prepared(context, kernel, { x }, job, async ({ ready, output, buffers }) => {
    const { device } = context;
    const [binding] = (await buffers.upload(`${spec.id}: x`, x, job)).copies;
    const count = vectors.length / cols;
    const outputs = new Float32Array(count * rows);
    const bytes = regionBytes(ready.outputs);
    const collected = await OutputBuffer.create(buffers, Math.min(count, VECTORS_AT_ONCE) * bytes);
    for (let first = 0; first < count; first += VECTORS_AT_ONCE) {
      throwIfCancelled(job);
      const end = Math.min(count, first + VECTORS_AT_ONCE);
      const { settled } = guarded(context, spec.id, () => {
        for (let k = first; k < end; k++) {
          const vector = vectors.slice(k * cols, (k + 1) * cols);
          device.queue.writeBuffer(binding.buffer, binding.offset ?? 0, vector);
          const encoder = device.createCommandEncoder({ label: spec.id });
          const pass = encoder.beginComputePass({ label: spec.id });
          ready.encode(pass, 0, 1);
          pass.end();
          encoder.copyBufferToBuffer(output.buffer, 0, collected.buffer, (k - first) * bytes, bytes);
          device.queue.submit([encoder.finish()]);
        }
      });
      await settled;
      const words = await collected.read([{ offset: 0, bytes: (end - first) * bytes }]);
      for (let k = first; k < end; k++) {
        const own = words.slice(((k - first) * bytes) / 4, ((k - first + 1) * bytes) / 4);
        outputs.set(readOutputs(spec, encoded, own, sizes).subarray(0, rows), k * rows);
      }
      job.report({ what: 'images on the GPU', done: end, total: count });
    }
    return { outputs, samplesNs: await timed(context, buffers, ready, job) };
  });
}

interface Prepared {
  readonly ready: PreparedKernel;
  readonly output: OutputBuffer;
  readonly buffers: Buffers;
}

/** Runs `work` with a kernel on the device, exclusively. */
function prepared<E extends EncodedMatrix, T>(
  context: GpuContext,
  { spec, encoded, sizes }: ProductKernel<E>,
  inputs: Inputs,
  job: Job,
  work: (prepared: Prepared) => Promise<T>,
): Promise<T> {
  return context.exclusively(async () => {
    const buffers = new Buffers(context);
    try {
      const plan = spec.plan(encoded, context.facts, sizes);
      const bytes = regionBytes(outputRegions(plan, context.facts.limits.minStorageBufferOffsetAlignment));
      const output = await OutputBuffer.create(buffers, bytes);
      const ready = await prepareKernel(context, spec.id, plan, inputs, { buffers, output, coldBytes: 0, job });
      return await work({ ready, output, buffers });
    } finally {
      buffers.destroy();
    }
  });
}

async function timed(context: GpuContext, buffers: Buffers, kernel: PreparedKernel, job: Job): Promise<number[]> {
  const samplesNs: number[] = [];
  if (context.facts.isFallback) return samplesNs;
  const timer = new Timer(await openClock(context, buffers), job, 0.25);
  const one = new TimedKernel(kernel);
  await timer.probe(one);
  await timer.warmUp([one], WARM_UP_MS);
  while (samplesNs.length < SAMPLES) samplesNs.push(await timer.sample(one));
  return samplesNs;
}
