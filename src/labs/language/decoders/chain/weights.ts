import type { EncodedMatrix, NamedArray } from '../../../../core/encoded/encoded.ts';
import type { Chosen } from '../../../../core/kernel/choices.ts';
import type { KernelSpec } from '../../../../core/kernel/kernel.ts';
import type { BlockWeights } from '../decoder.ts';
import type { TableShape } from './stages.ts';

/** Tokens that the kernels for several tokens compute: most kernels of sparse formats take no more. */
export const TOKENS_TOGETHER = 16;
/** Tokens of a long text that are computed together: enough for the large tiles of a GEMM. */
export const TOKENS_AT_ONCE = 512;

/** A kernel, with the constants of its plan that were chosen by timing; absent: the default ones. */
export interface ChainKernel {
  readonly spec: KernelSpec<EncodedMatrix>;
  readonly chosen?: Chosen;
}

/** An encoded matrix with its kernels. If the same object is passed several times, each gets its own copy on the device. */
export interface ChainMatrix {
  readonly encoded: EncodedMatrix;
  /** of the operation 'spmv', for one token */
  readonly one: ChainKernel;
  /** of the operation 'gemm', for TOKENS_TOGETHER tokens; null: one token after the other */
  readonly several: ChainKernel | null;
  /** of the operation 'gemm', for TOKENS_AT_ONCE tokens; absent: fewer at a time */
  readonly many?: ChainKernel | null;
}

/** A matrix, possibly cut into consecutive rows, or several matrices with the same input, one below the other. */
export type MatrixStack = readonly ChainMatrix[];

/** A transformer block with encoded matrices. */
export interface ChainBlock extends Pick<BlockWeights, 'attentionNorm' | 'feedForwardNorm' | 'biases'> {
  /** q, k and v below each other: as one matrix, or as several one after the other, such as one each */
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
