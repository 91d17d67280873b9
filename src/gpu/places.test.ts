import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placesOf } from './run.ts';

const counts = fc.record({ copies: fc.integer({ min: 1, max: 60 }), variants: fc.integer({ min: 1, max: 16 }) });

test('consecutive runs alternate between variants, also around the end of the rotation', () => {
  fc.assert(
    fc.property(counts, fc.boolean(), ({ copies, variants }, haveOwnArrays) => {
      const places = placesOf(copies, variants, haveOwnArrays);
      expect(places.length % variants).toBe(0);
      for (const [i, { variant }] of places.entries()) expect(variant).toBe(i % variants);
    }),
  );
});

test('consecutive runs never share a copy if there are several, and all copies are used equally often', () => {
  fc.assert(
    fc.property(counts, ({ copies, variants }) => {
      const places = placesOf(copies, variants, false);
      const turns = Array.from({ length: copies }, () => 0);
      for (const [i, { copy }] of places.entries()) {
        turns[copy]++;
        if (copies > 1) expect(copy).not.toBe(places[(i + 1) % places.length].copy);
      }
      expect(new Set(turns).size).toBe(1);
    }),
  );
});

test('variants with separate arrays use every copy of each exactly once', () => {
  expect(placesOf(2, 3, true)).toEqual([
    { variant: 0, copy: 0 },
    { variant: 1, copy: 0 },
    { variant: 2, copy: 0 },
    { variant: 0, copy: 1 },
    { variant: 1, copy: 1 },
    { variant: 2, copy: 1 },
  ]);
});
