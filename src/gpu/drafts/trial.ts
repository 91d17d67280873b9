import type { EncodedMatrix } from '../../core/format.ts';
import type { Job } from '../../core/job.ts';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import type { Expected, Inputs, Sizes } from '../../core/operations/operation.ts';
import { verifyOutputs } from '../../core/operations/verify.ts';
import type { Verification } from '../../core/report.ts';
import type { GpuContext } from '../device.ts';
import { runKernelWords } from '../run.ts';
import { readOutputs } from '../verify.ts';
import { type GuardedWords, withBudget, withGuards } from './draft-plan.ts';
import type { LoopPlace } from './loop-budget.ts';

/** What a draft is tried on. */
export interface TrialMatrix {
  readonly encoded: EncodedMatrix;
  readonly inputs: Inputs;
  readonly expected: Expected;
  readonly sizes: Sizes;
}

/** What came of it. */
export interface TrialResult {
  /** the loop that was left since its budget was spent; nothing of the rest means anything then */
  readonly stopped: LoopPlace | null;
  readonly verified: Verification;
  /** 1 for each output that is wrong, of the first `MOST_MARKED` */
  readonly wrong: Uint8Array<ArrayBuffer>;
  readonly past: GuardedWords['past'];
}

/** What loops may take: null as written. */
export type TrialBudget = { readonly steps: number; readonly stopsLate: boolean } | null;

/** Outputs of which each is told whether it is wrong. */
export const MOST_MARKED = 2 ** 20;

/**
 * Runs a kernel once, with guards behind its outputs, and with a budget in its loops unless there is none, and compares what
 * it computed. Throws like `runKernelWords`.
 */
export async function tryKernel(
  context: GpuContext,
  spec: KernelSpec<EncodedMatrix>,
  { encoded, inputs, expected, sizes }: TrialMatrix,
  budget: TrialBudget,
  job: Job,
): Promise<TrialResult> {
  const guarded = withGuards(spec.plan(encoded, context.facts, sizes));
  const budgeted = budget ? withBudget(guarded.plan, budget.steps, budget.stopsLate) : null;
  const all = await runKernelWords(context, spec.id, budgeted?.plan ?? guarded.plan, inputs, job);
  const { words, stopped } = budgeted?.read(all) ?? { words: all, stopped: null };
  const { words: own, past } = guarded.read(words);
  const wrong = new Uint8Array(Math.min(MOST_MARKED, expected.sample?.of ?? expected.output.length));
  if (stopped) return { stopped, verified: NOT_COMPARED, wrong, past: [] };
  const verified = verifyOutputs(readOutputs(spec, encoded, own, sizes), expected, { wrong });
  return { stopped, verified, wrong, past };
}

const NOT_COMPARED: Verification = {
  ok: false,
  outputs: 0,
  worstShare: 0,
  failures: [],
  failureCount: 0,
  checkedAfterTiming: false,
};
