import { MatrixError } from '../../core/errors.ts';
import { exp, ln } from '../../core/number/elementary.ts';
import { Random } from '../../core/number/random.ts';
import { assemble } from '../assemble.ts';
import type { CheckedSpec, PatternSteps } from '../pattern.ts';
import { densitiesByWeight } from '../row-densities.ts';
import { STREAM, streamSeed } from '../seeds.ts';
import { shuffledOrder } from '../shuffle.ts';

/**
 * The output of a rectifier, tokens x neurons, in a language model: TwELL paper, section 4.3 and appendix D. A token
 * fires each neuron that is not dead with the same probability, which differs from token to token. The depth of a layer
 * in the model is not an option: in one matrix it only changes the mean, which is the density.
 */
export const activations: PatternSteps = (spec) => {
  const { cols, density, options } = spec;
  if (density > 1 - options.dead) {
    throw new MatrixError(
      `dead: found ${options.dead}, expected at most ${Number((1 - density).toPrecision(12))}, the share of zeros where ${density} is not zero`,
    );
  }
  const alive = aliveColumns(spec);
  const densities = densitiesByWeight(tokenWeights(spec), alive.length === 0 ? 0 : (density * cols) / alive.length);
  return assemble(
    spec,
    (row, sampler, into) => {
      const n = sampler.choose(0, alive.length, densities[row], into, 0);
      for (let i = 0; i < n; i++) into[i] = alive[into[i]];
      return n;
    },
    { isPositive: true },
  );
};

/** The columns that are not dead, in ascending order. */
function aliveColumns({ cols, seed, options }: CheckedSpec): Uint32Array {
  const order = shuffledOrder(cols, new Random(streamSeed(seed, STREAM.arrangement)));
  return order.subarray(Math.floor(options.dead * cols)).sort();
}

/** The density of each token relative to the others: log-normal, times a power of its position from 1. */
function tokenWeights({ rows, seed, options }: CheckedSpec): Float64Array {
  const { tokenSkew, positionDecay } = options;
  const random = new Random(streamSeed(seed, STREAM.rows));
  return Float64Array.from({ length: rows }, (_, row) =>
    exp(tokenSkew * random.normal() - positionDecay * ln(row + 1)),
  );
}
