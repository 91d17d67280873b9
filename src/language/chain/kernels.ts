import { KernelError } from '../../core/errors.ts';
import type { EncodedMatrix } from '../../core/encoded/encoded.ts';
import type { DeviceFacts, KernelSpec } from '../../core/kernel/kernel.ts';
import type { Sizes } from '../../core/operations/operation.ts';
import { admitKernel } from '../../gpu/verify.ts';
import { LOGITS_BOUND, ROUNDED_BOUND } from './kept-logits.ts';
import { type ChainKernel, type ChainMatrix, TOKENS_TOGETHER } from './weights.ts';

/** Kernels that somebody asks for: by their ids, or as they are. */
export interface AskedKernels {
  /** of the operation 'spmv' */
  readonly one?: string | KernelSpec<EncodedMatrix> | undefined;
  /** of the operation 'gemm' */
  readonly several?: string | KernelSpec<EncodedMatrix> | undefined;
}

/**
 * An encoded matrix with the first of a format's kernels that run it on this device and keep its inputs as they are; without
 * a kernel for several tokens where there is none of those. A kernel that is asked for takes the place of the first, and may
 * round its inputs. Throws KernelError with the first refusal if none runs it, and with that of a kernel asked for.
 */
export function chainMatrix(
  encoded: EncodedMatrix,
  kernels: readonly KernelSpec<EncodedMatrix>[],
  facts: DeviceFacts,
  asked: AskedKernels = {},
): ChainMatrix {
  const one = kernelOf(encoded, kernels, facts, 'spmv', asked.one);
  if ('refusal' in one) throw new KernelError(one.refusal);
  const several = kernelOf(encoded, kernels, facts, 'gemm', asked.several);
  if (asked.several !== undefined && 'refusal' in several) throw new KernelError(several.refusal);
  return { encoded, one, several: 'refusal' in several ? null : several };
}

/** The bound on logits of a chain in which this kernel stands: a larger one where it rounds what it multiplies. */
export function logitsBound(
  { spec }: ChainKernel,
  encoded: EncodedMatrix,
  facts: DeviceFacts,
): typeof LOGITS_BOUND | typeof ROUNDED_BOUND {
  return roundsInputs(spec, encoded, facts, sizesOf(spec.operation)) ? ROUNDED_BOUND : LOGITS_BOUND;
}

function sizesOf(operation: string): Sizes {
  return operation === 'spmv' ? {} : { tokens: TOKENS_TOGETHER };
}

/** Whether a kernel multiplies something else than the numbers that it is given. Called only if it is admitted. */
function roundsInputs(
  spec: KernelSpec<EncodedMatrix>,
  encoded: EncodedMatrix,
  facts: DeviceFacts,
  sizes: Sizes,
): boolean {
  if (spec.roundsInputs) return true;
  return spec.plan(encoded, facts, sizes).buffers.some((b) => b.role === 'input' && b.type !== 'f32');
}

type Found = ChainKernel | { readonly refusal: string };

function kernelOf(
  encoded: EncodedMatrix,
  kernels: readonly KernelSpec<EncodedMatrix>[],
  facts: DeviceFacts,
  operation: 'spmv' | 'gemm',
  asked: string | KernelSpec<EncodedMatrix> | undefined,
): Found {
  const sizes = sizesOf(operation);
  if (asked !== undefined) return askedKernel(encoded, kernels, facts, operation, asked);
  let refusal = `${operation}: found no kernel of the format, expected one`;
  let isFirst = true;
  for (const spec of kernels) {
    if (spec.operation !== operation || spec.read || spec.roundsInputs) continue;
    const admission = admitKernel(spec, encoded, facts, sizes);
    if (admission.ok) {
      if (!roundsInputs(spec, encoded, facts, sizes)) return { spec };
    } else if (isFirst) {
      refusal = `${spec.id}: ${admission.reason}`;
      isFirst = false;
    }
  }
  return { refusal };
}

function askedKernel(
  encoded: EncodedMatrix,
  kernels: readonly KernelSpec<EncodedMatrix>[],
  facts: DeviceFacts,
  operation: 'spmv' | 'gemm',
  asked: string | KernelSpec<EncodedMatrix>,
): Found {
  const ofOperation = kernels.filter((spec) => spec.operation === operation);
  if (typeof asked === 'string' && !ofOperation.some(({ id }) => id === asked)) {
    const known = ofOperation.map(({ id }) => id).join(', ') || 'none: the format has no kernel of it';
    return { refusal: `${operation}: found '${asked}', expected one of ${known}` };
  }
  const spec = typeof asked === 'string' ? ofOperation.filter(({ id }) => id === asked)[0] : asked;
  if (spec.operation !== operation) {
    return { refusal: `${spec.id}: found a kernel of '${spec.operation}', expected one of '${operation}'` };
  }
  const admission = admitKernel(spec, encoded, facts, sizesOf(operation));
  return admission.ok ? { spec } : { refusal: `${spec.id}: ${admission.reason}` };
}
