import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { csrMatrix } from '../core/matrix/index.ts';
import { type AddEntry, type CooArrays, csrOf, mergedCoo, type Symmetry } from './coo.ts';
import { NO_JOB } from '../core/job.ts';
import { cases } from '../../test/scheduled.ts';

interface Entry {
  readonly row: number;
  readonly col: number;
  readonly value: number;
}

/** The cells by 'row,col', each summed in f64 in file order and then rounded, zeros left out. */
function expectedCells(entries: readonly Entry[], symmetry: Symmetry): Map<string, number> {
  const sums = new Map<string, number>();
  const add = (row: number, col: number, value: number): void => {
    const key = `${row},${col}`;
    sums.set(key, (sums.get(key) ?? 0) + value);
  };
  for (const { row, col, value } of entries) {
    add(row, col, value);
    if (symmetry !== 'general' && row !== col) add(col, row, symmetry === 'symmetric' ? value : -value);
  }
  const rounded = [...sums].map(([key, sum]): [string, number] => [key, Math.fround(sum)]);
  return new Map(rounded.filter(([, sum]) => sum !== 0));
}

it('csrOf sums, mirrors and sorts entries in any order as a map of cells does', async () => {
  const edge = 9;
  const index = fc.integer({ min: 0, max: edge - 1 });
  const value = fc.oneof(
    fc.float({ min: -8, max: 8, noNaN: true }),
    // Most of these are no f32, and their sums have to be rounded once.
    fc.integer({ min: -(2 ** 28), max: 2 ** 28 }).map((n) => n / 3 / 2 ** 24),
  );
  const entry = fc.record({ row: index, col: index, value });
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 60 }),
      fc.constantFrom<Symmetry>('general', 'symmetric', 'skew-symmetric'),
      fc.integer({ min: 0, max: 5 }),
      fc.boolean(),
      async (unrounded, symmetry, spareElements, canReadAgain) => {
        // Without a second reading, every value has to be an f32.
        const entries = canReadAgain ? unrounded : unrounded.map((e) => ({ ...e, value: Math.fround(e.value) }));
        const column = (pick: (e: Entry) => number): number[] => [
          ...entries.map(pick),
          ...Array.from({ length: spareElements }, () => 7),
        ];
        const coo: CooArrays = {
          rows: edge,
          cols: edge,
          length: entries.length,
          rowIndices: Uint32Array.from(column((e) => e.row)),
          colIndices: Uint32Array.from(column((e) => e.col)),
          data: Float32Array.from(column((e) => e.value)),
          sorted: entries.every((e, i) => {
            const before = entries[i - 1];
            return i === 0 || e.row > before.row || (e.row === before.row && e.col > before.col);
          }),
        };
        const readAgain = async (add: AddEntry): Promise<void> => {
          for (const { row, col, value } of entries) {
            add(row, col, value);
            if (symmetry !== 'general' && row !== col) add(col, row, symmetry === 'symmetric' ? value : -value);
          }
        };
        const { matrix, zeros, summedCells } = await csrOf(
          mergedCoo(coo, symmetry),
          NO_JOB,
          canReadAgain ? readAgain : null,
        );
        expect(csrMatrix(matrix).nnz).toBe(matrix.nnz);
        const cells = new Map<string, number>();
        for (let r = 0; r < edge; r++) {
          for (let i = matrix.indptr[r]; i < matrix.indptr[r + 1]; i++)
            cells.set(`${r},${matrix.indices[i]}`, matrix.data[i]);
        }
        expect(cells).toEqual(expectedCells(entries, symmetry));
        const entryCells = new Set(
          entries.flatMap(({ row, col }) =>
            symmetry === 'general' ? [`${row},${col}`] : [`${row},${col}`, `${col},${row}`],
          ),
        );
        expect(zeros).toBe(entryCells.size - cells.size);
        expect(summedCells).toBeLessThanOrEqual(entryCells.size);
      },
    ),
    { numRuns: cases(600, 2000) },
  );
});

it('csrOf neither copies entries that are in order already nor reads them again', async () => {
  const colIndices = Uint32Array.of(1, 0, 2);
  const data = Float32Array.of(5, 6, 7);
  const coo = { rows: 2, cols: 3, length: 3, rowIndices: Uint32Array.of(0, 1, 1), colIndices, data, sorted: true };
  const readAgain = vi.fn<(add: AddEntry) => Promise<void>>();
  const { matrix } = await csrOf(mergedCoo(coo, 'general'), NO_JOB, readAgain);
  expect(readAgain).not.toHaveBeenCalled();
  expect(matrix.indices).toBe(colIndices);
  expect(matrix.data).toBe(data);
  expect(Array.from(matrix.indptr)).toEqual([0, 1, 3]);
});
