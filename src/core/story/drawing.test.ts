import { describe, expect, it } from 'vitest';
import { cellUnit, counter, type Counter, unitText } from './drawing.ts';

describe('cellUnit', () => {
  it.each([
    [[0.6, -0.9, 0.1], 'tenths', ['\u22129']],
    [[0.129, -0.087, 0.15], 'hundredths', ['\u22129']],
    [[3, -7], null, ['\u22127']],
    [[0.5, 120], 'tens', ['12']],
    [[0.0005, 0.0042], 'ten-thousandths', ['42']],
    [[2, Number.POSITIVE_INFINITY], null, ['\u221e']],
    [[], null, []],
  ] as const)('of %j is %s', (values, name, second) => {
    const unit = cellUnit(values);
    expect(unit.name).toBe(name);
    expect(values.slice(1, 2).map((value) => unitText(value, unit))).toEqual(second);
  });

  it('writes no minus sign before 0', () => {
    expect(unitText(-0.004, { perOne: 10, name: 'tenths' })).toBe('0');
  });
});

describe('counter', () => {
  const given: Counter = {
    title: 'bytes',
    parts: [{ tone: 'values', value: 30 }],
    of: 40,
    number: '30',
    unit: 'bytes',
  };
  const widths = (of: number, value: number): readonly number[] =>
    counter('wide', { ...given, of, parts: [{ tone: 'values', value }] })
      .filter(({ id }) => id === 'counter dense' || id === 'counter part 0')
      .map(({ w }) => w);

  it('measures its parts by dense, and dense by its parts where these are longer', () => {
    const [dense, part] = widths(40, 30);
    expect(part / dense).toBeCloseTo(0.75);
    expect(widths(20, 40)).toEqual([dense / 2, dense]);
    expect(widths(0, 0)).toEqual([0, 0]);
  });
});
