import { MatrixError } from '../core/errors.ts';
import { type Job, type Steps, finish } from '../core/job.ts';
import type { Matrix } from '../core/matrix/index.ts';
import { checkSpec } from './check-spec.ts';
import type { GenerateSpec } from './spec.ts';
import type { PatternSteps } from './pattern.ts';
import { activations } from './patterns/activations.ts';
import { banded } from './patterns/banded.ts';
import { blocks } from './patterns/blocks.ts';
import { magnitude } from './patterns/magnitude.ts';
import { nOfM } from './patterns/n-of-m.ts';
import { outlierColumns } from './patterns/outlier-columns.ts';
import { plantedBlocks } from './patterns/planted-blocks.ts';
import { rowSkewed } from './patterns/row-skewed.ts';
import { sharedColumns } from './patterns/shared-columns.ts';
import { uniform } from './patterns/uniform.ts';

export type { GenerateSpec } from './spec.ts';

/** By the ids of `patterns`. */
const generators: Readonly<Record<string, PatternSteps>> = {
  uniform,
  magnitude,
  'n-of-m': nOfM,
  'row-skewed': rowSkewed,
  banded,
  blocks,
  'planted-blocks': plantedBlocks,
  'shared-columns': sharedColumns,
  'outlier-columns': outlierColumns,
  activations,
};

/**
 * The matrix of a spec, on this thread. Values are normal f32 numbers, none of them 0.
 * Throws MatrixError that names the field, found and expected; nothing is clamped. Memory: the CSR arrays and a row.
 */
export function generate(spec: GenerateSpec, job?: Job): Matrix {
  return finish(generateSteps(spec), job);
}

/** Like `generate`, as a generator, for a caller that has to listen in between. */
export function* generateSteps(spec: GenerateSpec): Steps<Matrix> {
  const checked = checkSpec(spec);
  try {
    return yield* generators[spec.pattern](checked);
  } catch (error) {
    // The error of a typed array if the machine has no memory for it.
    if (!(error instanceof RangeError)) throw error;
    throw new MatrixError(
      `${spec.rows} × ${spec.cols} at density ${spec.density}: out of memory (${error.message}); choose a smaller or sparser matrix`,
    );
  }
}
