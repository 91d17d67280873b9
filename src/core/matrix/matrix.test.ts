import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csrOf } from '../../../test/matrices.ts';
import { MatrixError } from '../errors.ts';
import { spmv } from '../oracle.ts';
import { csrMatrix, denseMatrix, lowerBound, rowBuffer, subMatrix, toCsr, toDense } from './index.ts';
import { cases } from '../../../test/scheduled.ts';

const shape = fc.record({ rows: fc.integer({ min: 0, max: 9 }), cols: fc.integer({ min: 0, max: 40 }) });
const cell = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(0, -0) },
  fc.float(),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** -149),
);
const cells = shape.chain(({ rows, cols }) =>
  fc
    .array(cell, { minLength: rows * cols, maxLength: rows * cols })
    .map((values) => ({ rows, cols, data: Float32Array.from(values) })),
);

/** -0 is not an entry, so it comes back as +0. */
const withoutMinusZero = (data: Float32Array): Float32Array => data.map((v) => (v === 0 ? 0 : v));

describe('dense and CSR matrices', () => {
  it('contain the same cells and count the same non-zeros', () => {
    fc.assert(
      fc.property(cells, ({ rows, cols, data }) => {
        const dense = denseMatrix(rows, cols, data);
        const csr = csrMatrix(toCsr(dense));
        expect(toDense(dense)).toEqual(withoutMinusZero(data));
        expect(toDense(csr)).toEqual(withoutMinusZero(data));
        expect(csr.nnz).toBe(data.filter((v) => v !== 0).length);
        expect(dense.nnz).toBe(csr.nnz);
      }),
      { numRuns: cases(200, 500) },
    );
  });

  it('copy any region', () => {
    fc.assert(
      fc.property(cells, fc.nat(), fc.nat(), fc.nat(), fc.nat(), ({ rows, cols, data }, a, b, c, d) => {
        const row = a % (rows + 1);
        const col = b % (cols + 1);
        const region = { row, col, rows: c % (rows - row + 1), cols: d % (cols - col + 1) };
        const part = toDense(subMatrix(denseMatrix(rows, cols, data), region));
        for (let r = 0; r < region.rows; r++) {
          const expected = withoutMinusZero(data).subarray(
            (row + r) * cols + col,
            (row + r) * cols + col + region.cols,
          );
          expect(part.subarray(r * region.cols, (r + 1) * region.cols)).toEqual(expected);
        }
      }),
    );
  });

  it('drop explicit zeros of CSR arrays', () => {
    const m = csrOf([2, 3], [0, 2, 3], [0, 2, 1], [0, 5, -0]);
    expect(m.nnz).toBe(1);
    expect(Array.from(toDense(m))).toEqual([0, 0, 5, 0, 0, 0]);
  });

  it('reject arrays that contradict each other, with a message', () => {
    const valid = {
      rows: 2,
      cols: 3,
      indptr: Uint32Array.of(0, 1, 2),
      indices: Uint32Array.of(0, 2),
      data: Float32Array.of(1, 2),
    };
    const invalid: [Partial<typeof valid>, string][] = [
      [{ indptr: Uint32Array.of(0, 1) }, 'indptr: found 2 entries, expected rows + 1 = 3'],
      [{ indptr: Uint32Array.of(1, 1, 2) }, 'indptr[0]: found 1, expected 0'],
      [{ indptr: Uint32Array.of(0, 3, 2) }, 'indptr[1]: found 3, expected at most the number of entries, 2'],
      [{ indptr: Uint32Array.of(0, 1, 3) }, 'indptr[2]: found 3, expected the number of entries, 2'],
      [{ indices: Uint32Array.of(0, 3) }, 'indices[1] in row 1: found column 3, expected below 3'],
      [
        { indptr: Uint32Array.of(0, 2, 2), indices: Uint32Array.of(1, 1) },
        'indices[1] in row 0: found column 1 after 1, expected ascending columns',
      ],
      [{ data: Float32Array.of(1) }, 'indices and data: found 2 and 1 entries, expected equal numbers'],
      [{ rows: -1 }, 'rows: found -1, expected a whole number from 0 to 2147483647'],
    ];
    for (const [change, message] of invalid)
      expect(() => csrMatrix({ ...valid, ...change })).toThrow(new MatrixError(message));
    expect(() => denseMatrix(2, 2, new Float32Array(3))).toThrow('dense data: found 3 values, expected 2 × 2 = 4');
  });

  it('are multiplied in f64 by `spmv`', () => {
    const m = denseMatrix(2, 3, Float32Array.of(1, 2, 3, 0, 0, 1e-20));
    expect(Array.from(spmv(m, Float32Array.of(1, 10, 100)))).toEqual([321, Math.fround(1e-20) * 100]);
    expect(() => spmv(m, new Float32Array(2))).toThrow('x: found 2 values, expected one per column, 3');
  });
});

it('lowerBound is the first position whose value is at least the wanted one', () => {
  const values = Uint32Array.of(2, 4, 4, 9);
  expect([0, 2, 3, 4, 5, 9, 10].map((v) => lowerBound(values, 4, v))).toEqual([0, 0, 1, 1, 3, 3, 4]);
});

it('rowBuffer has space for a whole row', () => expect(rowBuffer(7).columns.length).toBe(7));

describe('readRow rejects', () => {
  const dense = denseMatrix(2, 3, Float32Array.of(0, 1, 0, 2, 0, -3));
  const available = { columns: new Uint32Array(3), values: new Float32Array(3) };

  it.each([
    [2, available, 'row: found 2 with columns 0 to 3, expected whole numbers inside 2 × 3'],
    [-1, available, 'row: found -1 with '],
    [0.5, available, 'row: found 0.5 with '],
    [Number.NaN, available, 'row: found NaN with '],
    [
      0,
      { ...available, values: new Float64Array(3) },
      'into: found other arrays, expected columns, a Uint32Array, and values',
    ],
    [0, { ...available, columns: [] }, 'into: found other arrays, '],
    [0, { ...available, values: new Float32Array(2) }, 'into: found other arrays, '],
  ])('row %s into %o', (row, into, text) => {
    for (const m of [dense, csrMatrix(toCsr(dense))]) expect(() => m.readRow(row, into as never)).toThrow(text);
  });
});
