import fc from 'fast-check';
import { expect, it } from 'vitest';
import { oversizedReason, splitWorkgroups } from './kernel.ts';

it('a kernel runs up to its largest size, and gives the first that is beyond', () => {
  const reasonOf = (tokens: number, columns: number) =>
    oversizedReason({ max: { tokens: 4, columns: 9 } }, { tokens, columns, rows: 100 });
  expect([reasonOf(4, 9), oversizedReason({}, { tokens: 4 })]).toEqual([null, null]);
  expect(reasonOf(5, 10)).toBe('takes at most 4 tokens, found 5');
  expect(reasonOf(4, 10)).toBe('takes at most 9 columns, found 10');
});

it('any number of workgroups is split into dimensions within the limit, with fewer than a line of surplus ones', () => {
  const counts = fc.oneof(fc.constantFrom(0, 1, 65_535, 65_536, 2 * 65_535, 2 * 65_535 + 1), fc.nat(2 ** 31));
  fc.assert(
    fc.property(counts, (count) => {
      const [x, y, z] = splitWorkgroups(count);
      expect([x >= 1 && x <= 65_535, y >= 1 && y <= 65_535, z]).toEqual([true, true, 1]);
      const surplus = x * y - count;
      expect(surplus >= 0 && surplus < Math.max(y, 2)).toBe(true);
    }),
  );
});
