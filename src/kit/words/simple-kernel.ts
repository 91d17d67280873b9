import type { AnyListedFormat } from '../../core/format.ts';
import type { BenchRow } from '../../core/report.ts';

/** What the page says of a format's time after its name if its kernel is simple: written to be read, and not tuned. */
export const SIMPLE_KERNEL = 'one simple kernel';

/** Whether a timed row is of a simple kernel of the format. */
export function isOfSimpleKernel(
  { kernels }: Pick<AnyListedFormat, 'kernels'>,
  timed: Pick<BenchRow, 'kernel'> | null | undefined,
): boolean {
  return kernels.some(({ id, isSimple }) => isSimple === true && timed?.kernel === id);
}
