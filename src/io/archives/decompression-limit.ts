import { ReadError } from '../../core/errors.ts';

/** Most bytes that a compressed file may have when decompressed, unless a person allows more. */
export const MAX_DECOMPRESSED_BYTES = 4 * 2 ** 30;

/** A file that declares more than it can hold. */
export class DeclaredSizeError extends ReadError {}

/** A compressed file that would grow beyond the limit: it opens with a higher one. */
export class DecompressionLimitError extends ReadError {
  override name = 'DecompressionLimitError';
}
