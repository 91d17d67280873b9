import { expect, it } from 'vitest';
import { ofMatrixAlone } from './use-selecting.ts';

it('leaves a pruning to the sentence where the matrix alone decides what stays', () => {
  expect(ofMatrixAlone({ way: 'none' })).toBe('none');
  expect(ofMatrixAlone({ way: 'rows', density: 0.5 })).toEqual({ way: 'rows', density: 0.5 });
  expect(ofMatrixAlone({ way: 'n-of-m', kept: 2, group: 4, by: 'magnitude' })).toEqual({
    way: 'n-of-m',
    kept: 2,
    group: 4,
  });
  expect(ofMatrixAlone({ way: 'wanda', density: 0.5 })).toBeNull();
  expect(ofMatrixAlone({ way: 'n-of-m', kept: 2, group: 4, by: 'wanda' })).toBeNull();
});
