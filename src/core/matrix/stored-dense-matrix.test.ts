import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bf16Table, f16Table, f8E4m3Value } from '../number/index.ts';
import { denseMatrix, rowBuffer, type StoredCells, StoredDenseMatrix, toDense } from './index.ts';

const fp8Table = Float32Array.from({ length: 256 }, (_, bits) => f8E4m3Value(bits));

const stored = fc.record({
  rows: fc.integer({ min: 0, max: 6 }),
  cols: fc.integer({ min: 0, max: 9 }),
  kind: fc.constantFrom('f16', 'bf16', 'f8'),
  seed: fc.array(fc.oneof(fc.constant(0), fc.constant(0x8000), fc.constant(0x80), fc.nat(65535)), {
    minLength: 54,
    maxLength: 54,
  }),
});

it('StoredDenseMatrix yields the same rows as a dense matrix of its cells converted to f32', () => {
  fc.assert(
    fc.property(stored, ({ rows, cols, kind, seed }) => {
      const bits = seed.slice(0, rows * cols);
      const data: StoredCells = kind === 'f8' ? Uint8Array.from(bits) : Uint16Array.from(bits);
      const table = kind === 'f8' ? fp8Table : kind === 'f16' ? f16Table() : bf16Table();
      const narrow = new StoredDenseMatrix(rows, cols, data, table);
      const wide = denseMatrix(
        rows,
        cols,
        Float32Array.from(data, (b) => table[b]),
      );
      expect(narrow.nnz).toBe(wide.nnz);
      expect(toDense(narrow)).toEqual(toDense(wide));
    }),
  );
});

it('StoredDenseMatrix reads a range of a row, without zeros and -0', () => {
  const m = new StoredDenseMatrix(2, 4, Uint16Array.of(1, 0, 2, 3, 0, 0x8000, 0x3c00, 0xbc00), f16Table());
  const into = rowBuffer(4);
  expect(m.nnz).toBe(5);
  expect(m.readRowPart(1, 1, 3, into)).toBe(1);
  expect([into.columns[0], into.values[0]]).toEqual([2, 1]);
});

it('StoredDenseMatrix rejects lengths that contradict each other', () => {
  expect(() => new StoredDenseMatrix(2, 2, new Uint16Array(3), f16Table())).toThrow(
    'dense data: found 3 values, expected 2 × 2 = 4',
  );
  expect(() => new StoredDenseMatrix(1, 1, new Uint8Array(1), f16Table())).toThrow(
    'table: found 65536 values, expected one for each of 256 bit patterns',
  );
});
