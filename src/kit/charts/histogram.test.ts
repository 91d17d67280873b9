import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binAt, binned, binText, cumulated, firstUsed, lastUsed } from './histogram.ts';

describe('bins', () => {
  it('cover every count exactly once, and no bin spans the edge', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(3), { maxLength: 300 }),
        fc.nat(20),
        fc.option(fc.nat(320)),
        fc.integer({ min: 2, max: 50 }),
        (counts, first, edge, max) => {
          const bins = binned(counts, {
            first,
            last: counts.length - 1,
            max,
            ...(edge === null ? {} : { edge: first + edge }),
          });
          const sum = counts.slice(first).reduce((a, b) => a + b, 0);
          expect(bins.reduce((all, bin) => all + bin.count, 0)).toBe(sum);
          bins.forEach((bin, i) => expect(bin.from).toBe(i === 0 ? first : bins[i - 1].to + 1));
          expect(bins.length).toBeLessThanOrEqual(max + 1);
          if (bins.length > 0) expect(bins.at(-1)?.to).toBe(counts.length - 1);
          if (edge !== null) {
            for (const bin of bins) expect(bin.from < first + edge && bin.to >= first + edge).toBe(false);
          }
        },
      ),
    );
  });

  it('binAt finds the bin of a count, and binText writes its range', () => {
    const bins = binned([1, 1, 1, 1, 1], { first: 0, last: 4, max: 3 });
    expect(binAt(bins, 3)).toEqual({ from: 2, to: 3, count: 2 });
    expect([binAt(bins, 9), binAt([], 1)]).toEqual([{ from: 4, to: 4, count: 1 }, null]);
    expect(bins.map((bin) => binText(bin, String))).toEqual(['0 to 1', '2 to 3', '4']);
  });
});

it('firstUsed and lastUsed return the first and the last non-zero position, or -1', () => {
  expect([firstUsed([0, 2, 0, 1, 0]), lastUsed([0, 2, 0, 1, 0])]).toEqual([1, 3]);
  expect([firstUsed([0, 0]), lastUsed([0, 0])]).toEqual([-1, -1]);
});

it('cumulated returns the running sums', () => {
  expect([...cumulated([1, 2, 3])]).toEqual([1, 3, 6]);
});
