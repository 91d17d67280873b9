import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsMatrix } from '../../../test/matrices.ts';
import { buildMatrix, matrixRecipe } from '../../../test/arbitraries.ts';
import { type AnyFormat, defaultParams, stageParams } from '../../core/format.ts';
import { finish } from '../../core/job.ts';
import { csrMatrix, type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { formats } from '../../formats/registry.ts';
import { generate } from '../../generate/generate.ts';
import { type Cut, highlightSteps } from './highlights.ts';

const known = formats.filter(({ highlight }) => highlight);
const formatOf = (id: string): AnyFormat => known.find((format) => format.id === id) ?? known[0];
const onStage = (format: AnyFormat): object =>
  stageParams(format.params, defaultParams<Record<string, unknown>>(format.params));

function cutOf(m: Matrix, id: string, after: number | null = null): Cut | null {
  const format = formatOf(id);
  return format.highlight ? finish(highlightSteps(m, format.highlight, onStage(format), after)) : null;
}

/** Rows of the same columns, but for some. */
function rowsBut(cols: number, rows: number, usual: readonly number[], others: Record<number, number[]>): Matrix {
  return columnsMatrix(
    cols,
    Array.from({ length: rows }, (_, row) => others[row] ?? usual),
  );
}

const EVERY_8 = Array.from({ length: 64 }, (_, i) => 8 * i);
const withSkip = (width: number): number[] => EVERY_8.filter((c) => c <= 200 || c >= 200 + width);

describe('the cut that shows a highlight', () => {
  it('of MACKO is the skip with most stored zeros that fits, anywhere in the matrix, in the lowest of such rows', () => {
    const m = rowsBut(512, 400, EVERY_8, { 90: withSkip(24), 350: withSkip(24), 380: withSkip(80) });
    // Its first skip is that of the matrix: it begins behind the weight before.
    expect(cutOf(m, 'macko')).toEqual({ region: { row: 90, col: 193, rows: 5, cols: 32 }, happens: true });
  });

  it('of MACKO is its longest skip where nothing is stored for it', () => {
    const m = rowsBut(512, 40, EVERY_8, { 9: withSkip(16) });
    expect(cutOf(m, 'macko')).toMatchObject({ region: { row: 9 }, happens: false });
  });

  it('begins at the row, also at the end of a matrix', () => {
    const m = rowsBut(512, 40, EVERY_8, { 38: withSkip(24) });
    expect(cutOf(m, 'macko')?.region).toEqual({ row: 38, col: 193, rows: 2, cols: 32 });
  });

  it('goes on to the next place behind a row, and from the end to the top', () => {
    const m = rowsBut(512, 60, EVERY_8, { 9: withSkip(24), 30: withSkip(24), 50: withSkip(16) });
    expect([null, 9, 29, 30, 59].map((after) => cutOf(m, 'macko', after)?.region.row)).toEqual([9, 30, 30, 9, 9]);
    expect(cutOf(rowsBut(512, 60, EVERY_8, {}), 'macko', 3)).toBeNull();
  });

  it('of EC-SpMV has two rows with a block in planted blocks, and is none where no columns are shared', () => {
    const spec = { pattern: 'planted-blocks', rows: 512, cols: 512, density: 0.1, seed: 2 };
    const cut = cutOf(generate({ ...spec, options: { granularity: 8, width: 32, noise: 0 } }), 'ec-csr');
    expect(cut).toMatchObject({ region: { rows: 5 }, happens: true });
    const diagonal = columnsMatrix(
      64,
      Array.from({ length: 64 }, (_, i) => [i]),
    );
    expect(cutOf(diagonal, 'ec-csr')).toBeNull();
  });

  it('of SlideSparse begins at a group, the one before that in which a weight slides on', () => {
    const slides = [80, 81, 82, 85];
    const stays = [0, 1, 4, 5, 8, 9, 80, 81, 84, 85];
    expect(cutOf(rowsBut(96, 30, stays, { 20: slides }), 'slidesparse')).toEqual({
      region: { row: 20, col: 64, rows: 5, cols: 32 },
      happens: true,
    });
    expect(cutOf(rowsBut(96, 30, stays, {}), 'slidesparse')).toBeNull();
  });

  it('of TwELL is a full tile beside none that overflows, else one that overflows', () => {
    const full = [40, 41, 42];
    const over = [0, 1, 2, 3, 60];
    expect(cutOf(rowsBut(96, 30, [70], { 4: over, 20: full }), 'twell')).toMatchObject({
      region: { row: 20, col: 32 },
      happens: true,
    });
    expect(cutOf(rowsBut(96, 30, [70], { 4: over }), 'twell')).toMatchObject({
      region: { row: 4, col: 0 },
      happens: true,
    });
  });

  it('is none of a matrix without non-zeros', () => {
    for (const [rows, cols] of [
      [0, 0],
      [0, 9],
      [9, 0],
      [70, 90],
    ]) {
      const empty = csrMatrix({
        rows,
        cols,
        indptr: new Uint32Array(rows + 1),
        indices: new Uint32Array(0),
        data: new Float32Array(0),
      });
      for (const { id } of known) expect(cutOf(empty, id), id).toBeNull();
    }
  });

  it.each(known.map((format) => [format.id, format] as const))(
    'of %s is within the matrix, and the best of all rows',
    (id, format) => {
      let met = 0;
      fc.assert(
        fc.property(matrixRecipe(40, 120), (recipe) => {
          const m = buildMatrix(recipe);
          const buffer = rowBuffer(m.cols);
          const rows = Array.from({ length: m.rows }, (_, r) => buffer.columns.slice(0, m.readRow(r, buffer)));
          const amounts = rows.map((_, r) => format.highlight?.(rows.slice(r, r + 5), m, onStage(format))?.amount ?? 0);
          const cut = cutOf(m, id);
          if (cut === null) {
            expect(Math.max(0, ...amounts)).toBe(0);
            return;
          }
          met++;
          const { row, col, rows: height, cols } = cut.region;
          expect(row).toBe(amounts.indexOf(Math.max(...amounts)));
          expect([row + height <= m.rows, col >= 0, col + cols <= m.cols, height <= 5, cols <= 64]).not.toContain(
            false,
          );
        }),
        { numRuns: 200 },
      );
      expect(met).toBeGreaterThan(10);
    },
  );
});
