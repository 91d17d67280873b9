import { describe, expect, it } from 'vitest';
import {
  bandwidth,
  bitsAsBytes,
  bytes,
  density,
  nameAndShape,
  paramText,
  percent,
  ratio,
  time,
  value,
} from './quantity.ts';

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
    expect(plain(bandwidth(4221))).toBe('4.22 TB/s');
    expect(plain(bandwidth(38.44))).toBe('38.4 GB/s');
    expect(density(0.3)).toBe('0.300');
    expect(density(0.0001)).toBe('1.0e-4');
  });

  it('parameters are named by their values while they are few', () => {
    expect(paramText({ deltaBits: 4, valueType: 'f16' })).toBe('4 · f16');
    expect(paramText({ a: 1, b: 2, c: 3, valueType: 'f32' })).toBe('f32');
    expect(paramText({ a: 1, b: 2, c: 3, d: 4 })).toBe('');
  });
});
