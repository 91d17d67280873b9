import type { EncodedMatrix } from '../core/format.ts';
import type { Job } from '../core/job.ts';
import type { KernelSpec } from '../core/kernel/kernel.ts';
import type { Matrix } from '../core/matrix/index.ts';
import { expectedOf, type Sizes } from '../core/operations/operation.ts';
import { operationById } from '../core/operations/index.ts';
import type { Verification } from '../core/report.ts';
import { verifyOutputs } from '../core/operations/verify.ts';
import type { GpuContext } from './device.ts';
import { runKernelWords } from './run.ts';

// Compares the outputs of a kernel with the f64 oracle.

/** Converts the words that a kernel wrote to the outputs of its operation. */
export function readOutputs<E extends EncodedMatrix>(
  spec: KernelSpec<E>,
  encoded: E,
  words: Uint32Array<ArrayBuffer>,
  sizes: Sizes,
): Float32Array {
  return spec.read ? spec.read(encoded, words, sizes) : new Float32Array(words.buffer, words.byteOffset, words.length);
}

/**
 * Runs a kernel once on inputs from `seed` and compares it with the f64 oracle on `rounded`, the matrix as stored
 * (`format.decode(encoded)`). The caller has checked `kernelSupport`. Throws like `runKernelWords`.
 */
export async function verifyKernel<E extends EncodedMatrix>(
  context: GpuContext,
  spec: KernelSpec<E>,
  encoded: E,
  rounded: Matrix,
  sizes: Sizes,
  seed: number,
  job?: Job,
): Promise<Verification> {
  const operation = operationById(spec.operation);
  const inputs = operation.inputs(rounded, sizes, seed);
  const words = await runKernelWords(context, spec.id, spec.plan(encoded, context.facts, sizes), inputs, job);
  const expected = expectedOf(operation, rounded, inputs, sizes, spec);
  return verifyOutputs(readOutputs(spec, encoded, words, sizes), expected);
}
