import { SparseScopeError } from '../core/errors.ts';
import { type Losses, lossesOf } from '../core/encoded/losses.ts';
import type { StorageLedger } from '../core/encoded/ledger.ts';
import {
  type EncodedMatrix,
  type NamedArray,
  namedArrays,
  paramAccepts,
  paramExpectation,
  type ParamField,
  resolvedParams,
  type Violation,
} from '../core/format.ts';
import type { Job } from '../core/job.ts';
import type { Matrix } from '../core/matrix/index.ts';
import { type Codec, formatWithKernels, withLibraryError } from './codec.ts';

/** A matrix in a format. */
export interface Stored<E extends EncodedMatrix = EncodedMatrix, P = unknown> {
  readonly format: Codec<E, P>;
  /** all parameters, with a value in place of 'auto' */
  readonly params: P;
  /** rows, cols, nnz, parameters, checksums and arrays, as the format's own functions take them */
  readonly encoded: E;
  /** typed arrays by their documented names; f16 and bf16 as bits in a Uint16Array */
  readonly arrays: Readonly<Record<string, NamedArray>>;
  /** bytes of all arrays */
  readonly bytes: number;
  /**
   * How many values overflowed (finite, stored as infinity) or underflowed (non-zero, stored as 0), and the largest
   * relative error of the others. null for a matrix that was read from a file: the original is not known. Computed when
   * it is first read, from the matrix, which must not have changed since `encode`. O(stored entries).
   */
  readonly losses: Losses | null;
  /** The matrix as it is stored: values rounded to the value type. O(stored entries). */
  decode(): Matrix;
  /** Bytes of every array, and how many bits are values, indices, metadata and padding. */
  ledger(): Promise<StorageLedger>;
  /** Errors in the arrays, [] if there are none. 'cheap' checks lengths, 'full', the default, every element. */
  validate(level?: 'cheap' | 'full'): Promise<readonly Violation[]>;
}

/**
 * Stores a matrix in a format, on this thread. The format's defaults complete `params`. Throws SparseScopeError for a
 * parameter that the format does not have or allow, FormatError if the format cannot hold the matrix, and
 * CancelledError once `job` is cancelled. O(cells read); EC-CSR by default takes longer.
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
  const all = checkedParams(format, params, matrix);
  return storedOf(
    format,
    all,
    withLibraryError(() => format.encode(matrix, all, job)),
    matrix,
  );
}

/** Encoded arrays as a stored matrix; `matrix`: what was encoded, null if that is not known. */
export function storedOf<E extends EncodedMatrix, P>(
  format: Codec<E, P>,
  params: P,
  encoded: E,
  matrix: Matrix | null,
): Stored<E, P> {
  const arrays = namedArrays(encoded);
  let losses: Losses | null = null;
  return {
    format,
    params,
    encoded,
    arrays: Object.fromEntries(arrays),
    bytes: [...arrays.values()].reduce((sum, { byteLength }) => sum + byteLength, 0),
    get losses() {
      if (matrix) losses = lossesOf(matrix, format.decode(encoded));
      // Computed once, after which the matrix may go.
      matrix = null;
      return losses;
    },
    decode: () => format.decode(encoded),
    ledger: async () => (await formatWithKernels(format)).storage(encoded),
    validate: async (level = 'full') => (await formatWithKernels(format)).validate(encoded, level),
  };
}

/** All parameters for this matrix. Throws SparseScopeError with format, parameter, found and expected. */
export function checkedParams<E extends EncodedMatrix, P extends object>(
  { id, params: spec }: Pick<Codec<E, P>, 'id' | 'params'>,
  given: Partial<P>,
  shape: Pick<Matrix, 'rows' | 'cols'>,
): P {
  for (const [name, value] of Object.entries(given)) {
    const field = (spec as Readonly<Record<string, ParamField<unknown> | undefined>>)[name];
    if (!field) {
      const known = Object.keys(spec).join(', ') || 'none';
      throw new SparseScopeError(`parameters of ${id}: found '${name}', expected ${known}`);
    }
    if (paramAccepts(field, value)) continue;
    throw new SparseScopeError(`${id}.${name}: found ${String(value)}, expected ${paramExpectation(field)}`);
  }
  return resolvedParams(spec, given as Readonly<Record<string, unknown>>, shape) as P;
}
