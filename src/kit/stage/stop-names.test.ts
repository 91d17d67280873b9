import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Stop } from '../../core/story/timeline.ts';
import { nameLeft, nameOf, nameWidth, placeStops, shownNames } from './StopTrack.tsx';

const stop = (name: string, chapter: number, more: Partial<Stop> = {}): Stop => ({
  at: 1,
  from: 0,
  name,
  kind: 'step',
  alone: null,
  chapter,
  ...more,
});

const someStops = fc
  .array(fc.record({ name: fc.string({ minLength: 3, maxLength: 30 }), chapter: fc.nat(4) }), {
    minLength: 1,
    maxLength: 24,
  })
  .map((found) => found.toSorted((x, y) => x.chapter - y.chapter).map(({ name, chapter }) => stop(name, chapter)));

describe('stops on the track', () => {
  it('lie in their chapters from left to right, at every width', () => {
    fc.assert(
      fc.property(someStops, fc.integer({ min: 200, max: 2000 }), (stops, width) => {
        const { boxes, xs } = placeStops(5, stops, width);
        expect(boxes[4].left + boxes[4].width).toBeCloseTo(width);
        expect(xs).toEqual(xs.toSorted((x, y) => x - y));
        xs.forEach((x, i) => {
          const { left, width: room } = boxes[stops[i].chapter];
          expect(x > left && x < left + room).toBe(true);
        });
      }),
    );
  });

  it('show names that do not cover each other, that of the current one always', () => {
    fc.assert(
      fc.property(someStops, fc.integer({ min: 400, max: 2000 }), fc.nat(23), (stops, width, nth) => {
        const current = nth % stops.length;
        const { xs } = placeStops(5, stops, width);
        const shown = shownNames(stops, xs, width, current);
        expect(shown.has(current)).toBe(true);
        const boxes = [...shown].map((i) => nameLeft(xs[i], stops[i].name, width)).toSorted((x, y) => x - y);
        const widths = new Map([...shown].map((i) => [nameLeft(xs[i], stops[i].name, width), stops[i].name]));
        boxes.slice(1).forEach((left, i) => {
          expect(left).toBeGreaterThanOrEqual(boxes[i] + nameWidth(widths.get(boxes[i]) ?? ''));
        });
      }),
    );
  });

  it('are called by the first difference where nothing else happens', () => {
    const difference = { a: { array: 'v', index: 0, step: 1 }, b: { array: 'v', index: 0, step: 1 } };
    expect(nameOf(stop('second weight', 0, { difference }))).toBe('first difference');
    expect(nameOf(stop('first padding', 0, { difference, kind: 'padding' }))).toBe('first padding');
  });
});
