import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slotsOf } from './prepare.ts';

const counts = fc.record({ copies: fc.integer({ min: 1, max: 60 }), variants: fc.integer({ min: 1, max: 16 }) });

test('consecutive runs alternate between variants, also around the end of the rotation', () => {
  fc.assert(
    fc.property(counts, fc.boolean(), ({ copies, variants }, haveOwnArrays) => {
      const slots = slotsOf(copies, variants, haveOwnArrays);
      expect(slots.length % variants).toBe(0);
      for (const [i, { variant }] of slots.entries()) expect(variant).toBe(i % variants);
    }),
  );
});

test('consecutive runs never share a copy if there are several, and all copies are used equally often', () => {
  fc.assert(
    fc.property(counts, ({ copies, variants }) => {
      const slots = slotsOf(copies, variants, false);
      const turns = Array.from({ length: copies }, () => 0);
      for (const [i, { copy }] of slots.entries()) {
        turns[copy]++;
        if (copies > 1) expect(copy).not.toBe(slots[(i + 1) % slots.length].copy);
      }
      expect(new Set(turns).size).toBe(1);
    }),
  );
});

test('variants with separate arrays use every copy of each exactly once', () => {
  expect(slotsOf(2, 3, true)).toEqual([
    { variant: 0, copy: 0 },
    { variant: 1, copy: 0 },
    { variant: 2, copy: 0 },
    { variant: 0, copy: 1 },
    { variant: 1, copy: 1 },
    { variant: 2, copy: 1 },
  ]);
});
