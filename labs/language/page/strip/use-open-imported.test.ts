// The pruning with which a matrix of an imported model opens in Watch.

import { expect, it } from 'vitest';
import { pruningOfMatrixAlone } from './use-selection.ts';

it('pruningOfMatrixAlone returns the pruning if it depends only on the matrix, and null for Wanda', () => {
  expect(pruningOfMatrixAlone({ way: 'none' })).toBe('none');
  expect(pruningOfMatrixAlone({ way: 'rows', density: 0.5 })).toEqual({ way: 'rows', density: 0.5 });
  expect(pruningOfMatrixAlone({ way: 'n-of-m', kept: 2, group: 4, by: 'magnitude' })).toEqual({
    way: 'n-of-m',
    kept: 2,
    group: 4,
  });
  expect(pruningOfMatrixAlone({ way: 'wanda', density: 0.5 })).toBeNull();
  expect(pruningOfMatrixAlone({ way: 'n-of-m', kept: 2, group: 4, by: 'wanda' })).toBeNull();
});
