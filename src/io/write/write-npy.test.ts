import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toDense } from '../../core/matrix/index.ts';
import { roundToF16 } from '../../core/number/index.ts';
import { readMatrix } from '../read.ts';
import { writeNpy } from './write-npz.ts';

it.each(['f16', 'f32'] as const)('%s: reads back what was written, rounded to the type', async (type) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.float({ noNaN: true }), { minLength: 1, maxLength: 40 }),
      async (rows, values) => {
        const cols = Math.ceil(values.length / rows);
        const fits = (value: number): boolean =>
          type === 'f32' || !(Math.abs(value) >= 65_520 && Number.isFinite(value));
        const cells = Float32Array.from({ length: rows * cols }, (_, i) =>
          fits(values[i] ?? 0) ? (values[i] ?? 0) : 0,
        );
        const { matrix } = await readMatrix({ name: '', bytes: writeNpy(rows, cols, cells, type) });
        const expected = type === 'f16' ? cells.map(roundToF16) : cells;
        expect(toDense(matrix)).toEqual(expected.map((v) => (v === 0 ? 0 : v)));
      },
    ),
  );
});

it('aligns its data to a multiple of 64 bytes, even for the largest shape', () => {
  const bytes = writeNpy(0, 2147483647, new Float32Array(0), 'f16');
  expect(bytes.length).toBe(128);
  expect(bytes[127]).toBe(0x0a);
});

it('rejects finite cells that are infinite in f16, and writes the largest that are not', () => {
  const writing = (value: number) => () => writeNpy(1, 2, Float32Array.of(0, value), 'f16');
  for (const value of [65_504, 65_519, 1e-9, Number.POSITIVE_INFINITY, Number.NaN])
    expect(writing(value)).not.toThrow();
  for (const value of [65_520, 70_000, -1e9])
    expect(writing(value)).toThrow(`cells: found ${value} at row 0, column 1, expected magnitudes below 65520 for f16`);
});

it('rejects cells that do not fit the shape', () => {
  expect(() => writeNpy(2, 3, new Float32Array(5), 'f32')).toThrow('cells: found 5, expected 2 × 3 = 6');
});
