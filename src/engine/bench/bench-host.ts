import type { AnyFormat, EncodedMatrix } from '../../core/format.ts';
import type { Job } from '../../core/job.ts';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import type { Matrix } from '../../core/matrix/index.ts';
import type { Sizes } from '../../core/operations/operation.ts';
import type { GpuContext, TuningMemory } from '../../gpu/index.ts';
import type { DeviceHolder } from '../device.ts';
import type { Encoding } from '../matrix/encodings.ts';
import type { WorkerPace } from '../worker-pace.ts';
import type { BenchDraft } from './bench-types.ts';

// What benchmark runs need of the worker that they run in.

/** The matrix of a run. */
export interface BenchMatrix {
  readonly matrix: Matrix;
  /** where it came from, in words */
  readonly source: string;
  /** Encodes it, or returns an earlier encoding. Throws FormatError and CancelledError. */
  encode(format: AnyFormat, params: Readonly<Record<string, unknown>>, job: Job): Promise<Encoding>;
  /** Whether `encode` returns an earlier encoding. */
  isEncoded(format: AnyFormat, params: Readonly<Record<string, unknown>>): boolean;
}

/** The device, matrix and sizes on which a draft (a kernel that the user has changed) is tried before a benchmark. */
export interface DraftCheckOptions {
  readonly context: GpuContext;
  readonly target: BenchMatrix;
  readonly sizes: Sizes;
  readonly pace: WorkerPace;
}

/** Lets kernels that the user has changed or written take part in benchmarks. */
export interface DraftGate {
  /** Kernels of a format that compute nothing yet, from which drafts begin. */
  scratchKernels(format: AnyFormat): readonly KernelSpec<EncodedMatrix>[];
  /** The format of a draft with the draft as its only kernel. Throws SparseScopeError for an unknown kernel. */
  draftFormat(formats: readonly AnyFormat[], draft: BenchDraft): AnyFormat;
  /** Tries a draft; returns its format, which rejects drafts that are wrong on this matrix. Throws CancelledError. */
  checkedFormat(
    format: AnyFormat,
    params: Readonly<Record<string, unknown>>,
    options: DraftCheckOptions,
    job: Job,
  ): Promise<AnyFormat>;
}

/** The worker, as benchmark runs use it. */
export interface BenchHost extends WorkerPace {
  /** name and version of the application */
  readonly app: string;
  /** browser or runtime with its version */
  readonly runtime: string;
  readonly formats: readonly AnyFormat[];
  readonly device: DeviceHolder;
  /** The open matrix, whole. Throws SparseScopeError if there is none, MatrixError and CancelledError. */
  openMatrix(job: Job): Promise<BenchMatrix>;
  isHidden(): boolean;
  /** keeps what timing trials of kernels found; absent: forgotten with the run; 'off': no trials */
  readonly tuning?: TuningMemory | 'off';
  /** absent: runs with drafts are rejected */
  readonly drafts?: DraftGate | undefined;
}
