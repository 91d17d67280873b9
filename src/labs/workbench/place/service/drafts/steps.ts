import type { EncodedMatrix } from '../../../../../core/format.ts';
import type { KernelPlan } from '../../../../../core/kernel/kernel.ts';
import { loopWork } from '../../../gpu/index.ts';

/**
 * Words in the loops of a program up to which each of them has its full number of iterations: several times what most kernels
 * have.
 */
const FULL_WORK = 2048;

/**
 * Iterations of one lane in a loop of a plan's first run: far more than for walking a whole row or column, cell by cell; few
 * enough that a GPU needs only a moment. Many loops, and long ones, share them.
 */
export function stepsFor({ rows, cols }: Pick<EncodedMatrix, 'rows' | 'cols'>, { passes }: KernelPlan): number {
  const work = Math.max(...passes.map(({ files }) => loopWork(files))); // bounded: passes of a plan
  const all = 65_536 + 16 * (rows + cols);
  const min = 1024 + 2 * (rows + cols);
  return Math.max(min, Math.floor(all * Math.min(1, FULL_WORK / work)));
}
