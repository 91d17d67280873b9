// The matrices on which a draft is tried: the open one, awkward ones, and one for an x that is not finite.

import type { EncodedMatrix } from '../../../../../src/core/format.ts';
import { NO_JOB } from '../../../../../src/core/job.ts';
import type { KernelSpec } from '../../../../../src/core/kernel/kernel.ts';
import type { Matrix } from '../../../../../src/core/matrix/index.ts';
import { expectedWithNonFiniteFirst } from '../../../../../src/core/operations/spmv.ts';
import { operationById, SPMV } from '../../../../../src/core/operations/index.ts';
import { completeSizes, expectedFor, type Sizes } from '../../../../../src/core/operations/operation.ts';
import {
  AWKWARD_MATRICES,
  awkwardMatrix,
  type AwkwardMatrix,
  MORE_AWKWARD_MATRICES,
} from '../../../../../src/generate/awkward/matrices.ts';
import { kernelSupport } from '../../../../../src/gpu/index.ts';
import type { BenchMatrix } from '../../../../../src/engine/bench/bench-host.ts';
import { openMatrixCase, TRIAL_SEED, type TrialOptions, type TrialCase } from './trial-case.ts';
import { finishPaced } from '../../../../../src/engine/worker-pace.ts';

/** Names of the larger awkward matrices on which drafts are tried as well. */
const LARGER_NAMES = new Set(['300 × 65', '5 × 4096', 'two of every four columns, 5 × 4500', 'last column alone']);

/** Awkward matrices on which every draft is tried, such as one whose first rows are empty. */
export const DRAFT_MATRICES: readonly AwkwardMatrix[] = [
  ...AWKWARD_MATRICES,
  ...MORE_AWKWARD_MATRICES.filter(({ name }) => LARGER_NAMES.has(name)),
];

const NON_FINITE_SEED = 12;

let nonFinite: Matrix | null = null;

/** The matrix for products with an x that is not finite; the same object each time, as a key for stored results. */
export function matrixForNonFiniteX(): Matrix {
  return (nonFinite ??= awkwardMatrix([33, 70], 'uniform', 0.2));
}

/** The cases of a draft (a user's kernel): the open matrix, `matrices` and, for y = A x, a non-finite x. */
export function trialCases(
  open: BenchMatrix,
  matrices: readonly AwkwardMatrix[],
  options: TrialOptions,
): readonly TrialCase[] {
  const { format, params } = options;
  const small = matrices.flatMap(({ name, build }): readonly TrialCase[] => {
    const matrix = build();
    if (!format.admits(matrix, params).ok) return [];
    return [
      { name, isOpenMatrix: false, rows: matrix.rows, cols: matrix.cols, prepare: () => smallTrial(matrix, options) },
    ];
  });
  return [openMatrixCase(open, options), ...small, ...nonFiniteCases(options)];
}

type Prepared = Awaited<ReturnType<TrialCase['prepare']>>;

async function smallTrial(
  matrix: ReturnType<AwkwardMatrix['build']>,
  { format, params, spec, sizes, facts, pace }: TrialOptions,
): Promise<Prepared> {
  const reduced = smallSizes(spec, sizes);
  const encoded: EncodedMatrix = format.encode(matrix, params);
  const fits = kernelSupport(spec, encoded, facts, reduced);
  if (!fits.ok) return { ok: false, reason: fits.reason };
  const operation = operationById(spec.operation);
  const rounded = format.decode(encoded);
  const inputs = operation.inputs(rounded, reduced, TRIAL_SEED);
  const expectedWith = await finishPaced(operation.expectedSteps(rounded, inputs, reduced), NO_JOB, pace);
  return { ok: true, trial: { encoded, inputs, expected: expectedFor(expectedWith, spec), sizes: reduced } };
}

/** Sizes for a small matrix: at most 9 steps each, or 67 if a size has no step. */
function smallSizes(spec: KernelSpec<EncodedMatrix>, sizes: Sizes): Sizes {
  const operation = operationById(spec.operation);
  const max = Object.entries(operation.sizes).map(([name, { step = 0 }]) => [
    name,
    Math.min(sizes[name], step === 0 ? 67 : 9 * step),
  ]);
  return completeSizes(operation, Object.fromEntries(max) as Sizes);
}

function nonFiniteCases({ format, params, spec, facts }: TrialOptions): readonly TrialCase[] {
  const matrix = matrixForNonFiniteX();
  if (spec.operation !== SPMV.id || !format.admits(matrix, params).ok) return [];
  const { rows, cols } = matrix;
  return [Number.NaN, Number.POSITIVE_INFINITY].map((first) => ({
    name: `x[0] = ${first}`,
    isOpenMatrix: false,
    rows,
    cols,
    async prepare() {
      const encoded: EncodedMatrix = format.encode(matrix, params);
      const fits = kernelSupport(spec, encoded, facts, {});
      if (!fits.ok) return { ok: false, reason: fits.reason };
      const rounded = format.decode(encoded);
      const inputs = SPMV.inputs(rounded, {}, NON_FINITE_SEED);
      inputs.x[0] = first;
      // Formats with a `valueType` store every entry, even if it rounds to 0; a custom format may leave entries out.
      const expected = expectedWithNonFiniteFirst('valueType' in params ? matrix : rounded, rounded, inputs, spec);
      return { ok: true, trial: { encoded, inputs, expected, sizes: {} } };
    },
  }));
}
