import { describe, expect, it } from 'vitest';
import { HALF_GROUPS } from './params.ts';
import { assignWindows, indexMap } from './slide.ts';

describe('sliding windows of SlideSparse', () => {
  it('cover the columns 0 1 2 3, 2 3 4 5, 4 5 6 7 of a 6:8 group', () => {
    expect(indexMap(4)).toEqual([0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7]);
    expect(indexMap(2)).toEqual([0, 1, 2, 3]);
  });

  it('store 2N - 2 non-zeros or fewer at any positions in a group of 2N columns, for N from 2 to 8 (theorem 1)', () => {
    const windowOf = new Int8Array(16);
    let placements = 0;
    for (const halfGroup of HALF_GROUPS) {
      const group = 2 * halfGroup;
      for (let mask = 0; mask < 2 ** group; mask++) {
        const columns: number[] = [];
        for (let c = 0; c < group; c++) if ((mask >>> c) & 1) columns.push(c);
        if (columns.length > group - 2) continue;
        placements++;
        if (assignWindows(columns, columns.length, halfGroup, windowOf) !== columns.length)
          throw new Error(`${halfGroup}: ${columns.join()}`);
      }
    }
    // All but the full mask and those with one zero: the sum over N of 4^N - 1 - 2N.
    expect(placements).toBe(87299);
  });
});
