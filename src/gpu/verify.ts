import type { Admission, EncodedMatrix } from '../core/format.ts';
import type { Job } from '../core/job.ts';
import type { DeviceFacts, KernelSpec } from '../core/kernel.ts';
import type { Matrix } from '../core/matrix/index.ts';
import { expectedOf, operationById } from '../core/operation.ts';
import type { Verification } from '../core/report.ts';
import { verifyOutputs } from '../core/verify.ts';
import type { GpuContext } from './device.ts';
import { runKernel } from './run.ts';

/** Whether a kernel can run an encoded matrix on a device: the features that it names, and what it says itself. */
export function admitKernel<E extends EncodedMatrix>(spec: KernelSpec<E>, encoded: E, facts: DeviceFacts): Admission {
  const missing = spec.features.filter((feature) => !facts.features.has(feature));
  if (missing.length > 0) {
    return {
      ok: false,
      reason: `needs ${missing.map((f) => `'${f}'`).join(' and ')}, which this device does not offer`,
      remedy: null,
    };
  }
  return spec.fits(encoded, facts);
}

/**
 * Runs a kernel once on inputs from `seed` and compares it with the f64 oracle on `rounded`, the matrix as it is stored
 * (`format.decode(encoded)`). The caller has asked `admitKernel`. Throws like `runKernel`.
 */
export async function verifyKernel<E extends EncodedMatrix>(
  context: GpuContext,
  spec: KernelSpec<E>,
  encoded: E,
  rounded: Matrix,
  seed: number,
  job?: Job,
): Promise<Verification> {
  const operation = operationById(spec.operation);
  const inputs = operation.inputs(rounded, seed);
  const found = await runKernel(context, spec.id, spec.plan(encoded, context.facts), inputs, job);
  return verifyOutputs(found, expectedOf(operation, rounded, inputs, spec.roundings));
}
