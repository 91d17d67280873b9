import { expect, it } from 'vitest';
import { minus, of, plus, times, workingOf } from './computed.ts';

it('a result has the arithmetic that gives it as text', () => {
  const cells = times(3, of(8, 'cells'), of(2, 'bytes'));
  expect([cells.value, workingOf(cells)]).toEqual([48, '3 × 8 cells × 2 bytes = 48']);
  expect(workingOf(plus(4, times(1000, 2)))).toBe('4 + 1\u202f000 × 2 = 2\u202f004');
  expect(workingOf(minus(32, of(6, 'weights')))).toBe('32 − 6 weights = 26');
});

it('sums are set in brackets where they are multiplied or taken away', () => {
  const sum = plus(2, of(1, 'entries'));
  expect(workingOf(times(sum, 4))).toBe('(2 + 1 entry) × 4 = 12');
  expect(workingOf(minus(9, sum))).toBe('9 − (2 + 1 entry) = 6');
  expect(workingOf(times(0.5, 3))).toBe('0.5 × 3 = 1.5');
});

it('one number of things needs no result, and a single thing has no plural', () => {
  expect(workingOf(of(6, 'weights'))).toBe('6 weights');
  expect(workingOf(of(1, 'weights'))).toBe('1 weight');
});
