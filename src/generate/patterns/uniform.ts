import { assemble } from '../assemble.ts';
import type { PatternSteps } from '../pattern.ts';

/** Every cell is a non-zero with the same probability. */
export const uniform: PatternSteps = (spec) =>
  assemble(spec, (_row, sampler, into) => sampler.choose(0, spec.cols, spec.density, into, 0));
