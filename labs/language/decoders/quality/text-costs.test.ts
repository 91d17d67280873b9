// Bits per byte over several texts, and the standard error.

import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/number/random.ts';
import { bitsPerByte, pairedDifference } from './text-costs.ts';

test('bits per byte are total bits over total bytes, with the standard error of a ratio', () => {
  expect(bitsPerByte({ bits: [100, 300], bytes: [100, 200] }).bitsPerByte).toBeCloseTo(400 / 300, 12);
  // Texts that all cost the same per byte have no standard error, at any lengths.
  expect(bitsPerByte({ bits: [10, 20, 70], bytes: [100, 200, 700] }).se).toBeCloseTo(0, 12);
  expect(bitsPerByte({ bits: [10], bytes: [100] }).se).toBeNaN();

  // Over many samples of 20 texts the figure varies by its standard error.
  const random = new Random(5);
  const runs = Array.from({ length: 400 }, () => {
    const bytes = Array.from({ length: 20 }, () => 500 + 400 * random.uniform());
    return bitsPerByte({ bytes, bits: bytes.map((b) => 0.18 * b + 20 * random.normal()) });
  });
  const mean = runs.reduce((sum, run) => sum + run.bitsPerByte, 0) / runs.length;
  const spread = Math.sqrt(runs.reduce((sum, run) => sum + (run.bitsPerByte - mean) ** 2, 0) / runs.length);
  const meanError = runs.reduce((sum, run) => sum + run.se, 0) / runs.length;
  expect(meanError / spread).toBeGreaterThan(0.85);
  expect(meanError / spread).toBeLessThan(1.15);
});

test('standard errors of differences use differences by text, so that the variance between texts does not count', () => {
  const random = new Random(2);
  const b = Array.from({ length: 40 }, () => 150 + 60 * random.normal());
  const a = b.map((bits) => bits + 3 + 0.5 * random.normal());
  const { mean, se } = pairedDifference(a, b);
  expect(mean).toBeCloseTo(3, 0);
  expect(se).toBeLessThan(0.2);
  // The texts differ by 0.5 bits about their mean.
  expect(se).toBeGreaterThan(0.04);
  expect(pairedDifference(a, b)).toEqual({ mean, se });
  expect(pairedDifference([5], [3])).toEqual({ mean: 2, se: Number.NaN });
});
