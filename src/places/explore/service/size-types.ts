import type { GenerateSpec } from '../../../generate/generate.ts';
import type { Pruning } from '../../../engine/matrix/pruning-way.ts';

/** A matrix to be encoded in passing: a generated one, or what a pruning leaves of the one that is open. */
export type SizeMatrix =
  | { readonly kind: 'generated'; readonly spec: GenerateSpec }
  | { readonly kind: 'pruned'; readonly pruning: Pruning };

/** A format to encode it in, with parameters that differ from their defaults. */
export interface SizeEntry {
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface SizesRequest {
  readonly matrices: readonly SizeMatrix[];
  readonly entries: readonly SizeEntry[];
}

/** The bytes of one matrix in one format. */
export interface EncodedSize {
  /** which matrix of the request, from 0 */
  readonly matrix: number;
  readonly format: string;
  /** complete */
  readonly params: Readonly<Record<string, unknown>>;
  /** of the matrix, which may differ from what was asked for */
  readonly density: number;
  readonly nnz: number;
  /** null where the format does not hold it; `refusal` says why */
  readonly bytes: number | null;
  readonly paddingBytes: number;
  readonly refusal: string | null;
  readonly encodeMs: number;
}

/** Takes the size of one matrix in one format; the next one waits until it has it. */
export type TakeSize = (size: EncodedSize) => void | Promise<void>;
