import { checksum } from '../core/encoded/checksum.ts';
import { arrayBytes } from '../core/encoded/encoded.ts';
import { MatrixError, SparseScopeError } from '../core/errors.ts';
import { type Losses, lossesOf } from '../core/encoded/losses.ts';
import type { StorageLedger } from '../core/encoded/ledger.ts';
import { type EncodedMatrix, type NamedArray, namedArrays, type Violation } from '../core/format.ts';
import type { Job } from '../core/job.ts';
import { CsrMatrix, DenseMatrix, type Matrix } from '../core/matrix/index.ts';
import { checkedChoice, isObject, wrong } from './arguments.ts';
import { checked, checkedEncoded, checkedFormat, checkedParams, checksOf, type Codec, madeBy } from './codec.ts';

/** A matrix in a format. */
export interface Stored<E extends EncodedMatrix = EncodedMatrix, P = unknown> {
  readonly format: Codec<E, P>;
  /** all parameters, with the chosen value instead of 'auto' */
  readonly params: P;
  /** rows, cols, nnz, parameters, checksums and arrays: the argument of the format's own functions */
  readonly encoded: E;
  /** the arrays by their documented names, typed; f16 and bf16 as bits in a Uint16Array */
  readonly arrays: Readonly<Record<string, NamedArray>>;
  /** bytes of all arrays */
  readonly bytes: number;
  /**
   * How many values overflowed (finite, stored as infinity) or underflowed (non-zero, stored as 0), and the largest
   * relative error of the others. null for a matrix that was read from a file: the original is not known. Computed when
   * it is first read, from the matrix: throws MatrixError if the arrays of `fromDense` or `fromCsr` have changed since
   * `encode`. What another matrix's `readRow` reads must not have changed. O(stored entries).
   */
  readonly losses: Losses | null;
  /** Decodes the stored matrix: values rounded to the value type. O(stored entries). */
  decode(): Matrix;
  /** Bytes of every array, and how many bits are values, indices, metadata and padding. */
  ledger(): Promise<StorageLedger>;
  /** Errors in the arrays, [] if there are none. 'cheap' checks lengths, 'full', the default, every element. */
  validate(level?: 'cheap' | 'full'): Promise<readonly Violation[]>;
}

/**
 * Stores a matrix in a format, on this thread. The format's defaults complete `params`. Throws SparseScopeError for a
 * parameter that the format does not have or allow, FormatError if the format cannot store the matrix, and
 * CancelledError once `job` is cancelled. O(cells read); EC-CSR by default needs longer.
 *
 * ```js
 * const stored = encode(a, macko, { deltaBits: 4 });
 * stored.arrays.deltas; // a Uint32Array
 * ```
 */
export function encode<E extends EncodedMatrix, P extends object>(
  matrix: Matrix,
  format: Codec<E, P>,
  params: Partial<P> = {},
  job?: Job,
): Stored<E, P> {
  checkedFormat(format);
  const encoded = checked<E, P, Codec<E, P>>(format).encode(matrix, params as P, job);
  return storedOf(format, checkedParams(format, params, encoded), encoded, matrix);
}

/** Encoded arrays as a stored matrix; `matrix`: the original, null if it is not known. */
export function storedOf<E extends EncodedMatrix, P>(
  format: Codec<E, P>,
  params: P,
  encoded: E,
  matrix: Matrix | null,
): Stored<E, P> {
  const arrays = namedArrays(madeBy(format.id, encoded));
  let losses: Losses | null = null;
  // Losses are computed only when they are read, since that takes longer than encoding. The checksum, which takes a
  // twelfth of the time that MACKO needs to encode, then tells whether the matrix was changed.
  const checksumAtEncode = matrix && checksumOf(matrix);
  return {
    format,
    params,
    encoded,
    arrays: Object.fromEntries(arrays),
    bytes: arrayBytes(encoded),
    get losses() {
      if (matrix && checksumOf(matrix) !== checksumAtEncode) {
        throw new MatrixError('losses: found a matrix that was changed since encode, expected the encoded one');
      }
      if (matrix) losses = lossesOf(matrix, format.decode(encoded));
      // The losses are computed once; the matrix can then be garbage-collected.
      matrix = null;
      return losses;
    },
    decode: () => format.decode(encoded),
    ledger: async () => (await checksOf(format)).storage(encoded),
    validate: async (level = 'full') =>
      (await checksOf(format)).validate(encoded, checkedChoice('level', level, ['cheap', 'full'])),
  };
}

/** A checksum of the arrays that a matrix shares with the program that made it; '' if it has none. O(bytes). */
function checksumOf(matrix: Matrix): string {
  if (matrix instanceof DenseMatrix) return String(checksum(matrix.data));
  if (!(matrix instanceof CsrMatrix)) return '';
  return [matrix.indptr, matrix.indices, matrix.data].map(checksum).join();
}

/** The result of `encode` or `readStored`. Throws SparseScopeError for anything else. */
export function checkedStored<E extends EncodedMatrix, P>(stored: Stored<E, P>): Stored<E, P> {
  const value: unknown = stored;
  const expected = 'what encode or readStored returned';
  if (!isObject(value) || !('encoded' in value) || !isObject(value['params'])) throw wrong('stored', value, expected);
  const { id } = checkedFormat(value['format'], 'stored.format');
  checkedEncoded(stored.format, stored.encoded, 'stored.encoded');
  if (typeof stored.ledger === 'function' && typeof stored.decode === 'function') return stored;
  throw new SparseScopeError(`stored: found a matrix in ${id} without its functions, expected ${expected}`);
}
