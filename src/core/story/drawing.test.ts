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

  it('writes what is nearly 0 otherwise than 0, and no minus sign before either', () => {
    const texts = [-0.004, 0.04, -0, 0].map((value) => unitText(value, { perOne: 10, name: 'tenths' }));
    expect(texts).toEqual(['~0', '~0', '0', '0']);
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

  it('moves labels to the left of dense, so that all of them fit, in their order', () => {
    const names = ['weights 88', 'zeros 8', 'skips 24', 'row marks 20'];
    const parts = names.map((label, i) => ({ tone: 'values' as const, value: i === 0 ? 100 : 1, label }));
    for (const ofText of [undefined, 'dense 2']) {
      const drawn = counter('narrow', { ...given, of: 0, parts, ...(ofText !== undefined && { ofText }) });
      const labels = drawn.filter(({ id }) => id.startsWith('counter label'));
      expect(labels.map(({ text }) => text)).toEqual(names);
      const ends = labels.map(({ x, text = '' }) => x + text.length * 5.9);
      expect(labels.every(({ x }, i) => i === 0 || x > ends[i - 1])).toBe(true);
      expect(ends.at(-1)).toBeLessThan(ofText === undefined ? 341 : 300);
    }
  });
});
