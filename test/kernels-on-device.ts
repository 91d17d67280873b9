// Runs every kernel of a format on a device, and compares the outputs with the f64 reference.

import { KernelError } from '../src/core/errors.ts';
import { messageOf } from '../src/core/error-messages.ts';
import { type AnyFormat, defaultParams, type EncodedMatrix } from '../src/core/format.ts';
import type { KernelSpec } from '../src/core/kernel/kernel.ts';
import { operationById } from '../src/core/operations/index.ts';
import type { Sizes } from '../src/core/operations/operation.ts';
import { describeFailure } from '../src/core/operations/verify.ts';
import { kernelSupport, type GpuContext } from '../src/gpu/index.ts';
import { verifyKernel } from '../src/gpu/verify.ts';
import { buildMatrix, type MatrixRecipe } from './arbitraries.ts';

/** The result of a kernel on a device. */
export interface KernelOutcome {
  readonly kernel: string;
  readonly operation: string;
  readonly outcome: 'right' | 'wrong' | 'refused';
  /** why it is wrong or refused */
  readonly reason: string;
}

/** One pattern with few non-zeros, for layouts with few slots per row, and one with enough for the others. */
const PATTERNS: readonly MatrixRecipe['pattern'][] = ['one of sixteen', 'two of four'];

const matrixOf = (pattern: MatrixRecipe['pattern']) =>
  buildMatrix({ shape: [33, 140], pattern, values: 'normal', density: 0.3, seed: 1, storage: 'cells' });

/** Small sizes of an operation: 5, or five steps of sizes that must be multiples of a step. */
function smallSizes(operation: string): Sizes {
  const fields = Object.entries(operationById(operation).sizes);
  return Object.fromEntries(fields.map(([name, { step = 1 }]) => [name, 5 * step]));
}

/** The default parameters; for one that the kernel does not support, the first value that it supports. */
export function paramsFor(format: AnyFormat, spec: KernelSpec<EncodedMatrix>): Readonly<Record<string, unknown>> {
  const params: Record<string, unknown> = { ...defaultParams<object>(format.params) };
  for (const [name, values] of Object.entries(spec.only ?? {})) {
    if (!values.includes(params[name])) params[name] = values[0];
  }
  return params;
}

/** Runs every kernel of a format on small matrices, and compares it with the f64 reference. */
export async function runKernels(context: GpuContext, format: AnyFormat): Promise<readonly KernelOutcome[]> {
  const outcomes: KernelOutcome[] = [];
  for (const spec of format.kernels as readonly KernelSpec<EncodedMatrix>[]) {
    outcomes.push({ kernel: spec.id, operation: spec.operation, ...(await runOne(context, format, spec)) });
  }
  return outcomes;
}

async function runOne(
  context: GpuContext,
  format: AnyFormat,
  spec: KernelSpec<EncodedMatrix>,
): Promise<Pick<KernelOutcome, 'outcome' | 'reason'>> {
  const params = paramsFor(format, spec);
  const sizes = smallSizes(spec.operation);
  let ran = 0;
  for (const pattern of PATTERNS) {
    const matrix = matrixOf(pattern);
    if (!format.admits(matrix, params).ok) continue;
    const encoded: EncodedMatrix = format.encode(matrix, params);
    const support = kernelSupport(spec, encoded, context.facts, sizes);
    if (!support.ok) return { outcome: 'refused', reason: support.reason };
    try {
      const verified = await verifyKernel(context, spec, encoded, format.decode(encoded), sizes, 7);
      if (!verified.ok) return { outcome: 'wrong', reason: describeFailure(verified) };
    } catch (error) {
      // An output may overflow its layout. Tests of the layout check that case.
      if (!(error instanceof KernelError) || error.name !== 'OverflowError') {
        return { outcome: 'wrong', reason: messageOf(error) };
      }
    }
    ran++;
  }
  return ran > 0 ? { outcome: 'right', reason: '' } : { outcome: 'wrong', reason: 'no matrix is admitted' };
}
