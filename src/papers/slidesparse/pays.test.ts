import { describe, expect, it } from 'vitest';
import { gammaOf } from '../../theory/sliding-windows.ts';
import { breakEvenHalfGroup, type Payoff, payoffOf, payoffWords } from './pays.ts';
import { deltaReport, patternReport, REPORT } from '../../../test/reports.ts';

/** Ratios by N when 2:4 is `alpha` times as fast as dense and every pattern is as predicted. */
const asPredicted = (alpha: number): Readonly<Record<number, number>> =>
  Object.fromEntries([2, 3, 4, 5, 6, 7, 8].map((n) => [n, alpha / gammaOf(n)]));

function payoffFor(ratios: Readonly<Record<number, number>>): Payoff {
  const payoff = payoffOf(patternReport(ratios));
  if (!payoff) throw new Error('found no patterns, expected them');
  return payoff;
}

const words = (ratios: Readonly<Record<number, number>>): string =>
  payoffWords(payoffFor(ratios))
    .map((w) => w.text)
    .join('')
    .replace(/\u202f/g, ' ');

describe('payoffOf(report)', () => {
  it('predicts every pattern from the measured speed of 2:4', () => {
    const { alpha, patterns } = payoffFor({ 2: 1.62, 3: 1.2, 4: 1.1, 8: 0.9 });
    expect(alpha.toFixed(2)).toBe('1.62');
    expect(patterns.map((p) => p.pattern)).toEqual(['2:4', '4:6', '6:8', '14:16']);
    expect(patterns.map((p) => p.gamma)).toEqual([1, 4 / 3, 1.5, 1.75]);
    expect(patterns.map((p) => Number(p.predicted.toFixed(3)))).toEqual([1.62, 1.215, 1.08, 0.926]);
    expect(patterns.map((p) => p.measured.ratio.toFixed(2))).toEqual(['1.62', '1.20', '1.10', '0.90']);
  });
  it('adds the speeds that the authors published', () => {
    expect(payoffFor(asPredicted(1.5)).patterns.map((p) => p.published)).toEqual([
      2.07,
      1.52,
      1.42,
      1.32,
      null,
      null,
      null,
    ]);
  });
  it('is null for a report of another operation than a product', () => {
    const report = patternReport({ 2: 0.9, 4: 0.8 });
    expect(payoffOf({ ...report, workload: { ...report.workload, operation: 'gemm-i8' } })?.alpha.toFixed(2)).toBe(
      '0.90',
    );
    expect(payoffOf({ ...report, workload: { ...report.workload, operation: 'quantise' } })).toBeNull();
  });
  it('leaves out products in which weights slide back, so that gamma makes none longer', () => {
    const report = patternReport({ 2: 0.73, 4: 0.72 });
    expect(payoffOf({ ...report, workload: { ...report.workload, operation: 'gemm' } })).toBeNull();
  });
  it('needs 2:4 and another pattern', () => {
    expect(payoffOf(patternReport({ 3: 1.2, 4: 1.1 }))).toBeNull();
    expect(payoffOf(patternReport({ 2: 1.6 }))).toBeNull();
    expect(payoffOf(deltaReport({ 2: 1.5, 4: 1.7 }))).toBeNull();
    expect(payoffOf(REPORT)).toBeNull();
  });
});

it('breakEvenHalfGroup(alpha) is where alpha / gamma passes 1', () => {
  for (const alpha of [1, 1.2, 1.63, 1.9]) expect(alpha / gammaOf(breakEvenHalfGroup(alpha) ?? 0)).toBeCloseTo(1, 12);
  expect(breakEvenHalfGroup(1.5)).toBe(4);
});

describe('payoffWords(payoff)', () => {
  it('say that it does not pay if no pattern is as fast as dense', () => {
    const text = words(asPredicted(0.94));
    expect(text).toMatch(/^It does not pay on this device: no pattern is as fast as dense\./);
    expect(text).toContain('2:4 runs 0.94 times as fast as dense');
    expect(text).toContain('With the alpha of 2');
  });
  it('name the patterns with which it pays and those with which it does not', () => {
    expect(words(asPredicted(1.63))).toMatch(
      /^It pays on this device with 2:4, 4:6, 6:8, 8:10, and not with 10:12, 12:14, 14:16\./,
    );
    expect(words(asPredicted(1.63))).toContain('Measured speeds lie within 1 % of it.');
  });
  it('omit the promise of tensor cores if all patterns pay', () => {
    expect(words(asPredicted(2))).toMatch(/^It pays on this device with every pattern that ran\./);
    expect(words(asPredicted(2))).not.toContain('tensor cores');
  });
});
