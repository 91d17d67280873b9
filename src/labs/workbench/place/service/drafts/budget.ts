import { SparseScopeError } from '../../../../../core/errors.ts';
import type { KernelPlan } from '../../../../../core/kernel/kernel.ts';
import { compileMessages, withBudget } from '../../../gpu/index.ts';
import type { GpuContext } from '../../../../../gpu/index.ts';

/**
 * Whether workgroups that start late can be stopped (`withBudget`), for a plan that compiles as written. Throws
 * SparseScopeError if its loops cannot be limited.
 */
export async function stopsLate(context: GpuContext, label: string, plan: KernelPlan, steps: number): Promise<boolean> {
  let first = '';
  for (const late of [true, false]) {
    const found = await compileMessages(context, label, withBudget(plan, steps, late).plan);
    const error = found.find(({ severity }) => severity === 'error');
    if (!error) return late;
    first = error.text;
  }
  throw new SparseScopeError(`not run: its loops could not be limited: ${first}`);
}
