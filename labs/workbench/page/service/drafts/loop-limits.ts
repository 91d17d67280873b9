// How many iterations the loops of a draft may have.

import { SparseScopeError } from '../../../../../src/core/errors.ts';
import type { EncodedMatrix } from '../../../../../src/core/format.ts';
import type { KernelPlan } from '../../../../../src/core/kernel/kernel.ts';
import type { GpuContext } from '../../../../../src/gpu/index.ts';
import { compileMessages, loopWork, withBudget } from '../../../gpu/index.ts';

/** If all loops of a program have at most this many WGSL tokens, each loop gets the full limit; most have far fewer. */
const FULL_WORK = 2048;

/**
 * Maximum iterations per lane of each loop when a draft (a user's kernel) is tried: far more than a row or column
 * needs, and few enough to end quickly. Fewer for a program with many or long loops.
 */
export function loopLimit({ rows, cols }: Pick<EncodedMatrix, 'rows' | 'cols'>, { passes }: KernelPlan): number {
  const work = Math.max(...passes.map(({ files }) => loopWork(files))); // bounded: passes of a plan
  const full = 65_536 + 16 * (rows + cols);
  const min = 1024 + 2 * (rows + cols);
  return Math.max(min, Math.floor(full * Math.min(1, FULL_WORK / work)));
}

/**
 * Whether a plan compiles with loop limits (`withBudget`) that also end workgroups starting after a loop was stopped.
 * Throws SparseScopeError if it does not compile with loop limits at all.
 */
export async function canStopLateWorkgroups(
  context: GpuContext,
  label: string,
  plan: KernelPlan,
  maxIterations: number,
): Promise<boolean> {
  let reason = '';
  for (const stopsLateWorkgroups of [true, false]) {
    const messages = await compileMessages(context, label, withBudget(plan, maxIterations, stopsLateWorkgroups).plan);
    const error = messages.find(({ severity }) => severity === 'error');
    if (!error) return stopsLateWorkgroups;
    reason = error.text;
  }
  throw new SparseScopeError(`not run: its loops could not be limited: ${reason}`);
}
