import { describe, expect, test } from 'vitest';
import { buildMatrix } from '../../../test/arbitraries.ts';
import { rowBuffer } from '../../core/matrix/index.ts';
import { decode } from './decode.ts';
import { finish } from '../../core/job.ts';
import { encodeSteps } from './encode.ts';
import { passedColumns, storedDelta } from './layout.ts';

describe.for([1, 2, 4, 8] as const)('passedColumns with %i delta bits', (deltaBits) => {
  const matrix = buildMatrix({
    shape: [9, 777],
    pattern: 'uniform',
    values: 'normal',
    density: 0.2,
    seed: 5,
    storage: 'cells',
  });
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
