import { ReadError } from '../../core/errors.ts';

/** Default limit for the decompressed size of a file, which the user can raise. */
export const MAX_DECOMPRESSED_BYTES = 4 * 2 ** 30;

/** Thrown for a file that declares more content than its bytes can contain. */
export class DeclaredSizeError extends ReadError {}

/** Thrown for a compressed file with more bytes than the limit: a higher limit opens the file. */
export class DecompressionLimitError extends ReadError {
  override name = 'DecompressionLimitError';
}
