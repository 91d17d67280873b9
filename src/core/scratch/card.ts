import type { AnyListedFormat } from '../format.ts';
import { SPMV } from '../operations/index.ts';
import type { KernelCard } from '../kernel/kernel.ts';

/** A kernel from scratch is one that the user writes from an empty text; this is the last part of its id. */
const SUFFIX = 'scratch';

/** The entry of a format's kernel from scratch in lists of kernels. */
export function scratchCard({ id, title }: Pick<AnyListedFormat, 'id' | 'title'>): KernelCard {
  return {
    id: `${id}/${SUFFIX}`,
    title: `from scratch, on the arrays of ${title}`,
    operation: SPMV.id,
    features: [],
  };
}

/** Whether an id belongs to a kernel from scratch. */
export function isScratch(kernel: string): boolean {
  return kernel.endsWith(`/${SUFFIX}`);
}

/** The kernels of a format that can be written from scratch: y = A x, if the format has a kernel for it. */
export function scratchCards(format: AnyListedFormat): readonly KernelCard[] {
  return format.kernels.some(({ operation }) => operation === SPMV.id) ? [scratchCard(format)] : [];
}

/** The kernel with this id, from scratch or not, and its format; null if there is none. */
export function findKernelCard<F extends AnyListedFormat>(
  formats: readonly F[],
  id: string,
): { readonly format: F; readonly kernel: KernelCard } | null {
  for (const format of formats) {
    const kernel = [...format.kernels, ...scratchCards(format)].find((one) => one.id === id);
    if (kernel) return { format, kernel };
  }
  return null;
}
