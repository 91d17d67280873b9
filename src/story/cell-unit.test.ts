import { describe, expect, it } from 'vitest';
import { Random } from '../core/number/random.ts';
import { cellUnit, sumTexts, unitText } from './cell-unit.ts';

describe('cellUnit', () => {
  it.each([
    [[0.6, -0.9, 0.1], null, ['\u22120.9']],
    [[1, 0.5], null, ['0.5']],
    [[1, -0.25, 12.5], null, ['\u22120.25']],
    // 0.1 as f16 stores it.
    [[1, 0.0999755859375], null, ['0.1']],
    [[1, 0.125], 'tenths', ['1']],
    [Array.from({ length: 33 }, (_, i) => (i + 1) / 10), 'tenths', ['2']],
    [[0.129, -0.087, 0.15], 'hundredths', ['\u22129']],
    [[3, -7], null, ['\u22127']],
    [[0.5, 120], null, ['120']],
    [[0.5, 12_000], 'thousands', ['12']],
    [[0.0005, 0.0042], 'ten-thousandths', ['42']],
    [[2, Number.POSITIVE_INFINITY], null, ['\u221e']],
    [[], null, []],
  ] as const)('of %j is %s', (values, name, second) => {
    const unit = cellUnit(values);
    expect(unit.name).toBe(name);
    expect(values.slice(1, 2).map((value) => unitText(value, unit))).toEqual(second);
  });

  it('makes unitText write a value near 0 as ~0, other than 0, and both without a minus sign', () => {
    const texts = [-0.004, 0.04, -0, 0].map((value) => unitText(value, { perOne: 10, name: 'tenths' }));
    expect(texts).toEqual(['~0', '~0', '0', '0']);
  });
});

describe('sumTexts', () => {
  it.each([
    [[0.5, -0.25], ['0.50', '\u22120.25'], '0.25', true],
    // With three decimals it would be 0.249 + 0.056 + 0.496 = 0.800.
    [[0.24862, 0.05568, 0.49572], ['0.2486', '0.0557', '0.4957'], '0.8000', true],
    [[1e6, 0.5], ['1e6', '0.50'], '1e6', false],
  ] as const)('of %j prints terms that add up to the printed sum', (terms, printed, total, isExact) => {
    expect(sumTexts(terms)).toEqual({ terms: printed, total, isExact });
  });

  it('prints at most six digits of the largest number, and says whether the printed terms add up', () => {
    const random = new Random(7);
    for (let i = 0; i < 2000; i++) {
      const terms = Array.from({ length: 1 + (i % 7) }, () => (random.uniform() - 0.5) * 10 ** ((i % 9) - 3));
      const { terms: printed, total, isExact } = sumTexts(terms);
      const [sum, ...numbers] = [total, ...printed].map((text) => Number(text.replace('\u2212', '-')));
      const isSum = Math.abs(numbers.reduce((a, b) => a + b, 0) - sum) < 1e-9 * Math.max(1, Math.abs(sum));
      if (isExact) expect(isSum, `${printed.join(' + ')} = ${total}`).toBe(true);
      for (const text of [total, ...printed])
        expect(text.replace(/^\u2212?(0\.)?|\./g, '').length).toBeLessThanOrEqual(6);
    }
  });
});
