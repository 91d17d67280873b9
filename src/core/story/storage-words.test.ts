import { expect, it } from 'vitest';
import { bitsOf, ledger } from '../encoded/ledger.ts';
import { storageWords } from './storage-words.ts';

const text = (...args: Parameters<typeof storageWords>): string =>
  storageWords(...args)
    .map((words) => words.text)
    .join('');

it('storageWords names the classes and compares with the cells', () => {
  const l = ledger(
    [
      { array: 'values', dtype: 'f16', length: 3, bytes: 6, bits: bitsOf('values', 48) },
      { array: 'mask', dtype: '1-bit in u32', length: 1, bytes: 4, bits: bitsOf('indices', 32, 20) },
    ],
    12 * 16,
  );
  expect(text(l, 'f16')).toBe(
    'That is 10 B: 6 B of values, 12 bits of indices and 20 bits of padding; 0.42 times what dense takes in f16.',
  );
});

it('storageWords says of dense that it takes exactly what dense takes', () => {
  const l = ledger([{ array: 'data', dtype: 'f16', length: 4, bytes: 8, bits: bitsOf('values', 64) }], 64);
  expect(text(l, 'f16')).toBe('That is 8 B; exactly what dense takes in f16.');
});

it('storageWords does not compare with a matrix without cells', () => {
  const l = ledger([{ array: 'indptr', dtype: 'u32', length: 1, bytes: 4, bits: bitsOf('metadata', 32) }], 0);
  expect(text(l, 'f32')).toBe('That is 4 B.');
});
