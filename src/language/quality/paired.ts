import { quantile } from '../../core/number/statistics.ts';
import { Random } from '../../core/number/random.ts';

/** What each text costs under a model: all of one length, the same texts in the same order. */
export interface TextCosts {
  readonly bits: readonly number[];
  readonly bytes: readonly number[];
}

/** Texts drawn again and again to see how far a mean would move. */
const RESAMPLES = 1000;

/** A mean over texts with its standard error and an interval that holds 95 of 100 means of resampled texts. */
export interface Mean {
  readonly mean: number;
  /** NaN for fewer than two texts */
  readonly se: number;
  readonly low: number;
  readonly high: number;
}

/** Bits per byte of all texts together. The error is that of a ratio of two sums. NaN without texts. O(texts). */
export function bitsPerByte({ bits, bytes }: TextCosts): { readonly bitsPerByte: number; readonly se: number } {
  const n = bits.length;
  const whole = sum(bytes);
  const ratio = sum(bits) / whole;
  const squares = sum(bits.map((value, i) => (value - ratio * bytes[i]) ** 2));
  return { bitsPerByte: ratio, se: n < 2 ? Number.NaN : Math.sqrt((squares * n) / (n - 1)) / whole };
}

/** Bits a text that `a` costs more than `b`, text by text. The same on every run. O(texts). */
export function pairedDifference(a: readonly number[], b: readonly number[]): Mean {
  const n = Math.min(a.length, b.length);
  return meanOf(Array.from({ length: n }, (_, i) => a[i] - b[i]));
}

function meanOf(values: readonly number[]): Mean {
  const n = values.length;
  const mean = sum(values) / n;
  if (n < 2) return { mean, se: Number.NaN, low: mean, high: mean };
  const se = Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (n - 1) / n);
  const random = new Random(n);
  const means = Array.from({ length: RESAMPLES }, () => {
    let total = 0;
    for (let i = 0; i < n; i++) total += values[random.below(n)];
    return total / n;
  });
  return { mean, se, low: quantile(means, 0.025), high: quantile(means, 0.975) };
}

/** Bits that a text costs above what is possible: bits per byte above the floor, times the bytes of a text. */
export function lostBitsPerText(bitsPerByteFound: number, floor: number, bytesPerText: number): number {
  return (bitsPerByteFound - floor) * bytesPerText;
}

/** The share of texts that are unbroken, and its standard error (Agresti and Coull, so that 0 of 8 is not certain). */
export function shareOf(count: number, of: number): { readonly share: number; readonly se: number } {
  const p = (count + 2) / (of + 4);
  return { share: of === 0 ? Number.NaN : count / of, se: Math.sqrt((p * (1 - p)) / (of + 4)) };
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
