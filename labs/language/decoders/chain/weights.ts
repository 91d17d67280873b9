// The matrices of a model in the buffers of a chain (a decoder on the GPU), with the kernels that multiply them.

import type { EncodedMatrix, NamedArray } from '../../../../src/core/encoded/encoded.ts';
import type { Chosen } from '../../../../src/core/kernel/choices.ts';
import type { KernelSpec } from '../../../../src/core/kernel/kernel.ts';
import type { BlockWeights } from '../decoder.ts';
import type { TableShape } from './norm-stages.ts';

/** Tokens that the kernels for `several` tokens compute together: most kernels of sparse formats take no more. */
export const SEVERAL_TOKENS = 16;
/** Tokens of a long text that the kernels for `many` tokens compute together: enough for the large tiles of a GEMM. */
export const MANY_TOKENS = 512;

/** A kernel, with the constants of its plan that were chosen by timing; absent: the default ones. */
export interface ChainKernel {
  readonly spec: KernelSpec<EncodedMatrix>;
  readonly chosen?: Chosen;
}

/** An encoded matrix with its kernels. An object that is passed several times is copied to the device each time. */
export interface ChainMatrix {
  readonly encoded: EncodedMatrix;
  /** of the operation 'spmv', for one token */
  readonly oneToken: ChainKernel;
  /** of the operation 'gemm', for SEVERAL_TOKENS; null: one token after the other */
  readonly several: ChainKernel | null;
  /** of the operation 'gemm', for MANY_TOKENS; absent: fewer tokens at a time */
  readonly many?: ChainKernel | null;
}

/** A matrix, possibly split into consecutive rows, or several matrices with the same input, one below the other. */
export type MatrixStack = readonly ChainMatrix[];

/** A transformer block with encoded matrices. */
export interface ChainBlock extends Pick<BlockWeights, 'attentionNorm' | 'feedForwardNorm' | 'biases'> {
  /** q, k and v below each other, as one matrix or as several */
  readonly qkv: MatrixStack;
  readonly o: MatrixStack;
  readonly feedForward: {
    /** gate and up below each other */
    readonly gateUp: MatrixStack;
    readonly down: MatrixStack;
  };
}

/** The weights of a model for a chain of kernels (chain.ts): matrices are encoded in formats. */
export interface ChainWeights {
  readonly embedding: TableShape & { readonly data: NamedArray };
  readonly head: MatrixStack;
  readonly finalNorm: Float32Array;
  /** read in order, two at a time, and not kept: an iterable may make them on demand */
  readonly blocks: AsyncIterable<ChainBlock> | Iterable<ChainBlock>;
}
