import { expect, it } from 'vitest';
import { bitsAsBytes, bytes, nameAndShape, percent, ratio, time, value, duration } from './quantity.ts';
import { bandwidth, flop, intensity, oneDecimal, perSecond, times } from './rates.ts';
import { countText, threeDigits } from '../../core/text/words.ts';
import { paramText } from '../report/report-labels.ts';
import { exactGigabytes, gigabytes, megabytes, weightsText } from './model-sizes.ts';
import { probabilityText } from './shares.ts';

/** Functions that write numbers as text, each with its name and the numbers to write. */
const WRITERS: readonly (readonly [name: string, write: (value: number) => string, values: readonly number[]])[] = [
  ['bytes', bytes, [999_999, 301_989_888, 999_999_999, 1_500_000_000, 1e12, 4e16]],
  ['bits as bytes', bitsAsBytes, [314_572, 8, 3, 0]],
  ['time', time, [40_312, 2_345_678_901, 0, 999_600, 9_996, 9_994, 1e15, 12.3, 0.2604]],
  ['times', times, [1.7712, 2.999, 9.996, 99.96, 156, 2980.4, 240_000, 0.0257, 1.5e-8]],
  ['ratio', ratio, [1.7712, 12.34]],
  ['percent', percent, [0.7661, 1, 9.999, 900, -0.05, Number.NaN]],
  ['count', countText, [-1234]],
  ['value', value, [-0.31, 1_234_567, 0.00012, Number.NaN, Number.NEGATIVE_INFINITY]],
  ['bandwidth', bandwidth, [4221, 38.44]],
  ['odds', probabilityText, [0, 1, 0.5, 0.003, 1.1e-33]],
  // Every rate has one spelling, in 10^12 from a thousand on.
  ['fma rate', (rate) => perSecond(rate, 'FMA'), [10, 843.4, 27_600]],
  ['flop rate', (rate) => perSecond(rate, 'flop'), [62.8, 2251]],
  ['op rate', (rate) => perSecond(rate, 'op'), [116_700]],
  ['flop', flop, [45.1e6]],
  ['intensity', intensity, [3.0211]],
  ['one decimal', oneDecimal, [9.96, 99.94, 99.96, 1048]],
  // An estimate is no more exact than it can be.
  ['duration', duration, [1, 400, 3001, 7200, 9999, 10_001, 38_000, 47_000, 89_000, 91_000, 170_000, 3_000_000]],
  ['gigabytes', gigabytes, [13.5e9, 0.52e9, 135e9]],
  ['gigabytes without a unit', (count) => gigabytes(count, false), [13.5e9]],
  ['exact gigabytes', exactGigabytes, [13.214e9]],
  ['megabytes', megabytes, [524_288, 52_429]],
  ['weights', weightsText, [6.738e9, 124e6]],
];

it('quantities are written as in quantities.txt', async () => {
  const message = WRITERS.map(
    ([name, write, values]) => `${name}: ${values.map((number) => `${number} is ${write(number)}`).join('; ')}\n`,
  );
  await expect(message.join('')).toMatchFileSnapshot('quantities.txt');
});

it('bitsAsBytes never prints a fraction', () => {
  for (let bits = 0; bits < 4096; bits++) expect(bitsAsBytes(bits)).not.toContain('.');
});

it('negative and non-finite times, bytes and ratios are printed as a dash', () => {
  for (const wrong of [-56_918_776, -1e-9, Number.NaN, Number.POSITIVE_INFINITY]) {
    const texts = [time(wrong), bytes(wrong), ratio(wrong), times(wrong), threeDigits(wrong)];
    expect(texts).toEqual(['–', '–', '–', '–', '–']);
  }
});

it('nameAndShape adds the shape unless the name already contains it', () => {
  const nameWithShape = nameAndShape({ name: 'uniform 4096 × 4096', rows: 4096, cols: 4096 });
  expect(nameWithShape).toBe('uniform 4096 × 4096');
  expect(nameAndShape({ name: 'w.npy', rows: 4096, cols: 64 })).toBe('w.npy, 4\u202f096 × 64');
});

it('parameters are named by their values while they are few', () => {
  expect(paramText({ deltaBits: 4, valueType: 'f16' })).toBe('4 · f16');
  expect(paramText({ a: 1, b: 2, c: 3, valueType: 'f32' })).toBe('f32');
  expect(paramText({ a: 1, b: 2, c: 3, d: 4 })).toBe('');
});
