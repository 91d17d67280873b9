import { ReadError } from '../core/errors.ts';

// Checks and messages that several readers of files share.

/** A dimension above this must not exceed the bytes of the file, since an array of that length is allocated. */
const UNCHECKED_DIMENSION = 2 ** 24;

/**
 * Throws ReadError if a declared dimension is too large for any matrix, or for a file of `maxSize` bytes. `texts`: rows and
 * cols in the digits of the file, which a number beyond 2^53 does not have.
 */
export function checkDimensions(
  where: string,
  rows: number,
  cols: number,
  maxSize: number,
  texts: readonly [rows: string, cols: string] = [String(rows), String(cols)],
): void {
  for (const [name, n, text] of [
    ['rows', rows, texts[0]],
    ['cols', cols, texts[1]],
  ] as const) {
    if (n >= 2 ** 31) throw new ReadError(`${where}: found ${text} ${name}, expected at most ${2 ** 31 - 1}`);
    if (n > UNCHECKED_DIMENSION && n > maxSize) {
      const max = Math.max(UNCHECKED_DIMENSION, maxSize);
      throw new ReadError(`${where}: found ${n} ${name}, expected at most ${max} in this file`);
    }
  }
}

/** A count with its noun, in the digits of the file: '1 byte', '0 of 1 byte', '4096 bytes', '2 entries'. */
export function amount(count: number | bigint | string, singular: string, plural = `${singular}s`): string {
  return `${count} ${/(^| )1$/.test(String(count)) ? singular : plural}`;
}

/** The result of `make`. Throws ReadError if memory is short. */
export function allocate<T>(what: string, bytes: number, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ReadError(`${what}: needs ${amount(bytes, 'byte')}, more than this machine has free`);
  }
}

/** The message for a file that ends too early, at byte `end`. `bytes`: '12 of 16'; `cells`: '2 × 2 of f4'. */
export function endedEarly(end: number, bytes: string, cells: string): string {
  return `byte ${end}: found the end after ${amount(bytes, 'byte')} for ${cells}`;
}

/** Advice in the error for a file of complex numbers, which are not supported. */
export const COMPLEX_ADVICE = 'save the real part or the magnitude';
