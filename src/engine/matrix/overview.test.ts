import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { finish } from '../../core/job.ts';
import { csrMatrix, denseMatrix, type Matrix, StoredDenseMatrix, toCsr, toDense } from '../../core/matrix/index.ts';
import { overviewSteps } from './overview.ts';
import type { SpyRequest } from './matrix-types.ts';
import { marginals, readRowPart, spyTile } from './spy.ts';
import { cases } from '../../../test/scheduled.ts';

/** The same cells as a dense matrix, as a CSR matrix, and as one that is neither. */
function everyKind(rows: number, cols: number, cells: Float32Array): Matrix[] {
  const dense = denseMatrix(rows, cols, cells);
  const csr = csrMatrix(toCsr(dense));
  const other: Matrix = { rows, cols, nnz: csr.nnz, readRow: (row, into) => csr.readRow(row, into) };
  return [dense, csr, other];
}

const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, -0) },
  { weight: 5, arbitrary: fc.float({ noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY) },
);
const shape = fc.oneof(
  fc.record({ rows: fc.nat(20), cols: fc.nat(20) }),
  fc.constantFrom({ rows: 1, cols: 97 }, { rows: 131, cols: 1 }, { rows: 7, cols: 96 }),
);
const arbitraryMatrix = shape
  .chain(({ rows, cols }) =>
    fc.record({
      rows: fc.constant(rows),
      cols: fc.constant(cols),
      cells: fc
        .array(value, { minLength: rows * cols, maxLength: rows * cols, size: 'max' })
        .map((list) => Float32Array.from(list)),
    }),
  )
  .chain(({ rows, cols, cells }) => fc.constantFrom(...everyKind(rows, cols, cells)));
/** How coarse the finest counts are: from one bucket for everything to one per cell, in 1 to 4 bytes. */
const maxGridBytes = fc.constantFrom(1, 4, 30, 1000);

describe('readRowPart', () => {
  it('reads the part of a row like readRow and a filter, for every kind of matrix', () => {
    fc.assert(
      fc.property(arbitraryMatrix, fc.nat(), fc.nat(), fc.nat(), (m, anyRow, a, b) => {
        fc.pre(m.rows > 0);
        const row = anyRow % m.rows;
        const [from, to] = [a % (m.cols + 1), b % (m.cols + 1)].toSorted((x, y) => x - y);
        const buffer = { columns: new Uint32Array(m.cols), values: new Float32Array(m.cols) };
        const n = m.readRow(row, buffer);
        const expected = Array.from({ length: n }, (_, i) => [buffer.columns[i], buffer.values[i]]);
        const found = readRowPart(m, row, from, to, buffer);
        expect(Array.from({ length: found }, (_, i) => [buffer.columns[i], buffer.values[i]])).toEqual(
          expected.filter(([col]) => col >= from && col < to),
        );
      }),
    );
  });
});

describe('overviewSteps', () => {
  it('counts the values of the cells', () => {
    fc.assert(
      fc.property(arbitraryMatrix, maxGridBytes, (m, max) => {
        const cells = [...toDense(m)];
        const stored = cells.filter((v) => v !== 0);
        const perRow = Array.from(
          { length: m.rows },
          (_, r) => cells.slice(r * m.cols, (r + 1) * m.cols).filter((v) => v !== 0).length,
        );
        const first = cells.findIndex((v) => v !== 0);
        const overview = finish(overviewSteps(m, max));
        expect(overview).toMatchObject({
          longestRow: Math.max(0, ...perRow),
          emptyRows: perRow.filter((n) => n === 0).length,
          absMax: Math.max(0, ...stored.filter(Number.isFinite).map(Math.abs)),
          nanCount: stored.filter(Number.isNaN).length,
          infCount: stored.filter((v) => Math.abs(v) === Number.POSITIVE_INFINITY).length,
          firstEntry: first < 0 ? null : { row: Math.floor(first / m.cols), col: first % m.cols },
        });
        expect([...overview.rowCounts]).toEqual(perRow);
        for (const grid of overview.grids) {
          let sum = 0;
          for (const n of grid.counts) sum += n;
          expect(sum).toBe(m.nnz);
          expect(grid.counts.byteLength).toBeLessThanOrEqual(Math.max(max, 4));
        }
      }),
    );
  });

  it('counts buckets of any number of cells', () => {
    for (const [rows, cols] of [
      [256, 256],
      [300, 257],
      [16, 16],
      [15, 17],
    ]) {
      const full = denseMatrix(rows, cols, new Float32Array(rows * cols).fill(1));
      const { grids } = finish(overviewSteps(full, 1));
      expect([...grids[grids.length - 1].counts]).toEqual([rows * cols]);
    }
  });

  it('checks for a cancel about every 2^20 cells', () => {
    const m = denseMatrix(1024, 8192, new Float32Array(1024 * 8192));
    const steps = overviewSteps(m);
    let yields = 0;
    while (!steps.next().done) yields++;
    expect(yields).toBeGreaterThanOrEqual(7);
  });
});

describe('spyTile', () => {
  it('returns the exact share of non-zeros of every bucket, or the values where a bucket is a cell', () => {
    const arbitraryRequest = fc.record({
      region: fc.record({ row: fc.nat(25), col: fc.nat(25), rows: fc.nat(140), cols: fc.nat(140) }),
      width: fc.integer({ min: 1, max: 40 }),
      height: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(arbitraryMatrix, maxGridBytes, arbitraryRequest, (m, max, request) => {
        const tile = spyTile(m, finish(overviewSteps(m, max)), request);
        const cells = toDense(m);
        const { region, width, height, rowsPerBucket, colsPerBucket } = tile;
        expect(tile.buckets).toHaveLength(width * height);
        expect(tile.kind).toBe(rowsPerBucket === 1 && colsPerBucket === 1 ? 'cells' : 'density');
        // It covers the requested region, on the fixed grid.
        const requested = request.region;
        expect(region.row % rowsPerBucket === 0 && region.col % colsPerBucket === 0).toBe(true);
        expect(region.row).toBeLessThanOrEqual(Math.min(requested.row, m.rows));
        expect(region.row + region.rows).toBeGreaterThanOrEqual(Math.min(requested.row + requested.rows, m.rows));
        expect(region.col + region.cols).toBeGreaterThanOrEqual(Math.min(requested.col + requested.cols, m.cols));
        expect(Math.ceil(Math.min(requested.rows, region.rows) / rowsPerBucket)).toBeLessThanOrEqual(
          request.height + 1,
        );
        for (let i = 0; i < height; i++) {
          for (let j = 0; j < width; j++) {
            const inBucket: number[] = [];
            for (
              let r = region.row + i * rowsPerBucket;
              r < Math.min(m.rows, region.row + (i + 1) * rowsPerBucket);
              r++
            ) {
              const end = Math.min(m.cols, region.col + (j + 1) * colsPerBucket);
              for (let c = region.col + j * colsPerBucket; c < end; c++) inBucket.push(cells[r * m.cols + c]);
            }
            const expected =
              tile.kind === 'cells' ? inBucket[0] || 0 : inBucket.filter((v) => v !== 0).length / inBucket.length;
            const found = tile.buckets[i * width + j];
            if (Number.isNaN(inBucket[0]) && tile.kind === 'cells') expect(found).toBeNaN();
            else expect(found).toBe(Math.fround(expected));
          }
        }
      }),
      { numRuns: cases(200, 500) },
    );
  });

  it('uses the least power of two with enough buckets to cover the region', () => {
    const m = denseMatrix(100, 100, new Float32Array(10_000).fill(1));
    const overview = finish(overviewSteps(m));
    const region = { row: 0, col: 0, rows: 100, cols: 100 };
    const shapes = [100, 99, 50, 49, 1].map((n) => {
      const { rowsPerBucket, height, kind } = spyTile(m, overview, { region, width: n, height: n });
      return [rowsPerBucket, height, kind];
    });
    expect(shapes).toEqual([
      [1, 100, 'cells'],
      [2, 50, 'density'],
      [2, 50, 'density'],
      [4, 25, 'density'],
      [128, 1, 'density'],
    ]);
  });

  it.each<[SpyRequest, string]>([
    [
      { region: { row: -1, col: 0, rows: 1, cols: 1 }, width: 1, height: 1 },
      'spy: found 1 × 1 cells at row -1, column 0, expected whole numbers of at least 0',
    ],
    [
      { region: { row: 0, col: 0, rows: 1, cols: 1 }, width: 0, height: 1 },
      'spy: found 0 × 1 buckets, expected 1 to 16777216 in all',
    ],
    [
      { region: { row: 0, col: 0, rows: 1, cols: 1 }, width: 5000, height: 5000 },
      'spy: found 5000 × 5000 buckets, expected 1 to 16777216 in all',
    ],
  ])('rejects %j', (request, message) => {
    const m = denseMatrix(1, 1, new Float32Array(1));
    expect(() => spyTile(m, finish(overviewSteps(m)), request)).toThrow(message);
  });
});

describe('marginals(overview, row groups, column groups)', () => {
  it('returns densities that add up to the non-zeros, for any number of groups', () => {
    fc.assert(
      fc.property(arbitraryMatrix, fc.integer({ min: 1, max: 40 }), (m, groups) => {
        fc.pre(m.rows > 0 && m.cols > 0);
        const { rowDensity, colDensity } = marginals(finish(overviewSteps(m)), groups, groups);
        expect(rowDensity).toHaveLength(Math.min(groups, m.rows));
        const groupSize = (i: number, groupCount: number, size: number): number =>
          Math.floor(((i + 1) * size) / groupCount) - Math.floor((i * size) / groupCount);
        const total = (densities: Float32Array, size: number, cellsPerLine: number): number =>
          densities.reduce((sum, d, i) => sum + d * groupSize(i, densities.length, size) * cellsPerLine, 0);
        expect(total(rowDensity, m.rows, m.cols)).toBeCloseTo(m.nnz, 2);
        expect(total(colDensity, m.cols, m.rows)).toBeCloseTo(m.nnz, 2);
      }),
    );
  });

  it('returns no density along an axis without cells', () => {
    const m = denseMatrix(0, 3, new Float32Array(0));
    const { rowDensity, colDensity } = marginals(finish(overviewSteps(m)), 8, 8);
    expect([rowDensity.length, [...colDensity]]).toEqual([0, [0, 0, 0]]);
  });
});

it.each([
  ['f32', denseMatrix(2 ** 24, 0, new Float32Array(0))],
  ['u8', new StoredDenseMatrix(2 ** 24, 0, new Uint8Array(0), new Float32Array(256))],
])(
  'overviewSteps reads no row of a matrix without columns, of which a short file can declare 16,777,216 rows: %s',
  (_type, m) => {
    const readRow = vi.spyOn(m, 'readRow');
    const steps = overviewSteps(m);
    let yields = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) yields++;
    expect(step.value.emptyRows).toBe(2 ** 24);
    // A pass over the rows, of the matrix or of a grid, would yield every few thousand of them.
    expect([readRow.mock.calls.length, yields]).toEqual([0, 0]);
  },
);
