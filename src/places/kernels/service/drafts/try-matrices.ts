import type { AnyFormat, EncodedMatrix } from '../../../../core/format.ts';
import type { Job } from '../../../../core/job.ts';
import type { DeviceFacts, KernelSpec } from '../../../../core/kernel/kernel.ts';
import { expectedWithBadFirst } from '../../../../core/operations/bad-first.ts';
import { operationById, SPMV } from '../../../../core/operations/index.ts';
import { completeSizes, expectedFor, type Sizes } from '../../../../core/operations/operation.ts';
import {
  AWKWARD_MATRICES,
  awkward,
  type AwkwardMatrix,
  MORE_AWKWARD_MATRICES,
} from '../../../../generate/awkward/matrices.ts';
import type { TrialMatrix } from '../../../../gpu/drafts/index.ts';
import { admitKernel } from '../../../../gpu/index.ts';
import type { BenchMatrix } from '../../../../engine/bench/bench-host.ts';
import { finishPaced, type WorkerPace } from '../../../../engine/jobs.ts';

/** A matrix that a draft is tried on, once somebody asks for it. */
export interface TrySubject {
  readonly name: string;
  readonly isOpenMatrix: boolean;
  readonly rows: number;
  readonly cols: number;
  /** Encoded, with inputs and what is expected; or why the kernel does not take it. Throws CancelledError. */
  prepare(
    job: Job,
  ): Promise<{ readonly ok: true; readonly trial: TrialMatrix } | { readonly ok: false; readonly reason: string }>;
}

/** What all subjects share. */
export interface TryOptions {
  readonly format: AnyFormat;
  readonly spec: KernelSpec<EncodedMatrix>;
  readonly params: Readonly<Record<string, unknown>>;
  readonly sizes: Sizes;
  readonly facts: DeviceFacts;
  readonly pace: WorkerPace;
}

/** Besides those that every kernel is tested on, of the larger ones these. */
const MORE = new Set(['300 × 65', '5 × 4096', 'two of every four columns, 5 × 4500', 'last column alone']);

export const DRAFT_MATRICES: readonly AwkwardMatrix[] = [
  ...AWKWARD_MATRICES,
  ...MORE_AWKWARD_MATRICES.filter(({ name }) => MORE.has(name)),
];

const SEED = 11;
const BAD_SEED = 12;

/** The open matrix, the awkward ones, and for y = A x an x that is not finite in its first column. */
export function trySubjects(
  stage: BenchMatrix,
  matrices: readonly AwkwardMatrix[],
  options: TryOptions,
): readonly TrySubject[] {
  const { format, params, spec } = options;
  const small = matrices.flatMap(({ name, build }): readonly TrySubject[] => {
    const matrix = build();
    if (!format.admits(matrix, params).ok) return [];
    return [
      { name, isOpenMatrix: false, rows: matrix.rows, cols: matrix.cols, prepare: () => smallTrial(matrix, options) },
    ];
  });
  return [openSubject(stage, options), ...small, ...(spec.operation === SPMV.id ? badSubjects(options) : [])];
}

/** The matrix of a run. */
export function openSubject(stage: BenchMatrix, options: TryOptions): TrySubject {
  const { format, params, spec, sizes, facts, pace } = options;
  const { matrix, source } = stage;
  return {
    name: source,
    isOpenMatrix: true,
    rows: matrix.rows,
    cols: matrix.cols,
    async prepare(job) {
      const admission = format.admits(matrix, params);
      if (!admission.ok) return { ok: false, reason: admission.reason };
      const { encoded } = await stage.encode(format, params, job);
      const fits = admitKernel(spec, encoded, facts, sizes);
      if (!fits.ok) return { ok: false, reason: fits.reason };
      const operation = operationById(spec.operation);
      const rounded = format.decode(encoded);
      const inputs = operation.inputs(rounded, sizes, SEED);
      const expectedWith = await finishPaced(operation.expectedSteps(rounded, inputs, sizes), job, pace);
      return { ok: true, trial: { encoded, inputs, expected: expectedFor(expectedWith, spec), sizes } };
    },
  };
}

type Prepared = Awaited<ReturnType<TrySubject['prepare']>>;

async function smallTrial(
  matrix: ReturnType<AwkwardMatrix['build']>,
  { format, params, spec, sizes, facts, pace }: TryOptions,
): Promise<Prepared> {
  const small = smallSizes(spec, sizes);
  const encoded: EncodedMatrix = format.encode(matrix, params);
  const fits = admitKernel(spec, encoded, facts, small);
  if (!fits.ok) return { ok: false, reason: fits.reason };
  const operation = operationById(spec.operation);
  const rounded = format.decode(encoded);
  const inputs = operation.inputs(rounded, small, SEED);
  const expectedWith = await finishPaced(operation.expectedSteps(rounded, inputs, small), NO_JOB, pace);
  return { ok: true, trial: { encoded, inputs, expected: expectedFor(expectedWith, spec), sizes: small } };
}

const NO_JOB: Job = { report: () => {}, cancelled: false };

/** The sizes, but none larger than what a few tiles and lanes hold. */
function smallSizes(spec: KernelSpec<EncodedMatrix>, sizes: Sizes): Sizes {
  const operation = operationById(spec.operation);
  const most = Object.entries(operation.sizes).map(([name, { step = 0 }]) => [
    name,
    Math.min(sizes[name], step === 0 ? 67 : 9 * step),
  ]);
  return completeSizes(operation, Object.fromEntries(most) as Sizes);
}

function badSubjects({ format, params, spec, facts }: TryOptions): readonly TrySubject[] {
  const matrix = awkward([33, 70], 'uniform', 0.2);
  if (!format.admits(matrix, params).ok) return [];
  const { rows, cols } = matrix;
  return [Number.NaN, Number.POSITIVE_INFINITY].map((bad) => ({
    name: `x[0] = ${bad}`,
    isOpenMatrix: false,
    rows,
    cols,
    async prepare() {
      const encoded: EncodedMatrix = format.encode(matrix, params);
      const fits = admitKernel(spec, encoded, facts, {});
      if (!fits.ok) return { ok: false, reason: fits.reason };
      const rounded = format.decode(encoded);
      const inputs = SPMV.inputs(rounded, {}, BAD_SEED);
      inputs.x[0] = bad;
      const expected = expectedWithBadFirst(rounded, inputs, spec, format.storesZeros === true);
      return { ok: true, trial: { encoded, inputs, expected, sizes: {} } };
    },
  }));
}
