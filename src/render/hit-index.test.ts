import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HitIndex } from './hit-index.ts';
import type { PlacedMark } from './layout/laid-out.ts';
import { layoutScene } from './layout/layout.ts';
import { sampleScene } from '../../test/sample-scenes.ts';
import { estimateText } from './text-measurer.ts';

const laidOut = layoutScene(sampleScene(16, 32, 6), { width: 800, stageHeight: 640, measure: estimateText });
const index = new HitIndex(laidOut.marks, laidOut.width, laidOut.height);

function holds(m: PlacedMark, x: number, y: number): boolean {
  return x >= m.x && y >= m.y && x <= m.x + m.w && y <= m.y + m.h;
}

describe('HitIndex', () => {
  test('finds every box in its middle', () => {
    for (const m of laidOut.marks) {
      if (m.mark.shape !== 'box') continue;
      const found = index.at(m.x + m.w / 2, m.y + m.h / 2);
      expect(found?.mark.id).toBe(m.mark.id);
    }
  });

  test('agrees with a search over every mark', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 799 }), fc.integer({ min: 0, max: laidOut.height - 1 }), (x, y) => {
        const found = index.at(x, y, 0);
        const candidates = laidOut.marks.filter((m) => m.mark.shape !== 'frame' && holds(m, x, y));
        if (candidates.length === 0) expect(found).toBeNull();
        else expect(found?.w).toBe(Math.min(...candidates.map((m) => m.w * m.h)) / (found?.h ?? 1));
      }),
    );
  });

  test('finds the nearest within reach, and nothing outside the picture', () => {
    const m = laidOut.marks[0];
    expect(index.at(m.x - 1, m.y + 2, 1.5)?.mark.id).toBe(m.mark.id);
    expect(index.at(-5, -5)).toBeNull();
    expect(index.at(5000, 5)).toBeNull();
    expect(index.at(5, 5000)).toBeNull();
  });
});
