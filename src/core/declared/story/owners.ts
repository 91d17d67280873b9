import type { Run } from '../record.ts';

/** Which cell an element belongs to: the one that decode put right after it read the element for the first time. */
export interface Owners {
  /** the position of the cell among the puts; -1 for elements that are read for no cell, or for several rows at once */
  of(array: number, at: number): number;
  /** elements that were read right before a put, as array and index */
  readBefore(put: number): readonly (readonly [array: number, at: number])[];
}

/** The owners of all elements of a recorded run. O(elements + reads). */
export function ownersOf({ encoding, decoding }: Pick<Run, 'encoding' | 'decoding'>): Owners {
  const owners = encoding.arrays.map(({ elements }) => new Int32Array(elements.length).fill(-1));
  const { reads, puts } = decoding;
  const before = new Map<number, (readonly [number, number])[]>();
  for (let i = 0; i < (reads?.at.length ?? 0); i++) {
    if (!reads) break;
    const { array, at, before: put } = reads;
    if (put[i] >= puts.rows.length) continue;
    const of = before.get(put[i]);
    if (of) of.push([array[i], at[i]]);
    else before.set(put[i], [[array[i], at[i]]]);
    // Row starts are read before the first cell of a row, and belong to no cell.
    if (owners[array[i]][at[i]] < 0 && encoding.arrays[array[i]].array.byteClass !== 'metadata') {
      owners[array[i]][at[i]] = put[i];
    }
  }
  return {
    of: (array, at) => owners[array][at],
    readBefore: (put) => before.get(put) ?? [],
  };
}
