import { expect, it } from 'vitest';
import { denseMatrix } from '../../core/matrix/index.ts';
import { slideSparse } from './index.ts';
import type { HalfGroup } from './params.ts';

const factsOf = (cols: number, halfGroup: HalfGroup): readonly string[] => {
  const m = denseMatrix(
    1,
    cols,
    Float32Array.from({ length: cols }, (_, c) => (c % 4 < 2 ? 1 : 0)),
  );
  const e = slideSparse.encode(m, { halfGroup, valueType: 'f16' });
  return (slideSparse.facts?.(e) ?? []).map(({ label, value }) => `${label}: ${value}`);
};

it('the facts of a pattern are its length, its bytes, its slots in use, and what was published', () => {
  expect(factsOf(32, 2)).toEqual([
    'slid columns per column: 1.00',
    'speed by bytes: 1.78×',
    'kept slots in use: 100\u202f%',
    'published speed: 2.07×',
  ]);
  expect(factsOf(64, 8)).toEqual([
    'slid columns per column: 1.75',
    'speed by bytes: 1.02×',
    'kept slots in use: 50\u202f%',
  ]);
  expect(factsOf(0, 2)).toContain('kept slots in use: 0\u202f%');
});
