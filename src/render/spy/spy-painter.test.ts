import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelPosition } from './spy-painter.ts';

const PLOT = { width: 216, height: 216 };
/** Width of the label, px. It is 18 px high. */
const WIDTH = 90;

describe('labelPosition(window, width, plot)', () => {
  it('puts the name of a small window next to it', () => {
    expect(labelPosition({ x: 40, y: 40, w: 14, h: 6 }, WIDTH, PLOT)).toEqual({ left: 60, middle: 43 });
    expect(labelPosition({ x: 190, y: 40, w: 14, h: 6 }, WIDTH, PLOT)).toEqual({ left: 94, middle: 43 });
  });

  it('puts the name of a flat window above it, and of one at the upper edge below it', () => {
    expect(labelPosition({ x: 0, y: 96, w: 216, h: 22 }, WIDTH, PLOT)?.middle).toBe(85);
    expect(labelPosition({ x: 0, y: 0, w: 216, h: 22 }, WIDTH, PLOT)?.middle).toBe(33);
  });

  it('omits the name of a window that fills the view: it would cover its cells', () => {
    expect(labelPosition({ x: 0, y: 0, w: 216, h: 216 }, WIDTH, PLOT)).toBeNull();
  });

  it('never covers a window with its name', () => {
    const pixels = fc.integer({ min: 0, max: 216 });
    fc.assert(
      fc.property(pixels, pixels, pixels, pixels, (x, y, w, h) => {
        const window = { x, y, w: Math.min(w, PLOT.width - x), h: Math.min(h, PLOT.height - y) };
        const label = labelPosition(window, WIDTH, PLOT);
        if (label === null) return;
        const isOutside =
          label.left >= window.x + window.w ||
          label.left + WIDTH <= window.x ||
          label.middle - 9 >= window.y + window.h ||
          label.middle + 9 <= window.y;
        expect(isOutside).toBe(true);
      }),
    );
  });
});
