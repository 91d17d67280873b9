import { exp, ln } from '../../core/number/elementary.ts';
import { Random } from '../../core/random.ts';
import { assemble } from '../assemble.ts';
import type { Pattern } from '../pattern.ts';
import { shuffle } from '../shuffle.ts';
import { STREAM, streamSeed } from '../seeds.ts';

/** Row densities that fall as a power of the row's rank. */
export const rowSkewed: Pattern = {
  id: 'row-skewed',
  title: 'Row-skewed',
  meaning: 'A few rows hold most of the non-zeros: the density of a row falls as a power of its rank.',
  options: [
    {
      id: 'exponent',
      label: 'Exponent',
      meaning: 'The row of rank k is k^-exponent as dense as the first; 0 makes all rows alike.',
      min: 0,
      max: 4,
      default: 1,
      whole: false,
    },
    {
      id: 'sorted',
      label: 'Sorted rows',
      meaning: '1 puts the densest row first, 0 mixes the rows.',
      min: 0,
      max: 1,
      default: 0,
      whole: true,
    },
  ],
  steps: (spec) => {
    const { rows, cols, options } = spec;
    const probabilities = powerLaw(rows, options.exponent, spec.density);
    if (options.sorted === 0) shuffle(probabilities, new Random(streamSeed(spec.seed, STREAM.arrangement)));
    return assemble(spec, (row, sampler, into) => sampler.choose(0, cols, probabilities[row], into, 0));
  },
};

/**
 * Probabilities min(1, c k^-exponent) for the ranks k = 1 .. n, with c such that their mean is `mean`.
 * Ranks that would go beyond 1 stay at 1, and the others make up for it. O(n).
 */
export function powerLaw(n: number, exponent: number, mean: number): Float64Array {
  const weights = new Float64Array(n);
  /** sums over the ranks from i on */
  const sums = new Float64Array(n + 1);
  for (let i = n - 1; i >= 0; i--) {
    weights[i] = exp(-exponent * ln(i + 1));
    sums[i] = sums[i + 1] + weights[i];
  }
  let full = 0;
  while (full < n && (mean * n - full) * weights[full] >= sums[full]) full++;
  const scale = (mean * n - full) / sums[full];
  return weights.map((w, i) => (i < full ? 1 : w * scale));
}
