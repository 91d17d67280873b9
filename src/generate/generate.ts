import { MatrixError } from '../core/errors.ts';
import { finish, type Job, type Steps } from '../core/job.ts';
import { checkShape, type Matrix } from '../core/matrix/index.ts';
import { shapeText, threeDigits } from '../core/text/words.ts';
import { checkShare, type GenerateSpec } from './spec.ts';
import { generators } from './pattern-steps.ts';
import { patterns, type CheckedSpec, type PatternOption } from './patterns.ts';

/** Largest generated matrix: indptr, indices and data together. */
const MAX_BYTES = 4 * 2 ** 30;

/** The spec with every option filled in. Throws MatrixError for invalid fields, and for matrices above 4 GiB. */
function checkSpec(spec: GenerateSpec): CheckedSpec {
  const { rows, cols, density, seed } = spec;
  const pattern = patterns.find(({ id }) => id === spec.pattern);
  if (!pattern) {
    const known = patterns.map(({ id }) => id).join(', ');
    throw new MatrixError(`pattern: found '${spec.pattern}', expected one of ${known}`);
  }
  checkShape(rows, cols);
  checkShare(density);
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32) {
    throw new MatrixError(`seed: found ${seed}, expected a whole number from 0 to ${2 ** 32 - 1}`);
  }
  const bytes = 4 * (rows + 1) + 4 * cols + 8 * rows * cols * density;
  if (bytes > MAX_BYTES) {
    throw new MatrixError(`${sizeText(spec)}: needs ${threeDigits(bytes / 2 ** 30)} GiB, expected at most 4 GiB`);
  }
  const given = spec.options ?? {};
  for (const id of Object.keys(given)) {
    if (!pattern.options.some((o) => o.id === id)) {
      const known = pattern.options.map((o) => o.id).join(', ') || 'no options';
      throw new MatrixError(`options of ${pattern.id}: found '${id}', expected ${known}`);
    }
  }
  const options = Object.fromEntries(pattern.options.map((o) => [o.id, checkOption(o, given[o.id] ?? o.default)]));
  return { rows, cols, density, seed, options };
}

function sizeText({ rows, cols, density }: GenerateSpec): string {
  return `${shapeText(rows, cols)} with density ${density}`;
}

function checkOption(option: PatternOption, value: number): number {
  const { id, min, max, isInteger } = option;
  if (!(value >= min && value <= max) || (isInteger && !Number.isInteger(value))) {
    throw new MatrixError(
      `${id}: found ${value}, expected a ${isInteger ? 'whole number' : 'number'} from ${min} to ${max}`,
    );
  }
  return value;
}

export type { GenerateSpec } from './spec.ts';

/** Generates a random matrix, with normally distributed f32 values other than 0. Throws MatrixError for a bad spec. */
export function generate(spec: GenerateSpec, job?: Job): Matrix {
  return finish(generateSteps(spec), job);
}

/** Like `generate`, in steps, between which a caller can handle messages. */
export function* generateSteps(spec: GenerateSpec): Steps<Matrix> {
  const checked = checkSpec(spec);
  try {
    return yield* generators[spec.pattern](checked);
  } catch (error) {
    // A typed array throws this if there is no memory for it.
    if (!(error instanceof RangeError)) throw error;
    throw new MatrixError(`${sizeText(spec)}: out of memory (${error.message}); choose a smaller matrix`);
  }
}
