/* The input of a benchmark run: its cases, each a format with parameters, and the options that all of them share. */

import type { EncodedMatrix } from '../encoded/encoded.ts';
import type { AnyFormat, ParamField } from '../format.ts';
import type { Job, Perform } from '../job.ts';
import { unsuitedReason } from '../kernel/kernel.ts';
import { isKernelOf } from '../operations/spmv.ts';
import type { BenchReport, DraftMark, Workload } from '../report.ts';
import type { SpanRecorder } from './span-recorder.ts';

/** The members of a format that a benchmark run uses. */
export type BenchFormat = Pick<
  AnyFormat,
  'id' | 'title' | 'encodeSteps' | 'decode' | 'multiply' | 'kernels' | 'effort'
>;

/** One format with its parameters, to be verified and timed. */
export interface BenchCase {
  readonly format: BenchFormat;
  readonly params: Readonly<Record<string, unknown>>;
  /** auto: the fastest that fits, chosen by a short measured trial; all: every variant that fits; or ids. GPU only. */
  readonly kernels: 'auto' | 'all' | readonly string[];
  /** with 'auto', kernels that are left out because another case has them; default: none */
  readonly except?: readonly string[];
  /** with 'auto', the kernel to time first: the fastest on a similar GPU and matrix */
  readonly recordedKernel?: RecordedKernel;
  /** set for a draft, a kernel that the user wrote or changed: the case then has no other kernel */
  readonly draft?: DraftMark;
  /**
   * Encodes the matrix, or returns an earlier encoding with the time that it took. Called again when a lost device has
   * to be refilled. Throws FormatError if the format cannot store the matrix.
   */
  encode(job: Job): Promise<{ readonly encoded: EncodedMatrix; readonly encodeMs: number }>;
  /** Whether `encode` returns an earlier encoding; default: false. */
  readonly isEncoded?: () => boolean;
}

/** A kernel, and the constants that a trial chose for it, such as the workgroup size. */
export interface RecordedKernel {
  readonly kernel: string;
  readonly chosen?: Readonly<Record<string, number>>;
}

/** All options of a run other than its cases: the operation, the timing, and the receiver of its reports. */
export interface BenchOptions {
  /** name and version of the application, for the report */
  readonly app: string;
  readonly workload: Workload;
  /** id of the format that the others are compared with; without it in the run there are no ratios */
  readonly reference: string;
  /** the value type of the reference for kernels of a given value type (`referenceValueType`); default: the same */
  readonly comparedWith?: (valueType: unknown) => unknown;
  /** Whether the page is hidden: browsers slow hidden pages down, so timing waits, and such rounds are repeated. */
  readonly isHidden?: () => boolean;
  /**
   * Receives the report so far, with `unfinished`: after the first rounds of each case, about once a second, and when
   * the run ends for any reason. Measuring pauses until the callback is done.
   */
  readonly onReport?: (report: BenchReport) => void | Promise<void>;
  /** lets other threads compute parts of the expected outputs; default: none */
  readonly perform?: Perform;
  /** records when background work of the run begins and ends */
  readonly timeline?: SpanRecorder;
  /** Whether the rounds, at most `workload.rounds`, end once every median is known to about 1 %. */
  readonly endsEarly?: boolean;
  /** the report of this run before it was interrupted: its results are reused, and only missing ones are measured */
  readonly before?: BenchReport;
}

/**
 * The value type of the reference for kernels with values of `valueType`: the `comparedWith` of that type's option,
 * else the same type, else the default if the reference format lacks that type.
 */
export function referenceValueType(reference: Pick<AnyFormat, 'params'>, valueType: unknown): unknown {
  const field: ParamField<unknown> = reference.params.valueType;
  const option = field.kind === 'choice' ? field.options.find((o) => o.value === valueType) : undefined;
  return option ? (option.comparedWith ?? option.value) : field.default;
}

/**
 * The ids of a case's special kernels, those that compute only this operation; none if every kernel does. The others
 * compute it as a case of a more general operation. Times of special kernels depend on the inputs, so these kernels are
 * timed besides the fastest of the others, and are the reference of no ratio.
 */
export function specialKernels({ format, params }: Pick<BenchCase, 'format' | 'params'>, operation: string): string[] {
  const suitable = format.kernels.filter((k) => isKernelOf(k, operation) && unsuitedReason(k, params) === null);
  const special = suitable.filter((kernel) => kernel.operation === operation);
  return special.length === suitable.length ? [] : special.map(({ id }) => id);
}

/** The case; with 'auto' two cases if it has special kernels: the fastest of the other kernels, and the special kernels. */
export function withSpecialCase(benchCase: BenchCase, operation: string): BenchCase[] {
  const special = specialKernels(benchCase, operation);
  if (benchCase.kernels !== 'auto' || special.length === 0) return [benchCase];
  return [
    { ...benchCase, except: special },
    { ...benchCase, kernels: special },
  ];
}
