import { exp, ln } from '../../core/number/elementary.ts';
import { Random } from '../../core/number/random.ts';
import { assemble } from '../assemble.ts';
import type { PatternSteps } from '../pattern.ts';
import { densitiesByWeight } from '../row-densities.ts';
import { shuffle } from '../shuffle.ts';
import { STREAM, streamSeed } from '../seeds.ts';

/** Every cell is a non-zero with the same probability. */
export const uniform: PatternSteps = (spec) =>
  assemble(spec, (_row, sampler, into) => sampler.choose(0, spec.cols, spec.density, into, 0));

/** Row densities that fall as a power of the row's rank. */
export const rowSkewed: PatternSteps = (spec) => {
  const { rows, cols, options } = spec;
  const probabilities = powerLaw(rows, options.exponent, spec.density);
  if (options.sorted === 0) shuffle(probabilities, new Random(streamSeed(spec.seed, STREAM.arrangement)));
  return assemble(spec, (row, sampler, into) => sampler.choose(0, cols, probabilities[row], into, 0));
};

/** Probabilities min(1, c k^-exponent) for the ranks k = 1 .. n, with c such that their mean is `mean`. */
export function powerLaw(n: number, exponent: number, mean: number): Float64Array {
  return densitiesByWeight(
    Float64Array.from({ length: n }, (_, i) => exp(-exponent * ln(i + 1))),
    mean,
  );
}
