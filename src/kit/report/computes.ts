import type { AnyListedFormat } from '../../core/format.ts';
import { oversizedReason, unsuitedReason } from '../../core/kernel/kernel.ts';

/** Whether a format can compute an operation: one of its kernels takes these parameters and this many tokens. */
export function computes(
  format: Pick<AnyListedFormat, 'kernels'>,
  operation: string,
  params: Readonly<Record<string, unknown>>,
  tokens: number,
): boolean {
  return format.kernels.some(
    (kernel) =>
      kernel.operation === operation &&
      unsuitedReason(kernel, params) === null &&
      oversizedReason(kernel, { tokens }) === null,
  );
}
