import fc from 'fast-check';
import { expect, it } from 'vitest';
import { finish } from '../../core/job.ts';
import { csrMatrix, denseMatrix, toCsr, toDense } from '../../core/matrix/index.ts';
import { tileHistogramSteps } from './tile-counts.ts';

it('counts the non-zeros of every row and tile row, however the matrix is stored', () => {
  const matrices = fc
    .tuple(fc.nat(9), fc.nat(40), fc.integer({ min: 1, max: 48 }))
    .chain(([rows, cols, tileWidth]) =>
      fc
        .array(fc.constantFrom(0, 0, 1, Number.NaN), { minLength: rows * cols, maxLength: rows * cols })
        .map((cells) => ({ m: denseMatrix(rows, cols, Float32Array.from(cells)), tileWidth })),
    );
  fc.assert(
    fc.property(matrices, ({ m, tileWidth }) => {
      const cells = toDense(m);
      const max = Math.min(tileWidth, m.cols);
      const expected = { rows: new Map<number, number>(), tileRows: new Map(), fullest: new Map() };
      const add = (to: Map<number, number>, count: number): void => void to.set(count, (to.get(count) ?? 0) + 1);
      for (let r = 0; r < m.rows; r++) {
        const row = cells.subarray(r * m.cols, (r + 1) * m.cols);
        const counts = [0];
        for (let c = 0; c < m.cols; c += tileWidth) {
          counts.push(row.subarray(c, c + tileWidth).filter((v) => v !== 0).length);
          add(expected.tileRows, counts[counts.length - 1]);
        }
        add(expected.rows, row.filter((v) => v !== 0).length);
        add(expected.fullest, Math.max(...counts));
      }
      const found = finish(tileHistogramSteps(m, tileWidth));
      for (const name of ['rows', 'tileRows', 'fullest'] as const) {
        found[name].forEach((n, k) => expect(n).toBe(expected[name].get(k) ?? 0));
        expect(found[name].reduce((a, b) => a + b, 0)).toBe([...expected[name].values()].reduce((a, b) => a + b, 0));
      }
      expect(found.tileRows).toHaveLength(max + 1);
      expect(found.rows).toHaveLength(m.rows === 0 ? 0 : Math.max(...expected.rows.keys()) + 1);
      expect(finish(tileHistogramSteps(csrMatrix(toCsr(m)), tileWidth))).toEqual(found);
    }),
  );
});

it('rejects tiles without columns', () => {
  const m = denseMatrix(1, 1, Float32Array.of(1));
  for (const width of [0, 1.5, Number.NaN]) {
    expect(() => finish(tileHistogramSteps(m, width))).toThrow(
      `tileWidth: found ${width}, expected a whole number from 1`,
    );
  }
});
