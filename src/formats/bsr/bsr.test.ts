import { expect, it } from 'vitest';
import { matrixOf } from '../../../test/matrices.ts';
import { csrMatrix } from '../../core/matrix/index.ts';
import { BlockFinder } from './encoding.ts';
import { bsr } from './index.ts';
import { type BsrParams } from './params.ts';
import { story } from './story/index.ts';

const P2: BsrParams = { blockSize: 2, valueType: 'f32' };
/** The worked example of docs/formats/bsr.md. */
const A = matrixOf([0, 3, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 5]);

it('bsr encode rejects more blocks than fit in one array, with need, limit and a remedy', () => {
  // One non-zero in every block of 2100 × 2100.
  const edge = 16 * 2100;
  const indptr = Uint32Array.from({ length: edge + 1 }, (_, r) => 2100 * Math.ceil(r / 16));
  const indices = Uint32Array.from({ length: 2100 ** 2 }, (_, i) => 16 * (i % 2100));
  const m = csrMatrix({ rows: edge, cols: edge, indptr, indices, data: new Float32Array(indices.length).fill(1) });
  const support = bsr.admits(m, { blockSize: 16, valueType: 'f32' });
  expect(support).toMatchObject({
    ok: false,
    reason: 'data: needs 4.52 GB, one array holds at most 4.29 GB',
    remedy: 'Choose smaller blocks, a narrower value type, or a part of the matrix.',
  });
});

it('bsr validate reports where blocks, offsets or cells are wrong', () => {
  const e = bsr.encode(matrixOf([1, 2, 3], [4, 5, 6], [7, 8, 9]), P2);
  const messages = (change: Partial<typeof e>): string[] =>
    bsr.validate({ ...e, ...change }, 'full').map((violation) => violation.message);
  expect(messages({ indices: Uint32Array.of(0, 2, 0, 1) })).toEqual([
    'indices[1] in row 0: found column 2, expected below 2',
  ]);
  expect(messages({ indptr: Uint32Array.of(0, 5, 4) })[0]).toBe('indptr[2]: found 4, expected at least indptr[1] = 5');
  const data = Float32Array.from(e.data);
  data[5] = 7;
  expect(messages({ data })).toEqual(['data[5], beyond the matrix: found 7, expected 0']);
});

it('the story of bsr draws zeros of stored blocks as padding once it has narrated them', () => {
  const t = story.trace(A, P2);
  const cells = (step: number) =>
    story
      .scene(t, step)
      .panels.find(({ id }) => id === 'elements of data')
      ?.marks.map(({ tone, state }) => state ?? tone);
  expect(cells(6)).toEqual(['ghost', 'values', 'values', ...Array<string>(5).fill('ghost')]);
  expect(cells(7)).toEqual(['padding', 'values', 'values', 'padding', ...Array<string>(4).fill('ghost')]);
});

it('BlockFinder finds the blocks of a block row in ascending order, in steps that do not grow with the columns', () => {
  const cols = 1_000_000;
  const finder = new BlockFinder(cols, 4);
  // Rows with one non-zero each, and then a row with one in every column.
  const blockRows = 2000;
  for (let i = 0; i < blockRows; i++) {
    const [first, second] = [(i * 7919 + 400_000) % cols, (i * 104_729) % 300_000];
    expect(finder.add(Uint32Array.of(first), 1, i)).toBe(1);
    expect(finder.add(Uint32Array.of(second, first), 2, i)).toBe(second >>> 2 === first >>> 2 ? 0 : 1);
    const blocks = finder.ascending().subarray(0, finder.count);
    expect([...blocks]).toEqual([...new Set([first >>> 2, second >>> 2])].toSorted((a, b) => a - b));
  }
  expect(finder.searched).toBeLessThanOrEqual(2 * blockRows);
  const everyColumn = Uint32Array.from({ length: cols }, (_, c) => c);
  expect(finder.add(everyColumn, cols, blockRows)).toBe(cols / 4);
  expect(finder.add(everyColumn, cols, blockRows)).toBe(0);
  expect(finder.ascending()).toEqual(Uint32Array.from({ length: cols / 4 }, (_, b) => b));
  expect(finder.searched).toBeLessThanOrEqual(2 * blockRows + cols / 4);
});

it('BlockFinder finds the same blocks by sorting and by searching', () => {
  // 17 block columns per block row are sorted among 400, and searched for among 100.
  const columns = Uint32Array.from({ length: 17 }, (_, k) => (k * 13) % 100);
  for (const blockColumns of [100, 400]) {
    const finder = new BlockFinder(2 * blockColumns, 2);
    const inRows = [columns.slice(0, 9), columns.slice(9)].map((part) => part.map((b) => 2 * b).toSorted());
    for (const row of inRows) finder.add(row, row.length, 0);
    expect([...finder.ascending().subarray(0, finder.count)]).toEqual([...columns].toSorted((a, b) => a - b));
  }
});
