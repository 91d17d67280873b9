import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freePosition, overlap, spreadLabels } from './label-space.ts';

const label = fc.record({ at: fc.double({ min: -50, max: 450, noNaN: true }), size: fc.integer({ min: 1, max: 40 }) });

describe('labels along a line', () => {
  it('do not move if nothing overlaps', () => {
    const labelsToPlace = ['b', 'a'].map((key, i) => ({ key, at: [60, 20][i], size: 16 }));
    expect(spreadLabels(labelsToPlace, 0, 100)).toEqual(new Map(Object.entries({ a: 20, b: 60 })));
  });

  it('never overlap, keep their order, and end within the line', () => {
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 12 }), (labels) => {
        const labelsToPlace = labels.map((l, i) => ({ ...l, key: String(i) }));
        const positions = spreadLabels(labelsToPlace, 0, 400);
        const sortedLabels = labelsToPlace.toSorted((a, b) => a.at - b.at);
        for (const [i, { key, size }] of sortedLabels.entries()) {
          const position = positions.get(key) ?? Number.NaN;
          expect(position + size / 2).toBeLessThanOrEqual(400 + 1e-9);
          if (i === 0) continue;
          const previousLabel = sortedLabels[i - 1];
          expect(position - size / 2).toBeGreaterThanOrEqual(
            (positions.get(previousLabel.key) ?? 0) + previousLabel.size / 2 - 1e-9,
          );
        }
        const totalSize = labels.reduce((sum, l) => sum + l.size, 0);
        const firstPosition = positions.get(sortedLabels[0].key) ?? Number.NaN;
        if (totalSize <= 400) expect(firstPosition - sortedLabels[0].size / 2).toBeGreaterThanOrEqual(-1e-9);
      }),
    );
  });
});

describe('a free position', () => {
  const box = (left: number, top: number) => ({ left, top, width: 10, height: 10 });
  it('a free position is the first that overlaps nothing', () => {
    expect(freePosition([box(0, 0), box(5, 5), box(20, 0)], [box(0, 0)])).toEqual(box(20, 0));
    expect(freePosition([box(5, 5)], [box(0, 0)])).toBeNull();
  });
  it('a free position may touch an occupied box', () => {
    expect([overlap(box(0, 0), box(10, 0)), overlap(box(0, 0), box(9, 9))]).toEqual([false, true]);
  });
});
