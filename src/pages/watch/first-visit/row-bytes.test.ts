import { expect, it } from 'vitest';
import { layoutOf } from './row-animation.ts';
import { isLit, litColumns, litSlots, rowBytes } from './row-bytes.ts';

const layout = layoutOf(1000, 28);

it('two bytes of 16 bits belong to each cell, and one of 4 bits to two slots', () => {
  const dense = rowBytes(layout, 32, 16);
  expect(dense).toHaveLength(64);
  expect(dense.slice(4, 6).map(({ from, to }) => [from, to])).toEqual([
    [2, 3],
    [2, 3],
  ]);
  const counts = rowBytes(layout, 16, 4);
  expect(counts).toHaveLength(8);
  expect(counts[1]).toMatchObject({ from: 2, to: 4 });
  // The last byte of an odd number of counts has one of them.
  expect(rowBytes(layout, 5, 4).at(-1)).toMatchObject({ from: 4, to: 5 });
});

it('bytes lie below their cells, in order, without overlap', () => {
  const { pitch, cell } = layout;
  for (const bits of [4, 8, 16, 32]) {
    let end = 0;
    for (const { x, width, from, to } of rowBytes(layout, 32, bits)) {
      expect(x).toBeGreaterThanOrEqual(Math.max(end, from * pitch) - 1e-9);
      expect(x + width).toBeLessThanOrEqual((to - 1) * pitch + cell);
      end = x + width;
    }
  }
});

it('a cell lights its slots, stored zeros with them, and a slot its cell', () => {
  const entry = { column: 20, value: 1 };
  const slots = [
    { entry, gap: 14, isZero: true },
    { entry, gap: 5, isZero: false },
    { entry: { column: 21, value: 2 }, gap: 0, isZero: false },
  ];
  expect(litColumns([20], slots)).toEqual({ columns: new Set([20]), slots: new Set([0, 1]) });
  expect(litSlots({ from: 1, to: 3 }, slots)).toEqual({ columns: new Set([20, 21]), slots: new Set([1, 2]) });
  expect([
    isLit({ from: 0, to: 2 }, new Set([1])),
    isLit({ from: 2, to: 3 }, new Set([1])),
    isLit({ from: 0, to: 9 }, undefined),
  ]).toEqual([true, false, false]);
});
