import { KernelError } from '../../core/errors.ts';
import type { EncodedMatrix } from '../../core/encoded/encoded.ts';
import type { DeviceFacts, KernelSpec } from '../../core/kernel/kernel.ts';
import { admitKernel } from '../../gpu/verify.ts';
import { type ChainKernel, type ChainMatrix, TOKENS_TOGETHER } from './weights.ts';

/**
 * An encoded matrix with the first of a format's kernels that run it on this device and keep its inputs as they are; without
 * a kernel for several tokens where there is none of those. Throws KernelError with the first refusal if none runs it.
 */
export function chainMatrix(
  encoded: EncodedMatrix,
  kernels: readonly KernelSpec<EncodedMatrix>[],
  facts: DeviceFacts,
): ChainMatrix {
  const one = firstExact(encoded, kernels, facts, 'spmv', 1);
  if ('refusal' in one) throw new KernelError(one.refusal);
  const several = firstExact(encoded, kernels, facts, 'gemm', TOKENS_TOGETHER);
  return { encoded, one, several: 'refusal' in several ? null : several };
}

function firstExact(
  encoded: EncodedMatrix,
  kernels: readonly KernelSpec<EncodedMatrix>[],
  facts: DeviceFacts,
  operation: 'spmv' | 'gemm',
  tokens: number,
): ChainKernel | { readonly refusal: string } {
  const sizes = operation === 'spmv' ? {} : { tokens };
  let refusal = `${operation}: found no kernel of the format, expected one`;
  let isFirst = true;
  for (const spec of kernels) {
    if (spec.operation !== operation || spec.read || spec.roundsInputs) continue;
    const admission = admitKernel(spec, encoded, facts, sizes);
    if (admission.ok) {
      const { buffers } = spec.plan(encoded, facts, sizes);
      if (buffers.every((b) => b.role !== 'input' || b.type === 'f32')) return { spec };
    } else if (isFirst) {
      refusal = `${spec.id}: ${admission.reason}`;
      isFirst = false;
    }
  }
  return { refusal };
}
