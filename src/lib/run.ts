import { KernelError, SparseScopeError } from '../core/errors.ts';
import type { AnyFormat, EncodedMatrix } from '../core/format.ts';
import { NO_JOB } from '../core/job.ts';
import { type GpuContext, readOutputs, runBench, runKernelWords } from '../gpu/index.ts';
import { caseOf, optionsOf, requireKernel } from './bench.ts';
import { formatWithKernels } from './codec.ts';
import type { Stored } from './encode.ts';

type Kernel = AnyFormat['kernels'][number];

/** The fastest kernels found so far, by device and encoded matrix. */
const kernelsOn = new WeakMap<GpuContext, WeakMap<EncodedMatrix, Promise<Kernel>>>();

/**
 * y = A x on a GPU. `x` has one f32 value per column, the result one per row; kernels that keep x in f16 round it. The
 * first call with a stored matrix verifies its kernels against the f64 oracle and times them (on a software adapter it
 * takes the first correct one); later calls run the fastest. Throws SparseScopeError for a wrong length or a format
 * without kernels, KernelError if no kernel is correct on this device, with the reasons, and DeviceLostError.
 */
export async function run<E extends EncodedMatrix, P>(
  device: GpuContext,
  stored: Stored<E, P>,
  x: Float32Array,
): Promise<Float32Array> {
  const { encoded } = stored;
  if (x.length !== encoded.cols) {
    throw new SparseScopeError(`x: found ${x.length} values, expected one per column, ${encoded.cols}`);
  }
  const kernels = kernelsOn.get(device) ?? new WeakMap<EncodedMatrix, Promise<Kernel>>();
  kernelsOn.set(device, kernels);
  const fastest = kernels.get(encoded) ?? fastestKernel(device, stored);
  kernels.set(encoded, fastest);
  try {
    const kernel = await fastest;
    const plan = kernel.plan(encoded, device.facts, {});
    return readOutputs(kernel, encoded, await runKernelWords(device, kernel.id, plan, { x }), {});
  } catch (error) {
    // The next call tries again: the device may have been lost, or the trial of kernels refused.
    kernels.delete(encoded);
    throw error;
  }
}

async function fastestKernel(device: GpuContext, { format: codec, params, encoded }: Stored): Promise<Kernel> {
  const format = await formatWithKernels(codec);
  requireKernel(format, 'spmv');
  const bench = caseOf(format, params as Readonly<Record<string, unknown>>, 'auto', { encoded });
  const options = { ...optionsOf(encoded, { rounds: TRIAL_ROUNDS }), reference: format.id };
  const { rows, refused } = await runBench(device, [bench], options, NO_JOB);
  // Of correct kernels only the fastest is timed.
  const correct = rows.find((row) => row.verified.ok);
  const kernel = format.kernels.find(({ id }) => id === correct?.kernel);
  if (kernel) return kernel;
  const why = [...rows.map((row) => `${row.kernel} gave wrong values`), ...refused.map(({ reason }) => reason)];
  throw new KernelError(
    `${format.id}: found no kernel for y = A x here (${why.join('; ')}), expected one that is right`,
  );
}

/** Rounds of the trial that finds the fastest kernel. */
const TRIAL_ROUNDS = 5;
