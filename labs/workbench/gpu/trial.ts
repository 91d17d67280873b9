import type { EncodedMatrix } from '../../../src/core/format.ts';
import type { Job } from '../../../src/core/job.ts';
import type { KernelSpec } from '../../../src/core/kernel/kernel.ts';
import type { Expected, Inputs, Sizes } from '../../../src/core/operations/operation.ts';
import { verifyOutputs } from '../../../src/core/operations/verify.ts';
import type { Verification } from '../../../src/core/report.ts';
import { type GpuContext, runKernelWords, readOutputs } from '../../../src/gpu/index.ts';
import { type GuardedWords, withBudget, withGuards } from './draft-plan.ts';
import type { LoopPosition } from './loop-budget.ts';

/** The matrix, inputs and expected outputs for trying a draft, a kernel that the user changed. */
export interface TrialMatrix {
  readonly encoded: EncodedMatrix;
  readonly inputs: Inputs;
  readonly expected: Expected;
  readonly sizes: Sizes;
}

/** The result of a draft's trial. */
export interface TrialResult {
  /** the loop that exhausted its budget; the other results are then meaningless */
  readonly stopped: LoopPosition | null;
  readonly verified: Verification;
  /** 1 for each incorrect output among the first `MAX_MARKED` */
  readonly wrongMarks: Uint8Array<ArrayBuffer>;
  /** writes past the end of outputs */
  readonly overruns: GuardedWords['overruns'];
}

/**
 * Limits on loops: iterations of each loop per lane; whether workgroups that begin after a loop was stopped return at
 * once. Null: the kernel runs as written, with the bindings of a benchmark.
 */
export type TrialBudget = { readonly maxIterations: number; readonly stopsLateWorkgroups: boolean } | null;

/** Maximum number of outputs that are individually marked as correct or incorrect. */
const MAX_MARKED = 2 ** 20;

/**
 * Runs a kernel once and compares its outputs: with a budget for its loops and guards (bytes that must stay unwritten)
 * after its outputs or, without a budget, with nothing by which it could detect the trial. Throws like
 * `runKernelWords`.
 */
export async function tryKernel(
  context: GpuContext,
  spec: KernelSpec<EncodedMatrix>,
  { encoded, inputs, expected, sizes }: TrialMatrix,
  budget: TrialBudget,
  job: Job,
): Promise<TrialResult> {
  const plan = spec.plan(encoded, context.facts, sizes);
  const wrongOutputs = new Uint8Array(Math.min(MAX_MARKED, expected.sample?.of ?? expected.output.length));
  const compare = (words: Uint32Array<ArrayBuffer>): Verification =>
    verifyOutputs(readOutputs(spec, encoded, words, sizes), expected, { wrongOutputs });
  if (!budget) {
    const words = await runKernelWords(context, spec.id, plan, inputs, job);
    return { stopped: null, verified: compare(words), wrongMarks: wrongOutputs, overruns: [] };
  }
  const guarded = withGuards(plan);
  const budgeted = withBudget(guarded.plan, budget.maxIterations, budget.stopsLateWorkgroups);
  const { words, stopped } = budgeted.read(await runKernelWords(context, spec.id, budgeted.plan, inputs, job));
  if (stopped) return { stopped, verified: NOT_COMPARED, wrongMarks: wrongOutputs, overruns: [] };
  const { words: outputs, overruns } = guarded.read(words);
  return { stopped, verified: compare(outputs), wrongMarks: wrongOutputs, overruns };
}

const NOT_COMPARED: Verification = {
  ok: false,
  outputs: 0,
  worstShare: 0,
  failures: [],
  failureCount: 0,
  checkedAfterTiming: false,
};
