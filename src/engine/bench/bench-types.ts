import type { Sizes } from '../../core/operations/operation.ts';
import type { GenerateSpec } from '../../generate/generate.ts';
import type { DraftRequest } from '../../places/kernels/service/drafts/protocol.ts';

export interface BenchEntry {
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** auto: the fastest that fits, by a short measured trial; all: every variant that fits; or ids */
  readonly kernels: 'auto' | 'all' | readonly string[];
  /** a draft runs in the place of these kernels: it is checked on the matrix before, as `EngineApi.draft` does */
  readonly draft?: BenchDraft;
}

/** A draft that takes part in a benchmark. */
export interface BenchDraft extends Pick<DraftRequest, 'kernel' | 'files' | 'overrides'> {
  readonly mark: NonNullable<DraftRequest['mark']>;
}

/** A matrix that the worker makes for a run. */
export interface GeneratedWorkload {
  readonly kind: 'generated';
  readonly spec: GenerateSpec;
  /**
   * Where the matrix has more rows, so many are made and repeated: the matrix of a large vocabulary is then there in the
   * time of a small one, and a GPU reads it all the same. Default: every row is made.
   */
  readonly distinctRows?: number;
}

export interface BenchRequest {
  /** id of an operation; on the CPU y = A x alone */
  readonly operation: string;
  /** sizes of the operation that differ from their defaults */
  readonly sizes: Sizes;
  readonly workload: { readonly kind: 'stage' } | GeneratedWorkload;
  readonly entries: readonly BenchEntry[];
  readonly memory: 'cold' | 'warm';
  readonly rounds: number;
  readonly seed: number;
  /** where to run: the GPU, or this machine's CPU through plain TypeScript */
  readonly where: 'gpu' | 'cpu';
}

/** An operation of a sweep that runs several, with the formats that have kernels of it. */
export type SweepPart = Pick<BenchRequest, 'operation' | 'entries'>;

/** A shape of a sweep, with what is measured at it. */
export interface SweepShape extends Pick<BenchRequest, 'entries'> {
  readonly rows: number;
  readonly cols: number;
  /** of `GeneratedWorkload` */
  readonly distinctRows?: number;
}

/** What changes from run to run of a sweep. */
export type SweepAxis =
  | { readonly of: 'density'; readonly values: readonly number[] }
  /** mean non-zeros of a row; every part runs at each of them, in the place of the request's operation */
  | { readonly of: 'non-zeros'; readonly values: readonly number[]; readonly parts: readonly SweepPart[] }
  /** of a generated matrix; the entries stand in the place of the request's */
  | { readonly of: 'shape'; readonly values: readonly SweepShape[] }
  /** a size of the operation, by name */
  | { readonly of: 'size'; readonly name: string; readonly values: readonly number[] };

/** One density, to be measured at once. */
export interface LiveRequest {
  /** share of non-zeros, from 0 to 1 */
  readonly density: number;
  /** at most 4096, which is the default */
  readonly rows?: number;
  readonly cols?: number;
  readonly seed?: number;
  /** formats beside dense, with parameters that differ from their defaults; default: all that have a kernel of y = A x */
  readonly entries?: readonly Pick<BenchEntry, 'format' | 'params'>[];
}
