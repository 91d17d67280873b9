import type { AnyFormat } from '../../core/format.ts';
import type { Job } from '../../core/job.ts';
import type { Matrix } from '../../core/matrix/index.ts';
import type { TuningMemory } from '../../gpu/index.ts';
import type { DeviceHolder } from '../device.ts';
import type { Encoding } from '../matrix/encodings.ts';
import type { WorkerPace } from '../pace.ts';

/** The matrix of a run. */
export interface BenchMatrix {
  readonly matrix: Matrix;
  /** where it came from, in words */
  readonly source: string;
  /** Encodes it, or hands out what was encoded before. Throws FormatError and CancelledError. */
  encode(format: AnyFormat, params: Readonly<Record<string, unknown>>, job: Job): Promise<Encoding>;
  /** Whether `encode` hands out what was encoded before. */
  isEncoded(format: AnyFormat, params: Readonly<Record<string, unknown>>): boolean;
}

/** What runs need of the worker. */
export interface BenchHost extends WorkerPace {
  /** name and version of the application */
  readonly app: string;
  /** browser or runtime with its version */
  readonly runtime: string;
  readonly formats: readonly AnyFormat[];
  readonly device: DeviceHolder;
  /** the matrix that is open, whole; throws SparseScopeError when there is none, MatrixError and CancelledError */
  stage(job: Job): Promise<BenchMatrix>;
  isHidden(): boolean;
  readonly tuning?: TuningMemory | 'off';
}
