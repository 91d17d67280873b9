import type { Shape } from '../../core/format.ts';
import type { RecordedKernel } from '../../core/bench/cases.ts';
import type { Sizes } from '../../core/operations/operation.ts';
import type { GenerateSpec } from '../../generate/generate.ts';
import type { BenchReport, DraftMark } from '../../core/report.ts';

/** A format in a benchmark, with its parameters and kernels. */
export interface BenchEntry {
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** auto: the fastest that fits, by a short measured trial; all: every variant that fits; or ids */
  readonly kernels: 'auto' | 'all' | readonly string[];
  /** the kernel that a recording of a similar GPU and matrix chose: with 'auto' it is timed first */
  readonly recordedKernel?: RecordedKernel;
  /** runs instead of these kernels, once it has been checked on the matrix */
  readonly draft?: BenchDraft;
}

/** A kernel that the user changed, which takes part in a benchmark. */
export interface BenchDraft {
  /** id of the kernel that it changes: '<format>/<op>_<variant>' */
  readonly kernel: string;
  /** the whole text of changed files by their path below shaders/; every other file is as the kernel has it */
  readonly files: Readonly<Record<string, string>>;
  /** overrides that replace the ones of the kernel's plan, by name */
  readonly overrides: Readonly<Record<string, number>>;
  /** what reports call it, besides the kernel */
  readonly mark: Omit<DraftMark, 'of'>;
}

/** A matrix that the worker makes for a run. */
export interface GeneratedWorkload {
  readonly kind: 'generated';
  readonly spec: GenerateSpec;
  /** only this many rows are generated, and repeated, which costs the time of a small matrix; default: all rows */
  readonly distinctRows?: number;
}

/** The open matrix. */
export interface OpenWorkload {
  readonly kind: 'stage';
  /** it is repeated, down and to the right, to a matrix of this shape: for one that is too small to time */
  readonly repeatedTo?: Shape;
}

/** What a page requests from the engine (the worker with the open matrix and the GPU) to measure in one run. */
export interface BenchRequest {
  /** id of an operation; on the CPU only y = A x */
  readonly operation: string;
  /** sizes of the operation that differ from their defaults */
  readonly sizes: Sizes;
  readonly workload: OpenWorkload | GeneratedWorkload;
  readonly entries: readonly BenchEntry[];
  readonly memory: 'cold' | 'warm';
  readonly rounds: number;
  readonly seed: number;
  /** where to run: the GPU, or this machine's CPU through plain TypeScript */
  readonly where: 'gpu' | 'cpu';
}

/** One operation of a sweep through several, with the formats that have kernels of it. */
type SweepPart = Pick<BenchRequest, 'operation' | 'entries'>;

/** A shape of a sweep, with the formats to measure on it. */
export interface SweepShape extends Pick<BenchRequest, 'entries'> {
  readonly rows: number;
  readonly cols: number;
  /** as in `GeneratedWorkload` */
  readonly distinctRows?: number;
}

/** What changes from run to run of a sweep, a series of runs. */
export type SweepAxis =
  | { readonly of: 'density'; readonly values: readonly number[] }
  /** mean non-zeros of a row; every part runs at each of them, instead of the request's operation */
  | { readonly of: 'non-zeros'; readonly values: readonly number[]; readonly parts: readonly SweepPart[] }
  /** of a generated matrix; the entries replace the request's */
  | { readonly of: 'shape'; readonly values: readonly SweepShape[] }
  /** a size of the operation, by name */
  | { readonly of: 'size'; readonly name: string; readonly values: readonly number[] };

/**
 * Receives the report of a run again and again while it grows, with `unfinished` until it is complete. `run` counts the
 * runs of a sweep from 0, and is 0 for a single run; a later report of a run replaces the earlier one. The next
 * measurement waits for the returned promise, so that a page may draw the report while nothing is timed.
 */
export type OnReport = (report: BenchReport, run: number) => void | Promise<void>;
