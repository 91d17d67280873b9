import { ReadError } from '../../core/errors.ts';

/** Default limit for the decompressed size of a file, which a person can raise. */
export const MAX_DECOMPRESSED_BYTES = 4 * 2 ** 30;

/** A file that declares more than it can hold. */
export class DeclaredSizeError extends ReadError {}

/** A compressed file that would exceed the limit: it opens with a higher one. */
export class DecompressionLimitError extends ReadError {
  override name = 'DecompressionLimitError';
}
