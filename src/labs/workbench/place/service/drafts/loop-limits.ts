import { SparseScopeError } from '../../../../../core/errors.ts';
import type { EncodedMatrix } from '../../../../../core/format.ts';
import type { KernelPlan } from '../../../../../core/kernel/kernel.ts';
import type { GpuContext } from '../../../../../gpu/index.ts';
import { compileMessages, loopWork, withBudget } from '../../../gpu/index.ts';

/** Up to this many WGSL tokens in the loops of a program, several times the usual, each loop may take all its iterations. */
const FULL_WORK = 2048;

/**
 * Maximum iterations of one lane in each loop of a draft's trial: far more than a walk along a whole row or column takes, and
 * few enough that a GPU needs only a moment. A program with many or long loops gets fewer.
 */
export function loopSteps({ rows, cols }: Pick<EncodedMatrix, 'rows' | 'cols'>, { passes }: KernelPlan): number {
  const work = Math.max(...passes.map(({ files }) => loopWork(files))); // bounded: passes of a plan
  const full = 65_536 + 16 * (rows + cols);
  const min = 1024 + 2 * (rows + cols);
  return Math.max(min, Math.floor(full * Math.min(1, FULL_WORK / work)));
}

/**
 * Whether `withBudget` can stop workgroups that start after a loop was cut short, for a plan that compiles as written. Throws
 * SparseScopeError if its loops cannot be limited at all.
 */
export async function canStopLateWorkgroups(
  context: GpuContext,
  label: string,
  plan: KernelPlan,
  steps: number,
): Promise<boolean> {
  let reason = '';
  for (const stopsLateWorkgroups of [true, false]) {
    const messages = await compileMessages(context, label, withBudget(plan, steps, stopsLateWorkgroups).plan);
    const error = messages.find(({ severity }) => severity === 'error');
    if (!error) return stopsLateWorkgroups;
    reason = error.text;
  }
  throw new SparseScopeError(`not run: its loops could not be limited: ${reason}`);
}
