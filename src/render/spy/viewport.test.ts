import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isEnough, planOverview, planTile } from './tile.ts';
import {
  type Camera,
  cameraAt,
  constrain,
  fittedCell,
  largestZoom,
  type Shape,
  type Size,
  Viewport,
} from './viewport.ts';

const FIT: Camera = { k: 1, x: 0, y: 0 };

const shapes = fc.record({
  rows: fc.oneof(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 100_000 })),
  cols: fc.oneof(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 100_000 })),
});
const plots = fc.record({ width: fc.integer({ min: 120, max: 1600 }), height: fc.integer({ min: 120, max: 1200 }) });
const views = fc
  .tuple(
    shapes,
    plots,
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: -2, max: 2, noNaN: true }),
    fc.double({ min: -2, max: 2, noNaN: true }),
  )
  .map(([shape, plot, zoom, x, y]) => {
    const k = largestZoom(shape, plot) ** zoom;
    return new Viewport(shape, plot, constrain({ k, x: x * k * plot.width, y: y * k * plot.height }, shape, plot));
  });

/** The camera with the middle of a region in the middle of the plot, so large that the region fits its width. */
const cameraOn = (
  region: { row: number; col: number; rows: number; cols: number },
  shape: Shape,
  plot: Size,
): Camera => {
  const k = Math.min(plot.width / (region.cols * fittedCell(shape, plot)), largestZoom(shape, plot));
  return cameraAt(k, region.col + region.cols / 2, region.row + region.rows / 2, shape, plot);
};

const fitted = (rows: number, cols: number, width = 240, height = 240): Viewport =>
  new Viewport({ rows, cols }, { width, height }, FIT);

describe('Viewport', () => {
  test('fits the whole matrix, in the middle, with square cells', () => {
    const view = fitted(512, 256);
    expect(view.visible()).toEqual({ row: 0, col: 0, rows: 512, cols: 256 });
    expect(view.aspect).toBeCloseTo(1, 10);
    expect(view.rectOf({ row: 0, col: 0, rows: 512, cols: 256 })).toEqual({ x: 60, y: 0, w: 120, h: 240 });
  });

  test('keeps a matrix of one row visible, with cells that are not square', () => {
    const view = fitted(1, 100_000);
    const { h, w } = view.rectOf({ row: 0, col: 0, rows: 1, cols: 100_000 });
    expect(h).toBe(16);
    expect(w).toBeCloseTo(240, 8);
    expect(view.aspect).toBeGreaterThan(1000);
  });

  test('has square cells again once they are large enough', () => {
    const shape = { rows: 1, cols: 100_000 };
    const plot = { width: 240, height: 240 };
    const view = new Viewport(shape, plot, cameraOn({ row: 0, col: 500, rows: 1, cols: 6 }, shape, plot));
    expect(view.aspect).toBeCloseTo(1, 6);
    expect(view.visible().col).toBeLessThanOrEqual(500);
  });

  test('limits the size of a single cell', () => expect(fitted(1, 1).columns.cell).toBe(40));

  test('finds the cell in whose middle a point is', () => {
    fc.assert(
      fc.property(views, fc.double({ min: 0, max: 0.999, noNaN: true }), (view, share) => {
        const { row, col, rows, cols } = view.visible();
        const cell = { row: row + Math.floor(share * rows), col: col + Math.floor(share * cols) };
        const { x, y, w, h } = view.rectOf({ ...cell, rows: 1, cols: 1 });
        expect(view.cellAt(x + w / 2, y + h / 2)).toEqual(cell);
        expect(view.nearestCell(x + w / 2, y + h / 2)).toEqual(cell);
      }),
    );
  });

  test('the constrained camera leaves no space empty that the matrix could fill', () => {
    fc.assert(
      fc.property(views, (view) => {
        const { x, y, w, h } = view.rectOf({ row: 0, col: 0, ...view.shape });
        const [plotW, plotH] = [view.plot.width, view.plot.height];
        if (w > plotW) {
          expect(x).toBeLessThanOrEqual(0.01);
          expect(x + w).toBeGreaterThanOrEqual(plotW - 0.01);
        } else {
          expect(x + w / 2).toBeCloseTo(plotW / 2, 3);
        }
        if (h > plotH) expect(y).toBeLessThanOrEqual(0.01);
        else expect(y + h / 2).toBeCloseTo(plotH / 2, 3);
      }),
    );
  });

  test('constrain does not change a constrained camera', () => {
    fc.assert(
      fc.property(views, ({ camera, shape, plot }) => {
        const again = constrain(camera, shape, plot);
        expect(again.x).toBeCloseTo(camera.x, 6);
        expect(again.y).toBeCloseTo(camera.y, 6);
      }),
    );
  });
});

describe('planTile', () => {
  const size: Size = { width: 240, height: 240 };

  test('requests one bucket per cell from 3 px on', () => {
    const shape: Shape = { rows: 64, cols: 64 };
    const request = planTile(new Viewport(shape, size, FIT));
    expect(request).toEqual({ region: { row: 0, col: 0, rows: 64, cols: 64 }, width: 64, height: 64 });
  });

  test('requests buckets of a power of two cells below 3 px', () => {
    const request = planTile(new Viewport({ rows: 28_672, cols: 8192 }, size, FIT));
    expect(request).toEqual({ region: { row: 0, col: 0, rows: 28_672, cols: 8192 }, width: 32, height: 112 });
  });

  test('covers the visible part, stays inside the matrix and requests no more buckets than a screen shows', () => {
    fc.assert(
      fc.property(views, (view) => {
        const { region, width, height } = planTile(view);
        const visible = view.visible();
        expect(region.row).toBeLessThanOrEqual(visible.row);
        expect(region.col).toBeLessThanOrEqual(visible.col);
        expect(region.row + region.rows).toBeGreaterThanOrEqual(visible.row + visible.rows);
        expect(region.col + region.cols).toBeGreaterThanOrEqual(visible.col + visible.cols);
        expect(region.row + region.rows).toBeLessThanOrEqual(view.shape.rows);
        expect(region.col + region.cols).toBeLessThanOrEqual(view.shape.cols);
        expect(width).toBeLessThanOrEqual(view.plot.width);
        expect(height).toBeLessThanOrEqual(view.plot.height + 4);
        expect(isEnough({ region, width, height }, planTile(view), visible)).toBe(true);
      }),
    );
  });

  test('a tile is enough while the view moves within it, but not when the view is closer', () => {
    const shape: Shape = { rows: 4096, cols: 4096 };
    const near = (row: number, rows: number): Viewport =>
      new Viewport(shape, size, cameraOn({ row, col: 1000, rows, cols: rows }, shape, size));
    const tile = planTile(near(1000, 200));
    const moved = near(1010, 200);
    expect(isEnough(tile, planTile(moved), moved.visible())).toBe(true);
    const closer = near(1050, 60);
    expect(isEnough(tile, planTile(closer), closer.visible())).toBe(false);
  });

  test('the overview is the tile of the fitted view, wherever the view is', () => {
    const shape: Shape = { rows: 1000, cols: 3000 };
    const away = new Viewport(shape, size, cameraOn({ row: 5, col: 5, rows: 9, cols: 9 }, shape, size));
    expect(planOverview(away)).toEqual(planTile(new Viewport(shape, size, FIT)));
    expect(fittedCell(shape, size)).toBeCloseTo(0.08, 10);
  });
});
