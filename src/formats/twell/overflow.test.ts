import { expect, it } from 'vitest';
import { denseMatrix } from '../../core/matrix/index.ts';
import { overflowCount, overflowOf } from './overflow.ts';

it('reports how many overflow besides the first', () => {
  expect(overflowCount(1, 1, 'tile row')).toBe('no other tile row overflows');
  expect(overflowCount(1, 45056, 'token')).toBe('no other token overflows');
  expect(overflowCount(2, 45056, 'tile row')).toBe('2 of 45056 tile rows overflow');
});

it('overflowOf counts by row and by tile, and keeps the first and the fullest', () => {
  const cells = new Float32Array(3 * 20).fill(1);
  cells.fill(0, 20, 40);
  cells.fill(0, 0, 6);
  // Row 0 has 2, 8 and 4 in its tiles of 8, 8 and 4 columns; row 1 none; row 2 all.
  const m = denseMatrix(3, 20, cells);
  expect(overflowOf(m, 8, 3)).toEqual({
    first: { row: 0, tile: 1, count: 8 },
    fullest: { row: 0, tile: 1, count: 8 },
    tileRows: 5,
    allTileRows: 9,
    byRow: Uint32Array.of(2, 0, 3),
    byTile: Uint32Array.of(1, 2, 2),
  });
  expect(overflowOf(m, 8, 4)).toMatchObject({ tileRows: 3, byTile: Uint32Array.of(1, 2, 0) });
  expect(overflowOf(m, 8, 8)).toBeNull();
});
