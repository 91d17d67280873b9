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
        const cells = Float32Array.from({ length: rows * cols }, (_, i) => values[i] ?? 0);
        const { matrix } = await readMatrix({ name: '', bytes: writeNpy(rows, cols, cells, type) });
        const expected = type === 'f16' ? cells.map(roundToF16) : cells;
        expect(toDense(matrix)).toEqual(expected.map((v) => (v === 0 ? 0 : v)));
      },
    ),
  );
});

it('aligns its data to a multiple of 64, for the largest shape too', () => {
  const bytes = writeNpy(0, 2147483647, new Float32Array(0), 'f16');
  expect(bytes.length).toBe(128);
  expect(bytes[127]).toBe(0x0a);
});

it('refuses cells that do not fit the shape', () => {
  expect(() => writeNpy(2, 3, new Float32Array(5), 'f32')).toThrow('cells: found 5, expected 2 × 3 = 6');
});
