import { SparseScopeError } from '../core/errors.ts';
import type { AnyFormat, EncodedMatrix, SparseFormat } from '../core/format.ts';
import { finish } from '../core/job.ts';

/** The part of a format that stores a matrix and reads it back: what 'sparsescope/macko' and similar modules export. */
export type Codec<E extends EncodedMatrix, P> = Pick<
  SparseFormat<E, P>,
  'id' | 'params' | 'encodeSteps' | 'encode' | 'decode' | 'multiply'
>;

/** A codec of these parts, with an `encode` that runs all of `encodeSteps`. */
export function codec<E extends EncodedMatrix, P>(parts: Omit<Codec<E, P>, 'encode'>): Codec<E, P> {
  return { ...parts, encode: (m, p, job) => finish(parts.encodeSteps(m, p), job) };
}

/** The result of a call whose RangeError, the house's error of a program, is a SparseScopeError of the library. */
export function withLibraryError<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw error instanceof RangeError ? new SparseScopeError(error.message) : error;
  }
}

/** The format with its kernels: `format` itself if it has some, else the registered one of its id, loaded on demand. */
export async function formatWithKernels(format: { readonly id: string }): Promise<AnyFormat> {
  if ('kernels' in format) return format as AnyFormat;
  const { formatById } = await import('../formats/registry.ts');
  return withLibraryError(() => formatById(format.id));
}
