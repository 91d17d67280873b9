import { describe, expect, it, test } from 'vitest';
import { buildMatrix, uniformRecipe } from '../../../test/arbitraries.ts';
import { uniformMatrix, csrOf } from '../../../test/matrices.ts';
import { FormatError } from '../../core/errors.ts';
import { rowBuffer, toCsr } from '../../core/matrix/index.ts';
import { decode } from './decode.ts';
import { finish } from '../../core/job.ts';
import { encodeSteps } from './encode.ts';
import { expectedGap } from './card.ts';
import { encoding } from './encoding.ts';
import { type MackoEncoded, passedColumns, storedDelta } from './layout.ts';

describe.for([1, 2, 4, 8] as const)('passedColumns with %i delta bits', (deltaBits) => {
  const matrix = buildMatrix(uniformRecipe([9, 777], 0.2, 5, { storage: 'cells' }));
  const e = finish(encodeSteps(matrix, { deltaBits, valueType: 'f32' }));

  test('adds up to the last column of every row', () => {
    const row = rowBuffer(777);
    const decoded = decode(e);
    for (let r = 0; r < 9; r++) {
      const count = decoded.readRow(r, row);
      expect(passedColumns(e, e.indptr[r], e.indptr[r + 1])).toBe(row.columns[count - 1] + 1);
    }
  });

  test('is the sum of the gaps of any range of a row', () => {
    let passed = 0;
    for (let i = e.indptr[4]; i < e.indptr[5]; i++) {
      expect(passedColumns(e, e.indptr[4], i)).toBe(passed);
      passed += storedDelta(e, i) + 1;
    }
  });
});

describe('the check of a changed encoding', () => {
  /** Three entries in a group of eight, the last of them in the last column. */
  const m = csrOf([2, 12], [0, 1, 3], [5, 2, 11], [1, 2, 3]);
  const e: MackoEncoded = finish(encodeSteps(m, { deltaBits: 4, valueType: 'f32' }));

  test('rejects one column less: the last entry is right behind the last column', () => {
    expect(decode(e).nnz).toBe(3);
    expect(() => decode({ ...e, cols: 11 })).toThrow(
      new FormatError('row 1: found an entry at column 11, expected below 11'),
    );
  });

  test.for([3, 4, 7])('reports value %i, past the three entries, if it is not 0', (index) => {
    expect(encoding.validate(e, 'full')).toEqual([]);
    const values = Float32Array.from(e.values);
    values[index] = 1;
    expect(encoding.validate({ ...e, values }, 'full')).toEqual([
      { array: 'values', index, message: `values[${index}] in the tail: found a value other than 0, expected 0` },
    ]);
  });
});

it('expectedGap is the mean gap of random positions, at most as long as a row', () => {
  expect(expectedGap(1, 400)).toBe(1);
  // One non-zero anywhere in a row: the mean of 1 to 400.
  expect(expectedGap(1e-9, 400)).toBeCloseTo(200.5, 2);
  const [rows, cols] = [400, 60];
  for (const density of [0.02, 0.3]) {
    let gaps = 0;
    let nnz = 0;
    for (let seed = 0; seed < 10; seed++) {
      const { indptr, indices } = toCsr(uniformMatrix(rows, cols, density, seed));
      nnz += indices.length;
      for (let r = 0; r < rows; r++) if (indptr[r + 1] > indptr[r]) gaps += indices[indptr[r + 1] - 1] + 1;
    }
    expect(expectedGap(density, cols) / (gaps / nnz)).toBeCloseTo(1, 1);
  }
});
