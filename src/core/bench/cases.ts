/* What a benchmark run measures: its cases, each a format with parameters, and the options that all of them share. */

import type { EncodedMatrix } from '../encoded/encoded.ts';
import type { AnyFormat, ParamField } from '../format.ts';
import type { Job, Perform } from '../job.ts';
import type { BenchReport, DraftMark, Workload } from '../report.ts';
import type { SpanRecorder } from './span-recorder.ts';

/** The members of a format that a benchmark run uses. */
export type BenchFormat = Pick<
  AnyFormat,
  'id' | 'title' | 'encodeSteps' | 'decode' | 'storage' | 'multiply' | 'kernels' | 'effort'
>;

/** One format with its parameters, to be verified and timed. */
export interface BenchCase {
  readonly format: BenchFormat;
  readonly params: Readonly<Record<string, unknown>>;
  /** auto: the fastest that fits, chosen by a short measured trial; all: every variant that fits; or ids. GPU only. */
  readonly kernels: 'auto' | 'all' | readonly string[];
  /** with 'auto', the kernel to time first: the choice of a similar card and matrix, with its numbers */
  readonly known?: KnownKernel;
  /** set for a draft, a kernel that a person wrote or changed: the only one of its format here */
  readonly draft?: DraftMark;
  /**
   * Encodes the matrix, or returns an earlier encoding with the time that it took. Called again when a lost device has
   * to be refilled. Throws FormatError when the format cannot hold the matrix.
   */
  encode(job: Job): Promise<{ readonly encoded: EncodedMatrix; readonly encodeMs: number }>;
  /** Whether `encode` returns an earlier encoding; default: false. */
  readonly isEncoded?: () => boolean;
}

/** A kernel, and the numbers that a trial found for it. */
export interface KnownKernel {
  readonly kernel: string;
  readonly chosen?: Readonly<Record<string, number>>;
}

/** Everything of a run besides its cases: what is multiplied, how it is timed, and who receives its reports. */
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
   * Receives the report so far, with `unfinished`: as soon as a case has joined, then about once a second, and when the
   * run ends for whatever reason. Measuring pauses until the callback is done.
   */
  readonly onReport?: (report: BenchReport) => void | Promise<void>;
  /** lets other threads compute parts of the reference; default: none */
  readonly perform?: Perform;
  /** receives background work of the run */
  readonly timeline?: SpanRecorder;
  /** `workload.rounds` is how many there are at most: they end once every median is known well. */
  readonly endsEarly?: boolean;
  /** the report of an earlier session of this run: its results are kept, and only missing ones are measured */
  readonly before?: BenchReport;
}

/**
 * The value type of the reference for kernels whose values have `valueType`: what that type's option names, else the
 * same type, else the default if the reference format lacks that type.
 */
export function referenceValueType(reference: Pick<AnyFormat, 'params'>, valueType: unknown): unknown {
  const field: ParamField<unknown> = reference.params.valueType;
  const option = field.kind === 'choice' ? field.options.find((o) => o.value === valueType) : undefined;
  return option ? (option.comparedWith ?? option.value) : field.default;
}
