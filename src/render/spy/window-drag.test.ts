import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bucketOf, shortValue } from './spy-painter.ts';
import { LIGHT } from '../theme.ts';
import { unpackHex, TileColors } from './tile-colors.ts';
import type { Tile } from './tile.ts';
import { clickedRegion, drawnRegion, movedRegion, resizedRegion } from './window-gesture.ts';

const MAX = { rows: 64, cols: 64 };
const cell = fc.record({ row: fc.nat(999), col: fc.nat(999) });

describe('a window', () => {
  test('that is drawn contains the cell where the drag began, and is never larger than allowed', () => {
    fc.assert(
      fc.property(cell, cell, (from, to) => {
        const r = drawnRegion(from, to, MAX);
        expect(r.rows).toBe(Math.min(64, Math.abs(to.row - from.row) + 1));
        expect(r.cols).toBe(Math.min(64, Math.abs(to.col - from.col) + 1));
        expect(from.row).toBeGreaterThanOrEqual(r.row);
        expect(from.row).toBeLessThan(r.row + r.rows);
        expect(from.col).toBeGreaterThanOrEqual(r.col);
        expect(from.col).toBeLessThan(r.col + r.cols);
      }),
    );
  });

  test('is moved as a whole and stays inside the matrix', () => {
    const region = { row: 10, col: 10, rows: 5, cols: 32 };
    expect(movedRegion(region, { row: 3, col: -4 }, { rows: 100, cols: 100 })).toEqual({ ...region, row: 13, col: 6 });
    expect(movedRegion(region, { row: -99, col: 99 }, { rows: 100, cols: 100 })).toEqual({
      ...region,
      row: 0,
      col: 68,
    });
  });

  test('is resized at its lower right corner, to at least one cell', () => {
    const region = { row: 10, col: 10, rows: 5, cols: 32 };
    expect(resizedRegion(region, { row: 19, col: 19 }, MAX)).toEqual({ row: 10, col: 10, rows: 10, cols: 10 });
    expect(resizedRegion(region, { row: 2, col: 500 }, MAX)).toEqual({ row: 10, col: 10, rows: 1, cols: 64 });
  });

  test('keeps its size when it is placed by a click, inside the matrix', () => {
    const before = { row: 0, col: 0, rows: 5, cols: 32 };
    const shape = { rows: 100, cols: 100 };
    expect(clickedRegion({ row: 50, col: 50 }, before, shape, MAX)).toEqual({ row: 48, col: 34, rows: 5, cols: 32 });
    expect(clickedRegion({ row: 99, col: 0 }, before, shape, MAX)).toEqual({ row: 95, col: 0, rows: 5, cols: 32 });
    expect(clickedRegion({ row: 0, col: 0 }, null, { rows: 2, cols: 3 }, MAX)).toEqual({
      row: 0,
      col: 0,
      rows: 2,
      cols: 3,
    });
  });
});

describe('bucketOf', () => {
  const tileOf = (cols: number, colsPerBucket: number): Tile => {
    const width = Math.ceil(cols / colsPerBucket);
    const region = { row: 7, col: 3, rows: 1, cols };
    return {
      region,
      width,
      height: 1,
      rowsPerBucket: 1,
      colsPerBucket,
      kind: 'density',
      buckets: new Float32Array(width),
    };
  };

  test('returns the bucket whose region contains the cell, clipped at the edge of the tile', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 6 }), fc.nat(), (cols, power, at) => {
        const tile = tileOf(cols, 2 ** power);
        const col = 3 + (at % cols);
        const found = bucketOf(tile, 7, col);
        if (!found) throw new Error(`found no bucket for column ${col}, expected one`);
        expect(found.x).toBeLessThan(tile.width);
        expect(col).toBeGreaterThanOrEqual(found.region.col);
        expect(col).toBeLessThan(found.region.col + found.region.cols);
        expect(found.region.col + found.region.cols).toBeLessThanOrEqual(3 + cols);
      }),
    );
  });

  test('returns none outside the tile', () => {
    expect(bucketOf(tileOf(4, 2), 8, 3)).toBeNull();
    expect(bucketOf(tileOf(4, 2), 7, 2)).toBeNull();
    expect(bucketOf(tileOf(4, 2), 7, 7)).toBeNull();
  });
});

describe('shortValue', () => {
  test('writes as many digits as fit, with a real minus sign', () => {
    expect(shortValue(0.62, 5)).toBe('0.620');
    expect(shortValue(-0.3125, 5)).toBe('−0.31');
    expect(shortValue(1234.5, 5)).toBe('1235');
    expect(shortValue(1234.5, 6)).toBe('1234.5');
    expect(shortValue(Number.NaN, 4)).toBe('NaN');
    expect(shortValue(Number.NEGATIVE_INFINITY, 4)).toBe('−∞');
  });

  test('does not write zero for a value that is not', () => {
    expect(shortValue(0.00001, 5)).toBe('1e−5');
    expect(shortValue(0.00001, 2)).toBeNull();
    expect(shortValue(0, 5)).toBe('0.000');
  });

  test('never uses more characters than allowed', () => {
    fc.assert(
      fc.property(fc.double(), fc.integer({ min: 1, max: 9 }), (value, chars) => {
        expect((shortValue(value, chars) ?? '').length).toBeLessThanOrEqual(chars);
      }),
    );
  });
});

describe('TileColors', () => {
  const colors = new TileColors(LIGHT);

  test('gives an empty bucket the colour of the ground, and any other density another colour', () => {
    expect(unpackHex(colors.density(0, 0.5)).toUpperCase()).toBe(LIGHT.ground);
    expect(colors.density(1e-6, 0.5)).not.toBe(colors.density(0, 0.5));
    expect(colors.density(0.5, 0.5)).not.toBe(colors.density(0.25, 0.5));
  });

  test('distinguishes zero, signs, NaN and infinities', () => {
    const seen = [0, 0.5, -0.5, Number.NaN].map((v) => colors.value(v, 1));
    expect(new Set(seen).size).toBe(4);
    expect(colors.value(Number.POSITIVE_INFINITY, 1)).toBe(colors.value(1, 1));
    expect(colors.value(1, 0)).toBe(colors.value(1, 1));
  });

  test('returns one opaque pixel per bucket', () => {
    const region = { row: 0, col: 0, rows: 1, cols: 2 };
    const sizes = { width: 2, height: 1, rowsPerBucket: 1, colsPerBucket: 1 };
    const tile: Tile = { region, ...sizes, kind: 'cells', buckets: Float32Array.of(0, 1) };
    const pixels = colors.pixels(tile, 1);
    expect(pixels.length).toBe(8);
    expect([pixels[3], pixels[7]]).toEqual([255, 255]);
    expect(pixels.slice(0, 3)).not.toEqual(pixels.slice(4, 7));
  });
});
