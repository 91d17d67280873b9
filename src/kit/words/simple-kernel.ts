import type { AnyListedFormat } from '../../core/format.ts';
import type { BenchRow } from '../../core/report.ts';

/** The words after a format's name if its time is of a simple kernel, which is written to be read, and not tuned. */
export const SIMPLE_KERNEL = 'one simple kernel';

/** Whether a timed row is of a simple kernel of the format. */
export function isOfSimpleKernel(
  { kernels }: Pick<AnyListedFormat, 'kernels'>,
  timed: Pick<BenchRow, 'kernel'> | null | undefined,
): boolean {
  return kernels.some(({ id, isSimple }) => isSimple === true && timed?.kernel === id);
}
