import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CancelledError } from '../core/errors.ts';
import { NO_JOB } from '../core/job.ts';
import { sortedInSlices } from './sorted-in-slices.ts';

it('sorts like Array.sort, stable, at any length', async () => {
  const item = fc.record({ key: fc.nat(50), id: fc.nat() });
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 4000, size: 'max' }), async (items) => {
      const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
      expect(await sortedInSlices(items, compare, NO_JOB)).toEqual(items.toSorted(compare));
    }),
    { seed: 7, numRuns: 30 },
  );
});

it('can be cancelled', async () => {
  const job = { report: () => {}, cancelled: true };
  await expect(sortedInSlices([2, 1], (a, b) => a - b, job)).rejects.toBeInstanceOf(CancelledError);
});
