import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freePosition, overlap, spreadLabels } from './label-space.ts';

const label = fc.record({ at: fc.double({ min: -50, max: 450, noNaN: true }), size: fc.integer({ min: 1, max: 40 }) });

describe('labels along a line', () => {
  it('do not move if nothing overlaps', () => {
    const wanted = ['b', 'a'].map((key, i) => ({ key, at: [60, 20][i], size: 16 }));
    expect(spreadLabels(wanted, 0, 100)).toEqual(new Map(Object.entries({ a: 20, b: 60 })));
  });

  it('never lie on each other, keep their order, and end within the line', () => {
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 12 }), (labels) => {
        const wanted = labels.map((l, i) => ({ ...l, key: String(i) }));
        const placed = spreadLabels(wanted, 0, 400);
        const inOrder = wanted.toSorted((a, b) => a.at - b.at);
        for (const [i, { key, size }] of inOrder.entries()) {
          const position = placed.get(key) ?? Number.NaN;
          expect(position + size / 2).toBeLessThanOrEqual(400 + 1e-9);
          if (i === 0) continue;
          const before = inOrder[i - 1];
          expect(position - size / 2).toBeGreaterThanOrEqual((placed.get(before.key) ?? 0) + before.size / 2 - 1e-9);
        }
        const all = labels.reduce((sum, l) => sum + l.size, 0);
        const first = placed.get(inOrder[0].key) ?? Number.NaN;
        if (all <= 400) expect(first - inOrder[0].size / 2).toBeGreaterThanOrEqual(-1e-9);
      }),
    );
  });
});

describe('a free position', () => {
  const box = (left: number, top: number) => ({ left, top, width: 10, height: 10 });
  it('a free position is the first that lies on nothing', () => {
    expect(freePosition([box(0, 0), box(5, 5), box(20, 0)], [box(0, 0)])).toEqual(box(20, 0));
    expect(freePosition([box(5, 5)], [box(0, 0)])).toBeNull();
  });
  it('may touch another', () => {
    expect([overlap(box(0, 0), box(10, 0)), overlap(box(0, 0), box(9, 9))]).toEqual([false, true]);
  });
});
