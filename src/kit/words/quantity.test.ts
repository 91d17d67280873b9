import { describe, expect, it } from 'vitest';
import { bitsAsBytes, bytes, nameAndShape, percent, ratio, time, value, duration } from './quantity.ts';
import { bandwidth, flop, flopRate, fmaRate, intensity, oneDecimal, opRate, times } from './rates.ts';
import { countText, threeDigits } from '../../core/story/words.ts';
import { paramText } from '../report/param-words.ts';
import { exactGigabytes, gigabytes, megabytes, weights } from './weights.ts';
import { odds } from './shares.ts';

const plain = (text: string): string => text.replace(/\u202f/g, ' ');

describe('quantities as words', () => {
  it('bytes stay exact below a million and round above', () => {
    expect(plain(bytes(999_999))).toBe('999 999 B');
    expect(plain(bytes(301_989_888))).toBe('302 MB');
    expect(plain(bytes(1_500_000_000))).toBe('1.50 GB');
  });

  it('bits become whole bytes, and bits where they are less than one', () => {
    expect(plain(bitsAsBytes(314_572))).toBe('39 322 B');
    expect(plain(bitsAsBytes(8))).toBe('1 B');
    expect(plain(bitsAsBytes(3))).toBe('3 bits');
    expect(plain(bitsAsBytes(0))).toBe('0 B');
    for (let bits = 0; bits < 4096; bits++) expect(bitsAsBytes(bits)).not.toContain('.');
  });

  it('a matrix has its shape once', () => {
    expect(plain(nameAndShape({ name: 'uniform 4096 × 4096', rows: 4096, cols: 4096 }))).toBe('uniform 4096 × 4096');
    expect(plain(nameAndShape({ name: 'w.npy', rows: 4096, cols: 64 }))).toBe('w.npy, 4 096 × 64');
  });

  it('time shows no digit below the resolution of the reading', () => {
    expect(plain(time(40_312))).toBe('40.3 µs');
    expect(plain(time(40_312, 330))).toBe('40 µs');
    expect(plain(time(40_312, 65_536))).toBe('40 µs');
    expect(plain(time(2_345_678_901))).toBe('2.35 s');
    expect(plain(time(0))).toBe('0 ns');
    expect(time(Number.NaN)).toBe('–');
  });

  it('digits follow one rule in times, sizes, rates and ratios', () => {
    expect([999_600, 9_996, 9_994, 1e15, 12.3, 0.2604].map((ns) => plain(time(ns)))).toEqual([
      '1.00 ms',
      '10.0 µs',
      '9.99 µs',
      '1 000 000 s',
      '12.3 ns',
      '0.260 ns',
    ]);
    expect([999_999_999, 1e12, 4e16].map((count) => plain(bytes(count)))).toEqual(['1.00 GB', '1.00 TB', '40 000 TB']);
    expect([2.999, 9.996, 99.96, 156, 2980.4, 240_000, 0.0257, 1.5e-8].map((r) => plain(times(r)))).toEqual([
      '3.00 times',
      '10.0 times',
      '100 times',
      '156 times',
      '2 980 times',
      '240 000 times',
      '0.026 times',
      '1.5e−8 times',
    ]);
    expect([1, 9.999, 900].map((share) => plain(percent(share)))).toEqual(['100.0 %', '999.9 %', '90 000 %']);
    expect(plain(percent(-0.05))).toBe('−5.0 %');
    expect(plain(countText(-1234))).toBe('−1 234');
  });

  it('what cannot be less than nothing has a dash where it is', () => {
    for (const wrong of [-56_918_776, -1e-9, Number.NaN, Number.POSITIVE_INFINITY]) {
      const texts = [time(wrong), bytes(wrong), ratio(wrong), times(wrong), threeDigits(wrong)];
      expect(texts).toEqual(['–', '–', '–', '–', '–']);
    }
  });

  it('values keep four digits and a real minus sign, and name what is not a number', () => {
    expect(value(-0.31)).toBe('−0.31');
    expect(value(1234567)).toBe('1.23e+6');
    expect(value(0.00012)).toBe('1.20e−4');
    expect(value(Number.NaN)).toBe('NaN');
    expect(value(Number.NEGATIVE_INFINITY)).toBe('−∞');
  });

  it('shares, ratios and rates', () => {
    expect(plain(percent(0.7661))).toBe('76.6 %');
    expect(percent(Number.NaN)).toBe('–');
    expect(ratio(1.7712)).toBe('1.77×');
    expect(ratio(12.34)).toBe('12.3×');
    expect(times(1.7712)).toBe('1.77 times');
    expect(plain(bandwidth(4221))).toBe('4.22 TB/s');
    expect(plain(bandwidth(38.44))).toBe('38.4 GB/s');
    expect([0, 1, 0.5, 0.003, 1.1e-33].map((share) => plain(odds(share)))).toEqual([
      '0',
      '100 %',
      '50 %',
      '0.3 %',
      '1.1e−33',
    ]);
  });

  it('every rate has one spelling, in 10^12 from a thousand on', () => {
    expect([10, 843.4, 27_600].map((r) => plain(fmaRate(r)))).toEqual(['10.0 GFMA/s', '843 GFMA/s', '27.6 TFMA/s']);
    expect([62.8, 2251].map((r) => plain(flopRate(r)))).toEqual(['62.8 Gflop/s', '2.25 Tflop/s']);
    expect(plain(opRate(116_700))).toBe('117 Top/s');
    expect(plain(flop(45.1e6))).toBe('45.1 Mflop');
    expect(plain(intensity(3.0211))).toBe('3.02 flop/B');
    expect([9.96, 99.94, 99.96, 1048].map((n) => plain(oneDecimal(n)))).toEqual(['10.0', '99.9', '100', '1 048']);
  });

  it('an estimate is no more exact than it can be', () => {
    const estimates = [1, 400, 3001, 7200, 9999, 10_001, 38_000, 47_000, 89_000, 91_000, 170_000, 3_000_000];
    expect(estimates.map((ms) => plain(duration(ms)))).toEqual(
      '1 s, 1 s, 4 s, 8 s, 10 s, 15 s, 40 s, 50 s, 90 s, 2 min, 3 min, 50 min'.split(', '),
    );
  });

  it('sizes of models', () => {
    expect([13.5e9, 0.52e9, 135e9].map((n) => plain(gigabytes(n)))).toEqual(['13.5 GB', '0.52 GB', '135 GB']);
    expect(gigabytes(13.5e9, false)).toBe('13.5');
    expect(plain(exactGigabytes(13.214e9))).toBe('13.21 GB');
    expect([524_288, 52_429].map((n) => plain(megabytes(n)))).toEqual(['0.52 MB', '0.052 MB']);
    expect([6.738e9, 124e6].map(weights)).toEqual(['6.74 × 10⁹', '124 × 10⁶']);
  });

  it('parameters are named by their values while they are few', () => {
    expect(paramText({ deltaBits: 4, valueType: 'f16' })).toBe('4 · f16');
    expect(paramText({ a: 1, b: 2, c: 3, valueType: 'f32' })).toBe('f32');
    expect(paramText({ a: 1, b: 2, c: 3, d: 4 })).toBe('');
  });
});
