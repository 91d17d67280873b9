import { ln } from '../core/number/elementary.ts';

/**
 * The quantile of the standard normal distribution: the z below which a random number lies with probability `p`;
 * infinite for 0 and 1, NaN for `p` below 0 or above 1. Relative error 1e-7. Only IEEE 754 arithmetic and roots, so
 * that every engine computes the same bits.
 */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) return p === 0 ? Number.NEGATIVE_INFINITY : p === 1 ? Number.POSITIVE_INFINITY : Number.NaN;
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(CENTRE, 0.180_625 - q * q);
  const root = Math.sqrt(-ln(q < 0 ? p : 1 - p));
  const z = root <= 5 ? ratio(TAIL, root - 1.6) : ratio(FAR_TAIL, root - 5);
  return q < 0 ? -z : z;
}

function ratio({ numerator, denominator }: Record<'numerator' | 'denominator', readonly number[]>, x: number) {
  return polynomial(numerator, x) / polynomial(denominator, x);
}

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
}

// Coefficients: Wichura, Algorithm AS 241: The Percentage Points of the Normal Distribution (1988), routine PPND7.
const CENTRE = {
  numerator: [3.387_132_717_9, 50.434_271_938, 159.291_132_02, 59.109_374_72],
  denominator: [1, 17.895_169_469, 78.757_757_664, 67.187_563_6],
};
const TAIL = {
  numerator: [1.423_437_277_7, 2.756_815_39, 1.306_728_481_6, 0.170_238_211_03],
  denominator: [1, 0.737_001_643, 0.120_211_327_75],
};
const FAR_TAIL = {
  numerator: [6.657_905_115, 3.081_226_386, 0.428_682_943_37, 0.017_337_203_997],
  denominator: [1, 0.241_978_942_25, 0.012_258_202_635],
};
