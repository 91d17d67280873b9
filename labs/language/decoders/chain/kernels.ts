import { KernelError } from '../../../../src/core/errors.ts';
import type { EncodedMatrix } from '../../../../src/core/encoded/encoded.ts';
import type { DeviceFacts, KernelSpec } from '../../../../src/core/kernel/kernel.ts';
import type { Sizes } from '../../../../src/core/operations/operation.ts';
import { kernelSupport } from '../../../../src/gpu/index.ts';
import { type ChainKernel, type ChainMatrix, MANY_TOKENS, SEVERAL_TOKENS } from './weights.ts';

/**
 * A matrix of a chain (a decoder on the GPU, chain.ts) with its kernels for one, several and many tokens: each time the
 * first kernel of the format that runs on this device and does not round its inputs. There may be none for several
 * or many. Throws KernelError with the first reason if there is none for one token.
 */
export function chainMatrix(
  encoded: EncodedMatrix,
  kernels: readonly KernelSpec<EncodedMatrix>[],
  facts: DeviceFacts,
): ChainMatrix {
  const vectorKernel = firstKernel(encoded, kernels, facts, 'spmv');
  if ('rejection' in vectorKernel) throw new KernelError(vectorKernel.rejection);
  const several = firstKernel(encoded, kernels, facts, 'gemm', { tokens: SEVERAL_TOKENS });
  // Software adapters take seconds to compile large tiles.
  const many = facts.isFallback ? null : firstKernel(encoded, kernels, facts, 'gemm', { tokens: MANY_TOKENS });
  return {
    encoded,
    oneToken: vectorKernel,
    several: 'rejection' in several ? null : several,
    many: many === null || 'rejection' in many ? null : many,
  };
}

/**
 * The operation of a product for many tokens: with unchanged inputs, or with inputs rounded to 8 bits with a scale per
 * token.
 */
export type ManyOperation = 'gemm' | 'gemm-i8';

/** All kernels of a format for many tokens, each once for every value of its first tunable constant (choice). */
export function manyKernels(
  encoded: EncodedMatrix,
  kernels: readonly KernelSpec<EncodedMatrix>[],
  facts: DeviceFacts,
  tokens = MANY_TOKENS,
  operation: ManyOperation = 'gemm',
): readonly ChainKernel[] {
  const sizes = { tokens };
  return kernels.flatMap((spec): readonly ChainKernel[] => {
    if ('rejection' in firstKernel(encoded, [spec], facts, operation, sizes)) return [];
    const choice = spec.choices?.(encoded, facts, sizes).at(0);
    if (choice?.kind !== 'one-of') return [{ spec }];
    return choice.values.map((value) => ({ spec, chosen: { [choice.name]: value } }));
  });
}

/** Whether a kernel, which runs on this device, rounds its inputs. */
function roundsInputs(
  spec: KernelSpec<EncodedMatrix>,
  encoded: EncodedMatrix,
  facts: DeviceFacts,
  sizes: Sizes,
): boolean {
  if (spec.roundsInputs) return true;
  return spec.plan(encoded, facts, sizes).buffers.some((b) => b.role === 'input' && b.type !== 'f32');
}

type KernelOrReason = ChainKernel | { readonly rejection: string };

/** The first kernel that runs and does not round its inputs, or why the first kernel of the operation cannot run. */
function firstKernel(
  encoded: EncodedMatrix,
  kernels: readonly KernelSpec<EncodedMatrix>[],
  facts: DeviceFacts,
  operation: 'spmv' | ManyOperation,
  sizes: Sizes = {},
): KernelOrReason {
  let rejection = `${operation}: found no kernel of the format, expected one`;
  let isFirst = true;
  for (const spec of kernels) {
    // A kernel with `read` does not write outputs in f32, in order, as the next kernel needs them.
    if (spec.operation !== operation || spec.read || spec.roundsInputs) continue;
    const support = kernelSupport(spec, encoded, facts, sizes);
    if (support.ok) {
      if (!roundsInputs(spec, encoded, facts, sizes)) return { spec };
    } else if (isFirst) {
      rejection = `${spec.id}: ${support.reason}`;
      isFirst = false;
    }
  }
  return { rejection: rejection };
}
