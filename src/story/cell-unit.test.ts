import { describe, expect, it } from 'vitest';
import { cellUnit, unitText } from './cell-unit.ts';

describe('cellUnit', () => {
  it.each([
    [[0.6, -0.9, 0.1], null, ['\u22120.9']],
    [[1, 0.5], null, ['0.5']],
    [[1, -0.25, 12.5], null, ['\u22120.25']],
    // As f16 stores it.
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
