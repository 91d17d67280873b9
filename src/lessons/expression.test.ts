import { describe, expect, it } from 'vitest';
import { evaluate, namesIn, numberText } from './expression.ts';

const lookup = (name: string): number => {
  const value = { rows: 4, cols: 6, 'bytes.values': 12, 'indptr[2]': 7 }[name];
  if (value === undefined) throw new Error(`no ${name}`);
  return value;
};

describe('evaluate', () => {
  it.each([
    ['2 + 3 × 4', 14],
    ['(2 + 3) × 4', 20],
    ['2 ^ 3 ^ 2', 512],
    ['rows × cols / 8', 3],
    ['10 − 4 - 3', 3],
    ['rows * 2', 8],
    ['bytes.values + indptr[2]', 19],
  ])('%s is %d', (text, value) => expect(evaluate(text, lookup)).toBe(value));

  it.each([
    ['', 'found its end'],
    ['2 +', 'found its end'],
    ['(2', 'found its end'],
    ['2 3', "found '3'"],
    ['× 2', "found '×'"],
    ['2 $ 3', "found ' $ 3'"],
    ['what', 'no what'],
  ])('rejects %j: %s', (text, message) => expect(() => evaluate(text, lookup)).toThrow(message));
});

it('numberText groups digits, rounds only on request, and never hides a fraction', () => {
  expect(numberText('rows × 1000', lookup)).toBe('4\u202f000');
  expect(numberText('rows / cols : 2', lookup)).toBe('0.67');
  expect(numberText('rows / cols × 100 : 0', lookup)).toBe('67');
  expect(() => numberText('rows / cols', lookup)).toThrow('expected a whole number');
});

it('namesIn lists the names', () => expect(namesIn('rows × csr.bytes / 2 : 1')).toEqual(['rows', 'csr.bytes']));
