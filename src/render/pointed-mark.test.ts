import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellAt, cellRect, markAt } from './pointed-mark.ts';
import { CsrMatrix } from '../core/matrix/index.ts';
import { cellOfMark, matrixPanel } from '../story/scene-parts.ts';
import type { PlacedMark } from './layout/laid-out.ts';
import { layoutScene } from './layout/layout.ts';
import { sampleScene } from '../../test/sample-scenes.ts';
import { estimateTextWidth } from './text-measurer.ts';

const laidOut = layoutScene(sampleScene(16, 32, 6), { width: 800, stageHeight: 640, measure: estimateTextWidth });

const isInside = (m: PlacedMark, x: number, y: number): boolean =>
  x >= m.x && y >= m.y && x <= m.x + m.w && y <= m.y + m.h;

describe('markAt', () => {
  test('finds every box by a point in its middle', () => {
    for (const m of laidOut.marks) {
      if (m.mark.shape !== 'box') continue;
      const found = markAt(laidOut, m.x + m.w / 2, m.y + m.h / 2, 1.5);
      expect(found?.mark.id).toBe(m.mark.id);
    }
  });

  test('finds the smallest of several marks at a point', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 799 }), fc.integer({ min: 0, max: laidOut.height - 1 }), (x, y) => {
        const found = markAt(laidOut, x, y, 0);
        const candidates = laidOut.marks.filter((m) => m.mark.shape !== 'frame' && isInside(m, x, y));
        if (candidates.length === 0) expect(found).toBeNull();
        else expect(found && found.w * found.h).toBe(Math.min(...candidates.map((m) => m.w * m.h)));
      }),
    );
  });

  test('finds the nearest within reach, and nothing outside the picture', () => {
    const m = laidOut.marks[0];
    expect(markAt(laidOut, m.x - 1, m.y + 2, 1.5)?.mark.id).toBe(m.mark.id);
    for (const [x, y] of [
      [-5, -5],
      [5000, 5],
      [5, 5000],
    ])
      expect(markAt(laidOut, x, y, 1.5)).toBeNull();
  });
});

describe('cells of a window', () => {
  const row = (data: readonly number[]) => data.flatMap((value, col) => (value === 0 ? [] : [col]));
  /** 40 rows, of which one screen is drawn, with a weight in every seventh cell. */
  const dense = Array.from({ length: 40 }, (_, r) => Array.from({ length: 12 }, (__, c) => Number((r + c) % 7 === 0)));
  const indices = dense.flatMap(row);
  const window = new CsrMatrix({
    rows: 40,
    cols: 12,
    indptr: Uint32Array.from({ length: 41 }, (_, r) => dense.slice(0, r).flatMap(row).length),
    indices: Uint32Array.from(indices),
    data: Float32Array.from(indices, () => 1),
  });

  test.each([640, 200])(
    'cells of a window are found in their drawn rectangle, with or without a mark, at a stage height of %d',
    (stageHeight) => {
      for (const focus of [0, 20, 39]) {
        const scene = { panels: [matrixPanel(window, { row: focus })], links: [], narration: [], code: null };
        const layout = layoutScene(scene, {
          width: 500,
          stageHeight: stageHeight,
          measure: estimateTextWidth,
          zoom: 1.5,
        });
        let drawn = 0;
        for (let r = 0; r < 40; r++) {
          for (let col = 0; col < 12; col++) {
            const position = cellRect(layout, { row: r, col });
            if (!position) continue;
            drawn++;
            const [x, y] = [position.x + position.w / 2, position.y + position.h / 2];
            expect(cellAt(layout, x, y, 1.5)).toEqual({ row: r, col });
            expect(markAt(layout, x, y, 1.5) === null).toBe(dense[r][col] === 0);
          }
        }
        expect(cellRect(layout, { row: focus, col: 3 })).not.toBeNull();
        expect(drawn).toBeLessThan(40 * 12);
        expect(drawn % 12).toBe(0);
        expect(cellAt(layout, 2, 2, 1.5)).toBeNull();
      }
    },
  );

  test('cells of a window are read from the ids of their marks, also of a second, small matrix', () => {
    expect(cellOfMark('cell 3,14')).toEqual({ row: 3, col: 14 });
    expect(cellOfMark('small cell 0,2')).toEqual({ row: 0, col: 2 });
    for (const id of ['way out of cell 3,14', 'values[3]', 'cell 3']) expect(cellOfMark(id)).toBeNull();
  });
});
