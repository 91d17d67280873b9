import { Random } from '../../core/number/random.ts';
import { assemble } from '../assemble.ts';
import type { CheckedSpec, PatternSteps } from '../pattern.ts';
import { STREAM, streamSeed } from '../seeds.ts';
import { shuffledOrder } from '../shuffle.ts';

/** A few columns that are denser and larger than the rest, as in the layers of language models. */
export const outlierColumns: PatternSteps = (spec) => {
  const { cols, options } = spec;
  const order = shuffledOrder(cols, new Random(streamSeed(spec.seed, STREAM.arrangement)));
  const outliers = order.slice(0, Math.ceil(options.share * cols)).sort();
  const { inOutlier, elsewhere } = probabilities(spec, outliers.length);
  const scales = new Float32Array(cols).fill(1);
  for (const c of outliers) scales[c] = options.larger;
  return assemble(
    spec,
    (_row, sampler, into) => {
      let n = 0;
      let from = 0;
      for (const c of outliers) {
        n = sampler.choose(from, c, elsewhere, into, n);
        n = sampler.choose(c, c + 1, inOutlier, into, n);
        from = c + 1;
      }
      return sampler.choose(from, cols, elsewhere, into, n);
    },
    { scales },
  );
};

/** Densities of both kinds of columns whose mean over all columns is the density of the spec. */
function probabilities(spec: CheckedSpec, outliers: number): { inOutlier: number; elsewhere: number } {
  const others = spec.cols - outliers;
  if (others === 0) return { inOutlier: spec.density, elsewhere: 0 };
  const wanted = spec.density * spec.cols;
  const { denser } = spec.options;
  const elsewhere = wanted / (outliers * denser + others);
  if (elsewhere * denser <= 1) return { inOutlier: elsewhere * denser, elsewhere };
  return { inOutlier: 1, elsewhere: (wanted - outliers) / others };
}
