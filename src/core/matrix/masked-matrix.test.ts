import { expect, it } from 'vitest';
import { MaskedMatrix } from './prune-pattern.ts';
import { denseMatrix, toCsr, toDense } from './index.ts';

it('MaskedMatrix yields the entries whose mask bit is 1, in rows of any length', () => {
  const cols = 70;
  const cells = Float32Array.from({ length: 3 * cols }, (_, i) => (i < cols || i >= 2 * cols ? i + 1 : 0));
  const whole = denseMatrix(3, cols, cells);
  // Row 0 keeps every third entry, row 1 is empty, row 2 keeps entries 31, 32 and 69.
  const words = Int32Array.of(0x49249249, 0x92492492 | 0, 0x24, 1 << 31, 1, 1 << 5);
  const m = new MaskedMatrix(whole, { firstWord: Uint32Array.of(0, 3, 3), words }, 27);
  const isKept = (i: number): boolean => (i < cols ? i % 3 === 0 : [171, 172, 209].includes(i));
  expect(toDense(m)).toEqual(cells.map((v, i) => (isKept(i) ? v : 0)));
  expect(toCsr(m).indptr).toEqual(Uint32Array.of(0, 24, 24, 27));
});

it('MaskedMatrix copies a NaN bit by bit', () => {
  const cells = new Float32Array(Uint32Array.of(0x3f800000, 0x7fc00123).buffer);
  const m = new MaskedMatrix(denseMatrix(1, 2, cells), { firstWord: Uint32Array.of(0), words: Int32Array.of(2) }, 1);
  const into = { columns: new Uint32Array(2), values: new Float32Array(2) };
  expect(m.readRow(0, into)).toBe(1);
  expect([into.columns[0], new Uint32Array(into.values.buffer)[0]]).toEqual([1, 0x7fc00123]);
});
