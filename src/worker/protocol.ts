import type { Admission, EffectiveDensityBounds, Fact, Violation } from '../core/format.ts';
import type { Progress } from '../core/job.ts';
import type { CsrArrays, Region } from '../core/matrix/index.ts';
import type { Sizes } from '../core/operations/operation.ts';
import type { BenchReport, Environment } from '../core/report.ts';
import type { StorageLedger } from '../core/encoded/ledger.ts';
import type { GenerateSpec } from '../generate/generate.ts';
import type { FileContents } from '../io/read.ts';
import type { MatrixPreview } from './preview.ts';
import type { RankedCells, Ranking } from './pruning-ranks.ts';
import type { TileHistograms } from './tile-counts.ts';

export { MAX_DECOMPRESSED_BYTES } from '../io/archives/decompression-limit.ts';
export type { FileContents, TensorInfo } from '../io/read.ts';
export type { MatrixPreview } from './preview.ts';
export type { Ranking } from './pruning-ranks.ts';

/** Refuses what would spoil the times of a run that is in progress; `what` follows 'before you'. */
export function busySentence(what: string): string {
  return `A run is in progress: cancel it, or wait until it ends before you ${what}.`;
}

/** Where a whole matrix comes from. A file cannot be brought back from a URL; the others can. */
export type BaseSource =
  | { readonly kind: 'example'; readonly id: string }
  | { readonly kind: 'generated'; readonly spec: GenerateSpec }
  /** `tensor`: which one of a file that holds several */
  | { readonly kind: 'file'; readonly name: string; readonly tensor?: string }
  /** `link`: an address, or a reference to the hub with its revision pinned to a commit */
  | { readonly kind: 'remote'; readonly link: string; readonly tensor?: string };

/** Which entries stay. `density` is the share of cells, from 0 to 1. */
export type Pruning =
  /** the largest magnitudes of the matrix, or of every row */
  | { readonly way: 'magnitude' | 'rows'; readonly density: number }
  /** the `kept` largest of every `group` neighbours of a row */
  | { readonly way: 'n-of-m'; readonly kept: number; readonly group: number }
  | { readonly way: 'random'; readonly density: number; readonly seed: number };

/** Where a matrix comes from: a whole one, or what a pruning leaves of it. */
export type MatrixSource =
  | BaseSource
  | { readonly kind: 'pruned'; readonly base: BaseSource; readonly pruning: Pruning };

/** What a file may be like. */
interface ContainerLimits {
  /** most bytes that it may unpack to; left out, MAX_DECOMPRESSED_BYTES */
  readonly maxDecompressedBytes?: number;
}

/** A file that may hold several matrices. */
export type ContainerRequest = ContainerLimits & AnyContainer;

type AnyContainer =
  /** `others`: the files that an index names */
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly file: Blob;
      readonly others?: readonly Blob[];
      readonly tensor?: string;
    }
  /** `token` is sent only to the hub and kept nowhere */
  | { readonly kind: 'remote'; readonly reference: string; readonly token: string | null; readonly tensor?: string };

/** What the worker loads: a file comes with its bytes, an example with the address of its file. */
export type BaseRequest =
  | { readonly kind: 'example'; readonly id: string; readonly name: string; readonly url: string }
  | { readonly kind: 'generated'; readonly spec: GenerateSpec }
  | ContainerRequest;

/** What the worker opens. A pruned matrix keeps the whole one, so that another pruning of it reads nothing again. */
export type OpenRequest =
  | BaseRequest
  | { readonly kind: 'pruned'; readonly base: BaseRequest; readonly pruning: Pruning };

/** Files that arrays, and matrices, are written to. */
export type ArrayFile = 'npz' | 'safetensors';
export type MatrixFileKind = 'mtx' | 'npz';

/** What is known about the loaded matrix without looking at single cells. */
export interface MatrixSummary {
  /** changes with every matrix that is opened; a stale answer can be told by it */
  readonly generation: number;
  /** changes with every whole matrix that is read: all that is pruned from one has the same */
  readonly whole: number;
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

/** The cells of a region of the whole matrix, with which a page can prune them by itself: see pruning-ranks.ts. */
export interface PruningRanks extends RankedCells {
  /** that of the summary of every matrix that is pruned from it */
  readonly whole: number;
}

/** How many non-zeros the rows of the open matrix hold, whole and tile by tile. */
export interface TileCounts extends TileHistograms {
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
  /** id of an operation; on the CPU y = A x alone */
  readonly operation: string;
  /** sizes of the operation that differ from their defaults */
  readonly sizes: Sizes;
  readonly workload: { readonly kind: 'stage' } | { readonly kind: 'generated'; readonly spec: GenerateSpec };
  readonly entries: readonly BenchEntry[];
  readonly memory: 'cold' | 'warm';
  readonly rounds: number;
  readonly seed: number;
  /** where to run: the GPU, or this machine's CPU through plain TypeScript */
  readonly where: 'gpu' | 'cpu';
}

/** An operation of a sweep that runs several, with the formats that have kernels of it. */
export type SweepPart = Pick<BenchRequest, 'operation' | 'entries'>;

/** What changes from run to run of a sweep. */
export type SweepAxis =
  | { readonly of: 'density'; readonly values: readonly number[] }
  /** mean non-zeros of a row; every part runs at each of them, in the place of the request's operation */
  | { readonly of: 'non-zeros'; readonly values: readonly number[]; readonly parts: readonly SweepPart[] }
  /** a size of the operation, by name */
  | { readonly of: 'size'; readonly name: string; readonly values: readonly number[] };

export type DeviceStatus =
  | { readonly kind: 'ready'; readonly environment: Environment }
  | { readonly kind: 'unavailable'; readonly reason: string };

export type ReportProgress = (progress: Progress) => void;

/** Takes a report of a sweep, or of the part of a run that is done; what is measured next waits until it has it. */
export type TakeReport = (report: BenchReport) => void | Promise<void>;

/**
 * What the worker offers. Every long call takes the id of its job: `cancel(id)` makes it reject with CancelledError
 * and leaves everything as it was before. A newer `open` replaces the matrix only when it has succeeded.
 */
export interface EngineApi {
  /**
   * Rejects with TensorChoiceError when a file holds several matrices and none is named: see `tensors`. Rejects with
   * DecompressionLimitError when it unpacks to more than the request allows.
   */
  open(job: number, request: OpenRequest, onProgress: ReportProgress): Promise<MatrixSummary>;
  /** What a file holds; nothing is opened. */
  tensors(job: number, request: ContainerRequest, onProgress: ReportProgress): Promise<FileContents>;
  /** What a matrix is like; it is read, and nothing is opened. */
  preview(job: number, request: ContainerRequest, onProgress: ReportProgress): Promise<MatrixPreview>;
  /** The arrays of an encoding of the open matrix as a file, under their documented names. */
  encodingFile(
    job: number,
    format: string,
    params: Readonly<Record<string, unknown>>,
    kind: ArrayFile,
    onProgress: ReportProgress,
  ): Promise<Blob>;
  /** The open matrix as a file. */
  matrixFile(job: number, kind: MatrixFileKind, onProgress: ReportProgress): Promise<Blob>;
  spy(request: SpyRequest): Promise<SpyTile>;
  marginals(rowBuckets: number, colBuckets: number): Promise<Marginals>;
  /** the cells of a region, for the animation's window and for the keyboard walk */
  window(region: Region): Promise<WindowCells>;
  /** the cells of a region of the matrix that the open one was pruned from, in the order in which a pruning keeps them */
  pruningRanks(job: number, region: Region, ranking: Ranking): Promise<PruningRanks>;
  /** what rows and tile rows of the open matrix hold, cut into tiles of so many columns */
  tileCounts(job: number, tileWidth: number): Promise<TileCounts>;
  encode(
    job: number,
    format: string,
    params: Readonly<Record<string, unknown>>,
    onProgress: ReportProgress,
  ): Promise<EncodingSummary>;
  device(): Promise<DeviceStatus>;
  /**
   * One run at a time: a second is refused with one sentence. `takePart` gets the report of the complete rounds so far,
   * about once in a second: the last one is what is left of a run that breaks off, whichever way.
   */
  bench(job: number, request: BenchRequest, onProgress: ReportProgress, takePart: TakeReport): Promise<BenchReport>;
  /**
   * The request once for each value of the axis, and for each of its parts, in order; the whole is one run. Every report
   * is handed to `takeReport` at once, so that those before a failure are kept. Only a generated workload has any density.
   */
  sweep(
    job: number,
    request: BenchRequest,
    axis: SweepAxis,
    onProgress: ReportProgress,
    takeReport: TakeReport,
  ): Promise<void>;
  /** Tells whether nobody can see the page: rounds measured meanwhile are dropped and repeated. */
  setHidden(hidden: boolean): Promise<void>;
  /** Unknown and finished jobs are ignored. */
  cancel(job: number): Promise<void>;
}

/** What the thread of an engine offers: the engine, and signs of life. */
export interface EngineThreadApi extends EngineApi {
  /** Answers when the thread hears it, also while it works. */
  ping(): Promise<void>;
  /** Holds the browser's lock of this name for as long as the thread lives; false where there are no locks. */
  holdLock(name: string): Promise<boolean>;
}

/** How an engine died. */
export interface EngineDeath {
  /** what it did, to follow 'The engine': 'stopped by itself' */
  readonly how: string;
  /** It has died so often that no other was started: from now on every call rejects. */
  readonly isFinal: boolean;
}

/** An engine in a thread that is watched. When it dies another takes its place, which holds no matrix. */
export interface WatchedEngine extends EngineApi {
  /**
   * `listener` hears of every death when the next engine is there. After it, every call that waited for an answer rejects
   * with EngineDeathError.
   */
  onDeath(listener: (death: EngineDeath) => void): void;
}
