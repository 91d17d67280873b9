import { FormatError } from './errors.ts';

/** Largest typed array in bytes: every current browser can allocate it and index it with a u32. */
export const MAX_ARRAY_BYTES = 2 ** 32 - 1;

/** Why an array of this length cannot be allocated, with the limit and the need; null when it can. */
export function lengthProblem(name: string, length: number, bytesPerElement: number): string | null {
  const bytes = length * bytesPerElement;
  if (bytes <= MAX_ARRAY_BYTES) return null;
  return `${name}: needs ${gigabytes(bytes)}, one array holds at most ${gigabytes(MAX_ARRAY_BYTES)}`;
}

/** A class of typed arrays. */
export interface ArrayConstructor<A> {
  new (length: number): A;
  readonly BYTES_PER_ELEMENT: number;
}

/** A zeroed typed array. Throws FormatError with limit and need if it is too large for one array or for the memory. */
export function allocate<A>(name: string, type: ArrayConstructor<A>, length: number): A {
  const problem = lengthProblem(name, length, type.BYTES_PER_ELEMENT);
  if (problem) throw new FormatError(problem);
  try {
    return new type(length);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new FormatError(`${name}: needs ${gigabytes(length * type.BYTES_PER_ELEMENT)}, which could not be allocated`);
  }
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(2)} GB`;
}

/** Zeroed indices of 16 or 32 bits. Throws FormatError like `allocate`. */
export function allocateIndices(name: string, bits: 16 | 32, length: number): Uint16Array | Uint32Array {
  return bits === 16 ? allocate(name, Uint16Array, length) : allocate(name, Uint32Array, length);
}
