import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsMatrix, csrOf } from '../../../test/matrices.ts';
import { buildMatrix, matrixRecipe } from '../../../test/arbitraries.ts';
import { type AnyFormat, defaultParams, storyParams } from '../../core/format.ts';
import { finish } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { formats } from '../../formats/registry.ts';
import { generate } from '../../generate/generate.ts';
import { type FoundRegion, highlightSteps } from './highlights.ts';

const formatsWithHighlight = formats.filter(({ highlight }) => highlight);
const formatOf = (id: string): AnyFormat => formats.find((format) => format.id === id) ?? formatsWithHighlight[0];
const storyParamsOf = (format: AnyFormat): object =>
  storyParams(format.params, defaultParams<Record<string, unknown>>(format.params));

function regionOf(m: Matrix, id: string, after: number | null = null): FoundRegion | null {
  const format = formatOf(id);
  return finish(highlightSteps(m, format.highlight, storyParamsOf(format), after));
}

/** A matrix whose rows have the columns `usualColumns`, except the rows of `otherRows`. */
function matrixOf(
  cols: number,
  rows: number,
  usualColumns: readonly number[],
  otherRows: Record<number, number[]>,
): Matrix {
  return columnsMatrix(
    cols,
    Array.from({ length: rows }, (_, row) => otherRows[row] ?? usualColumns),
  );
}

const EVERY_8 = Array.from({ length: 64 }, (_, i) => 8 * i);
const withSkip = (width: number): number[] => EVERY_8.filter((c) => c <= 200 || c >= 200 + width);

describe('the window that shows a highlight', () => {
  it('of MACKO is the skip with most stored zeros that fits, anywhere in the matrix, in the lowest of such rows', () => {
    const m = matrixOf(2000, 400, EVERY_8, { 90: withSkip(24), 350: withSkip(80), 380: withSkip(80) });
    // The window has the whole skip and three weights before it. It begins right after another weight, so that its first
    // skip is as long as in the matrix.
    expect(regionOf(m, 'macko')).toEqual({ region: { row: 350, col: 177, rows: 5, cols: 104 }, hasCase: true });
  });

  it('of MACKO is preferably a skip with three ordinary weights before it', () => {
    const plainSkip = [192, 195, 198, 200, 220];
    const m = matrixOf(512, 400, EVERY_8, { 20: withSkip(80), 90: plainSkip });
    expect(regionOf(m, 'macko')).toEqual({ region: { row: 90, col: 193, rows: 5, cols: 32 }, hasCase: true });
  });

  it('of MACKO is as wide as its skip: five entries of 300 × 400 have the window of the row with 24 zeros, and all its columns', () => {
    const rows: readonly number[][] = Array.from({ length: 300 }, () => []);
    for (const [row, col] of [
      [0, 0],
      [0, 20],
      [149, 398],
      [199, 199],
      [299, 399],
    ])
      rows[row].push(col);
    expect(regionOf(columnsMatrix(400, rows), 'macko')).toEqual({
      region: { row: 149, col: 0, rows: 5, cols: 400 },
      hasCase: true,
    });
    // A skip that fits into no window is ignored, and no window is wider than the maximum.
    const far = columnsMatrix(10_000, [[9000], [100, 4195], [3], [5], [7], [9]]);
    expect(regionOf(far, 'macko')?.region).toEqual({ row: 1, col: 100, rows: 1, cols: 4096 });
  });

  it('of MACKO is its longest skip where nothing is stored for it', () => {
    const m = matrixOf(512, 40, EVERY_8, { 9: withSkip(16) });
    expect(regionOf(m, 'macko')).toMatchObject({ region: { row: 9 }, hasCase: false });
  });

  it('begins at the row, also at the end of a matrix', () => {
    const m = matrixOf(512, 40, EVERY_8, { 38: withSkip(24) });
    expect(regionOf(m, 'macko')?.region).toEqual({ row: 38, col: 193, rows: 2, cols: 32 });
  });

  it('goes on to the next position after a row, and from the end to the top', () => {
    const m = matrixOf(512, 60, EVERY_8, { 9: withSkip(24), 30: withSkip(24), 50: withSkip(16) });
    expect([null, 9, 29, 30, 59].map((after) => regionOf(m, 'macko', after)?.region.row)).toEqual([9, 30, 30, 9, 9]);
    expect(regionOf(matrixOf(512, 60, EVERY_8, {}), 'macko', 3)).toBeNull();
    expect(regionOf(matrixOf(512, 60, EVERY_8, {}), 'csr', 3)).toBeNull();
  });

  it('of EC-SpMV has the eight rows of a block in planted blocks, and is the densest row where no columns are shared', () => {
    const spec = { pattern: 'planted-blocks', rows: 512, cols: 512, density: 0.1, seed: 2 };
    const request = regionOf(generate({ ...spec, options: { granularity: 8, width: 32, noise: 0 } }), 'ec-csr');
    expect(request).toEqual({ region: { row: 0, col: 96, rows: 8, cols: 32 }, hasCase: true });
    // The columns of a block may be anywhere.
    const spread = [3, 99, 180, 181, 300, 420, 421, 500];
    const block = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [20 + i, spread]));
    expect(regionOf(matrixOf(600, 40, [1], block), 'ec-csr')).toEqual({
      region: { row: 20, col: 3, rows: 8, cols: 498 },
      hasCase: true,
    });
    const diagonal = (n: number) => Array.from({ length: n }, (_, i) => [i]);
    expect(regionOf(columnsMatrix(64, diagonal(64)), 'ec-csr')).toBeNull();
    const matrix = columnsMatrix(90, [...diagonal(80), [3, 70]]);
    expect(regionOf(matrix, 'ec-csr')).toEqual({ region: { row: 80, col: 0, rows: 1, cols: 90 }, hasCase: false });
  });

  it('of SlideSparse begins at the group before the group in which a weight slides on', () => {
    const slidingColumns = [80, 81, 82, 85];
    const fixedColumns = [0, 1, 4, 5, 8, 9, 80, 81, 84, 85];
    expect(regionOf(matrixOf(96, 30, fixedColumns, { 20: slidingColumns }), 'slidesparse')).toEqual({
      region: { row: 20, col: 64, rows: 5, cols: 32 },
      hasCase: true,
    });
    expect(regionOf(matrixOf(96, 30, fixedColumns, {}), 'slidesparse')).toEqual({
      region: { row: 0, col: 0, rows: 5, cols: 96 },
      hasCase: false,
    });
  });

  it('of TwELL is the only tile of its window that overflows, else a full tile, else one of several that overflow', () => {
    const fullTile = [40, 41, 42];
    const overflowing = [0, 1, 2, 3, 60];
    const twoOverflowing = [0, 1, 2, 3, 8, 9, 10, 11];
    expect(regionOf(matrixOf(96, 30, [70], { 4: overflowing, 20: fullTile }), 'twell')).toMatchObject({
      region: { row: 4, col: 0 },
      hasCase: true,
    });
    expect(regionOf(matrixOf(96, 30, [70], { 4: twoOverflowing, 20: fullTile }), 'twell')).toMatchObject({
      region: { row: 20, col: 32 },
      hasCase: true,
    });
    expect(regionOf(matrixOf(96, 30, [70], { 4: twoOverflowing }), 'twell')).toMatchObject({
      region: { row: 4, col: 0 },
      hasCase: true,
    });
  });

  it('of a format without `highlight` is the densest row: all of it, or its fullest part', () => {
    const fewColumns = [3, 40, 90, 400];
    const manyColumns = Array.from({ length: 30 }, (_, i) => 200 + i);
    expect(regionOf(matrixOf(512, 90, [1, 5], { 30: fewColumns, 60: fewColumns }), 'csr')?.region).toEqual({
      row: 30,
      col: 0,
      rows: 5,
      cols: 512,
    });
    expect(regionOf(matrixOf(512, 90, [1, 5], { 30: fewColumns, 60: manyColumns }), 'csr')?.region).toEqual({
      row: 60,
      col: 200,
      rows: 5,
      cols: 32,
    });
  });

  it('does not exist for a matrix without non-zeros', () => {
    for (const [rows, cols] of [
      [0, 0],
      [0, 9],
      [9, 0],
      [70, 90],
    ]) {
      const empty = csrOf([rows, cols], new Uint32Array(rows + 1), []);
      for (const { id } of formatsWithHighlight) expect(regionOf(empty, id), id).toBeNull();
    }
  });

  it.each(formatsWithHighlight.map((format) => [format.id, format] as const))(
    'of %s is within the matrix, and the best of all rows',
    (id, format) => {
      let foundCount = 0;
      fc.assert(
        fc.property(matrixRecipe(40, 120), (recipe) => {
          const m = buildMatrix(recipe);
          const buffer = rowBuffer(m.cols);
          const rows = Array.from({ length: m.rows }, (_, r) => buffer.columns.slice(0, m.readRow(r, buffer)));
          const highlightOfRows = format.highlight?.(storyParamsOf(format), m);
          const scores = rows.map((_, r) => highlightOfRows?.(rows.slice(r, r + 8))?.score ?? 0);
          const best = Math.max(0, ...scores);
          const request = regionOf(m, id);
          if (request === null) {
            expect(best).toBe(0);
            expect(m.nnz === 0 || (m.rows <= 64 && m.cols <= 64)).toBe(true);
            return;
          }
          foundCount++;
          const { row, col, rows: height, cols } = request.region;
          if (best > 0) expect(row).toBe(scores.indexOf(best));
          else expect(request.hasCase).toBe(false);
          expect([row + height <= m.rows, col >= 0, col + cols <= m.cols]).not.toContain(false);
          expect([height >= 1, height <= 8, height * cols <= 4096]).not.toContain(false);
        }),
        { numRuns: 200 },
      );
      expect(foundCount).toBeGreaterThan(10);
    },
  );
});
