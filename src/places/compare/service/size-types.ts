/* What Compare asks of its service, and what that returns: sizes of matrices in a format, and weights in pairs of rows. */

import type { Pruning } from '../../../engine/matrix/source-types.ts';
import type { SharedPairs } from '../../../theory/shared-pairs.ts';
import type { GenerateSpec } from '../../../generate/generate.ts';
import type { CsrArrays } from '../../../core/matrix/index.ts';

/** Matrices to encode in a format, with the parameters that differ from their defaults. */
export interface SizesRequest {
  /** they are generated; the open matrix is not involved */
  readonly matrices: readonly GenerateSpec[];
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The bytes of one matrix. */
export interface EncodedSize {
  /** index of the matrix in the request */
  readonly matrix: number;
  /** null if the format cannot hold it; `refusal` says why */
  readonly bytes: number | null;
  readonly refusal: string | null;
}

/** Encodes on the page, where a person's format runs; the provider parses what it returns. Rejects on cancel. */
export type EncodeOnPage = (
  format: string,
  params: Readonly<Record<string, unknown>>,
  matrix: CsrArrays,
) => Promise<unknown>;

/** Receives the size of one matrix; the next one waits until it has returned. */
export type OnSize = (size: EncodedSize) => void | Promise<void>;

/** A shipped model and its pruning; null: as shipped. */
export interface PairsRequest {
  readonly model: string;
  readonly folder: string;
  readonly pruning: Pruning | null;
}

/** Weights in columns that both rows of a pair have, summed over the matrices of a model. */
export interface ModelPairs {
  /** of all matrices in the layers */
  readonly all: SharedPairs;
  /** of down_proj alone, where rows share the most */
  readonly down: SharedPairs;
}
