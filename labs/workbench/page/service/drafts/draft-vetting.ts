import { CancelledError, SparseScopeError } from '../../../../../src/core/errors.ts';
import type { AnyFormat, EncodedMatrix } from '../../../../../src/core/format.ts';
import type { Job } from '../../../../../src/core/job.ts';
import type { KernelSpec } from '../../../../../src/core/kernel/kernel.ts';
import { describeFailure } from '../../../../../src/core/operations/verify.ts';
import type { DraftCheckOptions } from '../../../../../src/engine/bench/bench-host.ts';
import { compileMessages, tryKernel } from '../../../gpu/index.ts';
import { DeviceLostError } from '../../../../../src/gpu/index.ts';
import { runAbandonable } from './run-abandonable.ts';
import { canStopLateWorkgroups, loopLimit } from './loop-limits.ts';
import { openMatrixCase } from './trial-case.ts';

/**
 * Tries a draft (a user's changed kernel), the only kernel of `format`, before a benchmark. Returns `format` if the
 * draft compiles, stays within its loop limits on this matrix, and is correct; else the format with a kernel whose
 * `fits` rejects the matrix with the reason. Throws CancelledError and DeviceLostError.
 */
export async function vetDraft(
  format: AnyFormat,
  params: Readonly<Record<string, unknown>>,
  options: DraftCheckOptions,
  job: Job,
): Promise<AnyFormat> {
  const reason = await draftFault(format, params, options, job);
  if (reason === null) return format;
  const spec: KernelSpec<EncodedMatrix> = format.kernels[0];
  const rejected = { ...spec, fits: () => ({ ok: false as const, reason, remedy: 'Change the draft.' }) };
  return { ...format, kernels: [rejected] };
}

/**
 * Why the draft fails on a matrix, as text that follows its name: 'does not compile: ...'; null if it is correct, or if
 * the format or the device does not support the matrix. Throws CancelledError and DeviceLostError.
 */
async function draftFault(
  format: AnyFormat,
  params: Readonly<Record<string, unknown>>,
  { context, target, sizes, pace }: DraftCheckOptions,
  job: Job,
): Promise<string | null> {
  const spec: KernelSpec<EncodedMatrix> = format.kernels[0];
  job.report({ what: `try ${spec.id}`, done: 0, total: 1 });
  return runAbandonable(context, job, fault).catch((error: unknown) => {
    const isDraftFault = error instanceof SparseScopeError || error instanceof RangeError;
    if (!isDraftFault || error instanceof CancelledError || error instanceof DeviceLostError) throw error;
    return error.message;
  });

  async function fault(): Promise<string | null> {
    const trialCase = openMatrixCase(target, { format, spec, params, sizes, facts: context.facts, pace });
    const prepared = await trialCase.prepare(job);
    // Limits of the format or the device are reported by the run itself.
    if (!prepared.ok) return null;
    const { trial } = prepared;
    const plan = spec.plan(trial.encoded, context.facts, sizes);
    const error = (await compileMessages(context, spec.id, plan)).find(({ severity }) => severity === 'error');
    if (error) return `does not compile: ${error.text}`;
    const maxIterations = loopLimit(trial.encoded, plan);
    // Late workgroups: those that start after a loop was stopped.
    const stopsLateWorkgroups = await canStopLateWorkgroups(context, spec.id, plan, maxIterations);
    const budget = { maxIterations, stopsLateWorkgroups };
    const { stopped, verified, overruns } = await tryKernel(context, spec, trial, budget, job);
    if (stopped) {
      return `took more than ${maxIterations} turns in the loop in line ${stopped.line} of ${stopped.file}`;
    }
    if (overruns.length > 0) return `wrote past the end of ${overruns[0].name}`;
    return verified.ok ? null : `is wrong on this matrix: ${describeFailure(verified)}`;
  }
}
