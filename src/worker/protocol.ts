import type { Admission, EffectiveDensityBounds, Fact, Violation } from '../core/format.ts';
import type { Progress } from '../core/job.ts';
import type { CsrArrays, Region } from '../core/matrix/index.ts';
import type { BenchReport, Environment } from '../core/report.ts';
import type { StorageLedger } from '../core/storage.ts';
import type { GenerateSpec } from '../generate/generate.ts';

/** Where a matrix comes from. Only example and generated can be rebuilt from a URL. */
export type MatrixSource =
  | { readonly kind: 'example'; readonly id: string }
  | { readonly kind: 'generated'; readonly spec: GenerateSpec }
  | { readonly kind: 'file'; readonly name: string };

/** What the worker opens: a file comes with its bytes, an example with the address of its file. */
export type OpenRequest =
  | { readonly kind: 'example'; readonly id: string; readonly name: string; readonly url: string }
  | { readonly kind: 'generated'; readonly spec: GenerateSpec }
  | { readonly kind: 'file'; readonly name: string; readonly file: Blob };

/** What is known about the loaded matrix without looking at single cells. */
export interface MatrixSummary {
  /** changes with every matrix that is opened; a stale answer can be told by it */
  readonly generation: number;
  readonly name: string;
  readonly source: MatrixSource;
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly density: number;
  readonly longestRow: number;
  readonly emptyRows: number;
  /** largest finite |value| */
  readonly absMax: number;
  readonly nanCount: number;
  readonly infCount: number;
  /** the first stored entry in row-major order; null without any */
  readonly firstEntry: { readonly row: number; readonly col: number } | null;
  /** sentences a person should read: duplicates summed, values generated ... */
  readonly notes: readonly string[];
}

/** A part of the matrix as a picture of about width x height buckets: the pixels or cells that there is room for. */
export interface SpyRequest {
  readonly region: Region;
  readonly width: number;
  readonly height: number;
}

/**
 * The picture: exact, on a grid that does not move with the request, so that panning shifts it and nothing flickers.
 * A bucket covers rowsPerBucket x colsPerBucket cells, powers of two, the smallest with at most `height` (`width`)
 * buckets along the asked region; buckets on the lower and right edge of the matrix cover what is left.
 */
export interface SpyTile {
  readonly generation: number;
  /** what the picture covers: the part of the asked region inside the matrix, grown to whole buckets */
  readonly region: Region;
  /** buckets per line and lines: ceil(region.cols / colsPerBucket), ceil(region.rows / rowsPerBucket) */
  readonly width: number;
  readonly height: number;
  readonly rowsPerBucket: number;
  readonly colsPerBucket: number;
  /** cells: one bucket per cell, `buckets` holds values, 0 where nothing is stored. density: share of non-zeros, 0 to 1. */
  readonly kind: 'cells' | 'density';
  /** row-major, length width * height */
  readonly buckets: Float32Array;
}

/**
 * Share of non-zeros per group of rows and per group of columns, over the whole matrix. Group i of n covers rows
 * floor(i * rows / n) .. floor((i + 1) * rows / n); with more groups asked for than rows there is one per row.
 */
export interface Marginals {
  readonly generation: number;
  readonly rowDensity: Float32Array;
  readonly colDensity: Float32Array;
}

/** The cells of a region, with indices from 0. */
export interface WindowCells extends CsrArrays {
  readonly generation: number;
}

/** One format's encoding of the loaded matrix, without its arrays. */
export interface EncodingSummary {
  readonly generation: number;
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly admission: Admission;
  /** null when the matrix is not admitted */
  readonly ledger: StorageLedger | null;
  /** what the format says about this encoding; empty when the matrix is not admitted */
  readonly facts: readonly Fact[];
  readonly violations: readonly Violation[];
  /** how thoroughly it was looked at: every element up to 4 Mi entries, lengths above; null when not admitted */
  readonly validated: 'cheap' | 'full' | null;
  /** closed form at this density, where the format has one */
  readonly bounds: EffectiveDensityBounds | null;
  readonly encodeMs: number;
}

export interface BenchEntry {
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** auto: the fastest that fits, by a short measured trial; all: every variant that fits; or ids */
  readonly kernels: 'auto' | 'all' | readonly string[];
}

export interface BenchRequest {
  readonly workload: { readonly kind: 'stage' } | { readonly kind: 'generated'; readonly spec: GenerateSpec };
  readonly entries: readonly BenchEntry[];
  readonly memory: 'cold' | 'warm';
  readonly rounds: number;
  readonly seed: number;
  /** where to run: the GPU, or this machine's CPU through plain TypeScript */
  readonly where: 'gpu' | 'cpu';
}

export type DeviceStatus =
  | { readonly kind: 'ready'; readonly environment: Environment }
  | { readonly kind: 'unavailable'; readonly reason: string };

export type ReportProgress = (progress: Progress) => void;

/**
 * What the worker offers. Every long call takes the id of its job: `cancel(id)` makes it reject with CancelledError
 * and leaves everything as it was before. A newer `open` replaces the matrix only when it has succeeded.
 */
export interface EngineApi {
  open(job: number, request: OpenRequest, onProgress: ReportProgress): Promise<MatrixSummary>;
  spy(request: SpyRequest): Promise<SpyTile>;
  marginals(rowBuckets: number, colBuckets: number): Promise<Marginals>;
  /** the cells of a region, for the animation's window and for the keyboard walk */
  window(region: Region): Promise<WindowCells>;
  encode(
    job: number,
    format: string,
    params: Readonly<Record<string, unknown>>,
    onProgress: ReportProgress,
  ): Promise<EncodingSummary>;
  device(): Promise<DeviceStatus>;
  /** one run at a time: a second is refused with one sentence */
  bench(job: number, request: BenchRequest, onProgress: ReportProgress): Promise<BenchReport>;
  /** The request once for each density of a generated workload, in order; the whole is one run. */
  sweep(
    job: number,
    request: BenchRequest,
    densities: readonly number[],
    onProgress: ReportProgress,
  ): Promise<readonly BenchReport[]>;
  /** Tells whether nobody can see the page: rounds measured meanwhile are dropped and repeated. */
  setHidden(hidden: boolean): Promise<void>;
  /** Unknown and finished jobs are ignored. */
  cancel(job: number): Promise<void>;
}
