import { finish, type Steps } from '../job.ts';
import type { Matrix } from '../matrix/index.ts';
import { type PartSharing, SMALLEST_NORMAL_F32, UNIT_ROUNDOFF_BF16 } from '../oracle.ts';
import type { Sampling } from './sample.ts';

/** Dense inputs of an operation by buffer name. */
export type Inputs = Readonly<Record<string, Float32Array>>;

/** Sizes of an operation by name. */
export type Sizes = Readonly<Record<string, number>>;

/**
 * A size that the matrix does not determine, such as the number of tokens: a field in the page's form and an option on
 * the command line.
 */
export interface SizeField {
  readonly label: string;
  /** one sentence */
  readonly meaning: string;
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** every value is a multiple of it; absent: 1 */
  readonly step?: number;
}

/** The outputs of the f64 oracle, each with a bound: the largest error that a correct f32 kernel can make. */
export interface Expected {
  readonly output: Float64Array;
  readonly bound: Float64Array;
  /**
   * Set if the operation has too many outputs to compute all in f64: `at[i]`, ascending, is the index of `output[i]`
   * among all `of` outputs. Outputs that are not in the sample only need to have been written.
   */
  readonly sample?: { readonly at: Uint32Array; readonly of: number };
}

/** Returns the expectation for a kernel with this many roundings in addition to those of the sum (usually 1). */
export type ExpectedWith = (extraRoundings: number) => Expected;

/**
 * A computation of kernels with a matrix: named inputs from a seed, and the f64 oracle that checks the kernels. Outputs
 * are numbers in a fixed order; `KernelSpec.read` converts the outputs of a kernel that writes another layout.
 */
export interface Operation {
  readonly id: string;
  /** as a formula */
  readonly title: string;
  /** one sentence: its role in a language model */
  readonly summary: string;
  readonly sizes: Readonly<Record<string, SizeField>>;
  /** its inputs are the cells of the matrix rounded to a value type; absent: they do not depend on how it is stored */
  readonly inputsAreStored?: true;
  inputs(m: Matrix, sizes: Sizes, seed: number): Inputs;
  /**
   * `inputs` with other activations and the same weights: other outputs for the same work, which take as much space
   * when packed into a format. Absent: the outputs depend on the matrix alone.
   */
  varied?(shape: Pick<Matrix, 'rows' | 'cols'>, inputs: Inputs, sizes: Sizes, seed: number): Inputs;
  /** The oracle: the outputs in f64, or a sample of them if they are many, with their bounds. */
  expectedSteps(m: Matrix, inputs: Inputs, sizes: Sizes, sampling?: Sampling): Steps<ExpectedWith>;
  /**
   * `expectedSteps` for several inputs in one pass over the matrix, never sampled. `sharing`: how parts of the matrix
   * are sent to other threads. Absent: use `expectedSteps` for each.
   */
  expectedOfAllSteps?(m: Matrix, all: readonly Inputs[], sharing?: PartSharing): Steps<readonly ExpectedWith[]>;
}

/** The expectation from `output`, with `perRow` outputs for each of `rows`: a sample, unless these are all `rowCount` rows. */
export function expectationOfRows(
  rows: Uint32Array,
  rowCount: number,
  perRow: number,
  output: Float64Array,
  boundWith: (roundings: number) => Float64Array,
): ExpectedWith {
  const isAll = rows.length === rowCount;
  const at = new Uint32Array(isAll ? 0 : output.length);
  if (!isAll) {
    for (const [i, row] of rows.entries()) for (let k = 0; k < perRow; k++) at[i * perRow + k] = row * perRow + k;
  }
  const sample = isAll ? undefined : { at, of: rowCount * perRow };
  return (roundings) => ({ output, bound: boundWith(roundings), ...(sample ? { sample } : {}) });
}

/** `expected` for a kernel that rounds every output to bf16 at the end. */
function roundedToBf16({ output, bound, ...rest }: Expected): Expected {
  return {
    ...rest,
    output,
    bound: bound.map((b, i) => b + UNIT_ROUNDOFF_BF16 * (Math.abs(output[i]) + b) + SMALLEST_NORMAL_F32),
  };
}

/** The properties of a kernel on which its error depends. */
export interface Precision {
  /** roundings on the way to an output, not counting the sum */
  readonly extraRoundings: number;
  /** type that every output is rounded to at the end; absent: f32 */
  readonly outputType?: 'bf16';
}

/** The expectation for a kernel of this precision. */
export function expectedFor(expected: ExpectedWith, { extraRoundings, outputType }: Precision): Expected {
  return outputType === 'bf16' ? roundedToBf16(expected(extraRoundings)) : expected(extraRoundings);
}

/** Runs the oracle at once on this thread, for a kernel of this precision. */
export function expectedOf(
  operation: Operation,
  m: Matrix,
  inputs: Inputs,
  sizes: Sizes,
  precision: Precision,
): Expected {
  return expectedFor(finish(operation.expectedSteps(m, inputs, sizes)), precision);
}

/** The sizes of an operation at their defaults. */
export function defaultSizes(operation: Operation): Sizes {
  return Object.fromEntries(Object.entries(operation.sizes).map(([name, field]) => [name, field.default]));
}

/**
 * The requested sizes of an operation, and the defaults of its other sizes. Throws RangeError for an unknown name and for
 * a number outside its range.
 */
export function completeSizes(operation: Operation, requested: Sizes): Sizes {
  const known = Object.keys(operation.sizes);
  for (const [name, value] of Object.entries(requested)) {
    const field = Object.hasOwn(operation.sizes, name) ? operation.sizes[name] : undefined;
    if (field === undefined) {
      const expected = known.length === 0 ? 'none' : `one of ${known.join(', ')}`;
      throw new RangeError(`sizes of '${operation.id}': found '${name}', expected ${expected}`);
    }
    const { min, max, step = 1 } = field;
    if (!Number.isInteger(value) || value < min || value > max || value % step !== 0) {
      const kind = step === 1 ? 'whole number' : `multiple of ${step}`;
      throw new RangeError(`${name}: found ${value}, expected a ${kind} from ${min} to ${max}`);
    }
  }
  return { ...defaultSizes(operation), ...requested };
}
