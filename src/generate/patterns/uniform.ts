import { assemble } from '../assemble.ts';
import type { Pattern } from '../pattern.ts';

/** Every cell is a non-zero with the same probability. */
export const uniform: Pattern = {
  id: 'uniform',
  title: 'Uniform',
  meaning: 'Every cell is non-zero with the same probability, independent of its neighbours.',
  options: [],
  steps: (spec) => assemble(spec, (_row, sampler, into) => sampler.choose(0, spec.cols, spec.density, into, 0)),
};
