import { expect, it } from 'vitest';
import { pruningOf, METHODS } from './PrunedPopover.tsx';

it('begins with half of the density of the matrix, and keeps the share when the method changes', () => {
  expect(pruningOf('magnitude', null, 1)).toEqual({ way: 'magnitude', density: 0.5 });
  expect(pruningOf('rows', null, 0.3)).toEqual({ way: 'rows', density: 0.15 });
  expect(pruningOf('random', { way: 'rows', density: 0.2 }, 1)).toEqual({ way: 'random', density: 0.2, seed: 1 });
  expect(pruningOf('magnitude', { way: 'n-of-m', kept: 6, group: 8 }, 1)).toEqual({ way: 'magnitude', density: 0.75 });
  expect(pruningOf('magnitude', null, 0.0001)).toEqual({ way: 'magnitude', density: 0.005 });
});

it('ends with the matrix as it came', () => {
  for (const { method } of METHODS) {
    const pruning = pruningOf(method, null, 0.5);
    expect(pruning?.way ?? 'none').toBe(method);
    expect(pruningOf('none', pruning, 0.5)).toBeNull();
  }
});
