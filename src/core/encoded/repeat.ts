import { allocate } from '../allocate.ts';
import { finish } from '../job.ts';
import { type Sealed, sealSteps } from './checksum.ts';
import type { EncodedMatrix, NamedArray } from './encoded.ts';

/** The elements repeated `times` times. Throws FormatError if they do not fit into one array. */
export function repeated<A extends NamedArray>(name: string, array: A, times: number): A {
  const { length } = array;
  const type = array.constructor as { new (length: number): A; readonly BYTES_PER_ELEMENT: number };
  const all = allocate(name, type, length * times);
  if (length === 0) return all;
  all.set(array);
  // Every copy is twice as long as the one before.
  for (let done = length; done < all.length; done *= 2) all.copyWithin(done, 0, Math.min(done, all.length - done));
  return all;
}

/** Row offsets, like `indptr`, repeated `times` times: each run begins where the one before ends. */
export function repeatedOffsets(name: string, offsets: Uint32Array, times: number): Uint32Array {
  const rows = offsets.length - 1;
  const all = allocate(name, Uint32Array, rows * times + 1);
  for (let run = 0; run < times; run++) {
    const start = run * offsets[rows];
    for (let r = 0; r <= rows; r++) all[run * rows + r] = start + offsets[r];
  }
  return all;
}

/** An encoding of these arrays with `times` times the rows and non-zeros. O(bytes). */
export function repeatedEncoding<E extends EncodedMatrix>(
  e: E,
  times: number,
  arrays: Partial<E> & Readonly<Record<string, NamedArray>>,
): E {
  const { checksums: _, ...rest } = e;
  const whole: Sealed<typeof rest> = finish(
    sealSteps({ ...rest, ...arrays, rows: e.rows * times, nnz: e.nnz * times }, 0),
  );
  return whole as unknown as E;
}
