// One matrix on which a draft is tried, with its inputs and expected outputs.

import type { AnyFormat, EncodedMatrix } from '../../../../../src/core/format.ts';
import type { Job } from '../../../../../src/core/job.ts';
import type { DeviceFacts, KernelSpec } from '../../../../../src/core/kernel/kernel.ts';
import { operationById } from '../../../../../src/core/operations/index.ts';
import { expectedFor, type Sizes } from '../../../../../src/core/operations/operation.ts';
import type { TrialMatrix } from '../../../gpu/index.ts';
import { kernelSupport } from '../../../../../src/gpu/index.ts';
import { finishPaced, type WorkerPace } from '../../../../../src/engine/worker-pace.ts';
import type { BenchMatrix } from '../../../../../src/engine/bench/bench-host.ts';

/** The seed of the inputs of trials. */
export const TRIAL_SEED = 11;

/** A matrix on which a draft (a kernel that the user is writing) is tried, encoded on request. */
export interface TrialCase {
  readonly name: string;
  readonly isOpenMatrix: boolean;
  readonly rows: number;
  readonly cols: number;
  /** The encoded matrix with inputs and expected outputs, or why the kernel cannot run it. Throws CancelledError. */
  prepare(
    job: Job,
  ): Promise<{ readonly ok: true; readonly trial: TrialMatrix } | { readonly ok: false; readonly reason: string }>;
}

/** The format, kernel and device of a trial: all that it needs besides the matrix. */
export interface TrialOptions {
  readonly format: AnyFormat;
  readonly spec: KernelSpec<EncodedMatrix>;
  readonly params: Readonly<Record<string, unknown>>;
  readonly sizes: Sizes;
  readonly facts: DeviceFacts;
  readonly pace: WorkerPace;
}

/** The open matrix, for trying a draft on it. */
export function openMatrixCase(benchMatrix: BenchMatrix, options: TrialOptions): TrialCase {
  const { format, params, spec, sizes, facts, pace } = options;
  const { matrix, source } = benchMatrix;
  return {
    name: source,
    isOpenMatrix: true,
    rows: matrix.rows,
    cols: matrix.cols,
    async prepare(job) {
      const support = format.admits(matrix, params);
      if (!support.ok) return { ok: false, reason: support.reason };
      const { encoded } = await benchMatrix.encode(format, params, job);
      const fits = kernelSupport(spec, encoded, facts, sizes);
      if (!fits.ok) return { ok: false, reason: fits.reason };
      const operation = operationById(spec.operation);
      const rounded = format.decode(encoded);
      const inputs = operation.inputs(rounded, sizes, TRIAL_SEED);
      const expectedWith = await finishPaced(operation.expectedSteps(rounded, inputs, sizes), job, pace);
      return { ok: true, trial: { encoded, inputs, expected: expectedFor(expectedWith, spec), sizes } };
    },
  };
}
