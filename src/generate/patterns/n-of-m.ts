import { MatrixError } from '../../core/errors.ts';
import { assemble } from '../assemble.ts';
import { chooseExactly } from '../column-sampler.ts';
import type { PatternSteps } from '../pattern.ts';

/** Exactly N non-zeros in every M consecutive cells of a row. */
export const nOfM: PatternSteps = (spec) => {
  const { cols, density } = spec;
  const { m } = spec.options;
  const n = Math.round(density * m);
  if (Math.abs(density * m - n) > 1e-9 * m) {
    throw new MatrixError(
      `share left: found ${density}, expected N / ${m} with a whole N, such as ${Math.floor(density * m)} / ${m} or ${Math.ceil(density * m)} / ${m}`,
    );
  }
  const rest = cols % m;
  return assemble(spec, (_row, sampler, into) => {
    let at = 0;
    for (let from = 0; from + m <= cols; from += m) at = chooseExactly(n, from, m, sampler.random, into, at);
    const share = (n * rest) / m;
    const whole = Math.floor(share);
    const inRest = whole + (sampler.random.uniform() < share - whole ? 1 : 0);
    return chooseExactly(inRest, cols - rest, rest, sampler.random, into, at);
  });
};
