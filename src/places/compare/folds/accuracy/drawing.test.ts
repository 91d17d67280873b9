import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EDGE, emptyDrawing, withStroke } from './drawing.ts';

const place = fc.double({ min: -4, max: EDGE + 4, noNaN: true });

it('lays ink along a stroke and leaves what is far from it as it was', () => {
  fc.assert(
    fc.property(place, place, place, place, (x0, y0, x1, y1) => {
      const drawn = withStroke(emptyDrawing(), x0, y0, x1, y1);
      drawn.forEach((ink, i) => {
        const [px, py] = [(i % EDGE) + 0.5, Math.floor(i / EDGE) + 0.5];
        // The nearest of many points along the stroke.
        let least = Number.POSITIVE_INFINITY;
        for (let t = 0; t <= 1; t += 1 / 256) {
          least = Math.min(least, Math.hypot(px - x0 - t * (x1 - x0), py - y0 - t * (y1 - y0)));
        }
        expect(Math.abs(ink - Math.min(1, Math.max(0, 1.3 - least)))).toBeLessThan(0.06);
      });
    }),
    { numRuns: 30 },
  );
});

it('never takes ink away, whatever is drawn over it', () => {
  const first = withStroke(emptyDrawing(), 3, 3, 3, 12);
  const second = withStroke(first, 3, 3, 12, 3);
  expect(second.every((ink, i) => ink >= first[i])).toBe(true);
  expect(second[3 * EDGE + 10]).toBeGreaterThan(first[3 * EDGE + 10]);
  expect(withStroke(second, 2, 2, 2, 2)[2 * EDGE + 2]).toBeGreaterThan(0.5);
});
