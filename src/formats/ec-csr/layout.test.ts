import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnPosition } from './layout.ts';
import type { EcCsrParams } from './params.ts';

describe('columnPosition', () => {
  it('is one position per column, and one column per position', () => {
    const lanesOf = fc.constantFrom<EcCsrParams['lanes'][]>(2, 4, 8, 16, 32);
    const vectorOf = fc.constantFrom<EcCsrParams['vectorSize'][]>(1, 2, 4);
    fc.assert(
      fc.property(lanesOf, vectorOf, fc.integer({ min: 1, max: 21 }), (lanes, vectorSize, perLane) => {
        const p = { lanes, vectorSize };
        const places = Array.from({ length: lanes * perLane }, (_, c) =>
          columnPosition(p, perLane, Math.floor(c / perLane), c % perLane),
        );
        expect(places.toSorted((a, b) => a - b)).toEqual(places.map((_, i) => i));
      }),
    );
  });

  it('keeps the columns of a segment together, and those past the last segment separate', () => {
    const p = { lanes: 2, vectorSize: 4 } as const;
    const lane = (l: number): number[] => Array.from({ length: 6 }, (_, i) => columnPosition(p, 6, l, i));
    expect(lane(0)).toEqual([0, 1, 2, 3, 8, 10]);
    expect(lane(1)).toEqual([4, 5, 6, 7, 9, 11]);
  });
});
