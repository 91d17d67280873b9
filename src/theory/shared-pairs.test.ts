import { expect, it } from 'vitest';
import { denseMatrix } from '../core/matrix/index.ts';
import { generate } from '../generate/generate.ts';
import { sharedPairs } from './shared-pairs.ts';

it('sharedPairs pairs each free row with the free row that shares the most columns, and counts the weights of both there', () => {
  // Row 0 shares two columns with row 2 and one with row 1, so it is paired with row 2; row 1 is paired with row 3, which shares one.
  const m = denseMatrix(4, 6, Float32Array.of(1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1));
  expect(sharedPairs(m)).toMatchObject({ nnz: 10, paired: 6 });
});

it('sharedPairs finds as many shared weights as in its random control for random rows, and all for equal rows', () => {
  const pairsIn = (pattern: string) => sharedPairs(generate({ pattern, rows: 256, cols: 512, density: 0.25, seed: 3 }));
  const { nnz, paired, random } = pairsIn('uniform');
  expect(paired / random).toBeCloseTo(1, 1);
  expect(random / nnz).toBeGreaterThan(0.25);
  const alike = denseMatrix(
    4,
    40,
    Float32Array.from({ length: 160 }, (_, i) => (i % 40 < 10 ? 1 : 0)),
  );
  expect(sharedPairs(alike)).toMatchObject({ nnz: 40, paired: 40 });
  expect(sharedPairs(alike).random).toBeLessThan(40);
});

it('sharedPairs counts nothing in an empty matrix', () => {
  expect(sharedPairs(denseMatrix(3, 4, new Float32Array(12)))).toEqual({ nnz: 0, paired: 0, random: 0 });
});
