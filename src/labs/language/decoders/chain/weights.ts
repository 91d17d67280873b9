import type { EncodedMatrix, NamedArray } from '../../../../core/encoded/encoded.ts';
import type { Chosen } from '../../../../core/kernel/choices.ts';
import type { KernelSpec } from '../../../../core/kernel/kernel.ts';
import type { BlockWeights } from '../decoder.ts';
import type { TableShape } from './stages.ts';

/** Tokens that kernels for several tokens are planned for: most of those of sparse formats have no more. */
export const TOKENS_TOGETHER = 16;
/** Tokens of a long text that are computed together: enough for the large tiles of a GEMM. */
export const TOKENS_AT_ONCE = 512;

/** A kernel, with the numbers of its plan that a trial has chosen. */
export interface ChainKernel {
  readonly spec: KernelSpec<EncodedMatrix>;
  readonly chosen?: Chosen;
}

/**
 * An encoded matrix with the kernels that multiply it. The same object given several times is copied on the device, so that
 * each has memory of its own.
 */
export interface ChainMatrix {
  readonly encoded: EncodedMatrix;
  /** of the operation 'spmv', for one token */
  readonly one: ChainKernel;
  /** of the operation 'gemm', for TOKENS_TOGETHER tokens; null: one after the other */
  readonly several: ChainKernel | null;
  /** of the operation 'gemm', for TOKENS_AT_ONCE tokens; absent: fewer at a time */
  readonly many?: ChainKernel | null;
}

/** A matrix, cut into consecutive rows if there are several; or several matrices with the same input, one below the other. */
export type Stacked = readonly ChainMatrix[];

/** A block, its matrices encoded. */
export interface ChainBlock extends Pick<BlockWeights, 'attentionNorm' | 'feedForwardNorm' | 'biases'> {
  /** q, k and v below each other: one matrix, or several of which each row belongs to one */
  readonly qkv: Stacked;
  readonly o: Stacked;
  readonly feedForward: {
    /** gate and up below each other */
    readonly gateUp: Stacked;
    readonly down: Stacked;
  };
}

/** A model, its matrices encoded. */
export interface ChainWeights {
  readonly embedding: TableShape & { readonly data: NamedArray };
  readonly head: Stacked;
  readonly finalNorm: Float32Array;
  /** asked for one after the other, and not kept: an iterable may make them on the way. Two are in memory at a time. */
  readonly blocks: AsyncIterable<ChainBlock> | Iterable<ChainBlock>;
}
