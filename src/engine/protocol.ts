import type { Admission, EffectiveDensityBounds, Fact, Violation } from '../core/format.ts';
import type { Progress } from '../core/job.ts';
import type { CsrArrays, Region } from '../core/matrix/index.ts';
import type { BenchReport, Environment } from '../core/report.ts';
import type { StorageLedger } from '../core/encoded/ledger.ts';
import type { GenerateSpec } from '../generate/generate.ts';
import type { FileContents } from '../io/read.ts';
import type { BenchRequest, LiveRequest, SweepAxis } from './bench/bench-types.ts';
import type {
  DraftRequest,
  MemoryAnswer,
  MemoryRequest,
  TakeDraftEvent,
} from '../places/kernels/service/drafts/protocol.ts';
import type {
  DigitAnswer,
  DigitRequest,
  NetworkRequest,
  NetworkResult,
  TestImages,
} from '../places/explore/service/network/types.ts';
import type { KernelFile, KernelReading, KernelRequest } from '../places/kernels/service/kernel-reading-types.ts';
import type {
  LoadsAnswer,
  LoadsRequest,
  SubgroupAnswer,
  SubgroupRequest,
} from '../places/kernels/service/kernel-loads-types.ts';
import type { MatrixPreview } from './matrix/preview.ts';
import type { Pruning } from './matrix/pruning-way.ts';
import type { RankedCells, Ranking } from './matrix/pruning-ranks.ts';
import type { ContainerRequest, MatrixSource, OpenRequest, TextRequest } from './matrix/source-types.ts';
import type { TileHistograms } from './matrix/tile-counts.ts';
import type { Digest, Miniature } from '../core/comparison/comparison.ts';
import type { MatrixStatistics } from '../core/statistics/matrix-statistics.ts';
import type { BestEncoding, FormatVerdict } from './matrix/verdicts.ts';

export { MAX_DECOMPRESSED_BYTES } from '../io/archives/decompression-limit.ts';
export type { FileContents, TensorInfo } from '../io/read.ts';
export type * from './bench/bench-types.ts';
export type * from '../places/kernels/service/drafts/protocol.ts';
export type * from '../places/kernels/service/kernel-loads-types.ts';
export type * from '../places/kernels/service/kernel-reading-types.ts';
export type * from '../places/explore/service/network/types.ts';
export type { OverrideOrigin } from '../places/kernels/service/override-origins.ts';
export type { MatrixPreview } from './matrix/preview.ts';
export type { Pruning } from './matrix/pruning-way.ts';
export type { Ranking } from './matrix/pruning-ranks.ts';
export type * from './matrix/source-types.ts';
export type { BestEncoding, FormatVerdict } from './matrix/verdicts.ts';

/** Refuses what would spoil the times of a run that is in progress; `what` follows 'before you'. */
export function busySentence(what: string): string {
  return `A run is in progress: cancel it, or wait until it ends, before you ${what}.`;
}

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

/** How the non-zeros of the open matrix lie, and what every format says of it with its parameters. */
export interface Comparison {
  readonly generation: number;
  readonly statistics: MatrixStatistics;
  /** bytes of the arrays that the matrix keeps */
  readonly matrixBytes: number;
  /** by format */
  readonly verdicts: Readonly<Record<string, FormatVerdict>>;
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
  /** the first row as it lies in memory; of a matrix that is not admitted its beginning alone, null where not even that is */
  readonly miniature: Miniature | null;
  /** what the format counted in the arrays */
  readonly digest: Digest;
}

/** A matrix to be encoded in passing: a generated one, or what a pruning leaves of the one that is open. */
export type SizeMatrix =
  | { readonly kind: 'generated'; readonly spec: GenerateSpec }
  | { readonly kind: 'pruned'; readonly pruning: Pruning };

/** A format to encode it in, with parameters that differ from their defaults. */
export interface SizeEntry {
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface SizesRequest {
  readonly matrices: readonly SizeMatrix[];
  readonly entries: readonly SizeEntry[];
}

/** The bytes of one matrix in one format. */
export interface EncodedSize {
  /** which matrix of the request, from 0 */
  readonly matrix: number;
  readonly format: string;
  /** complete */
  readonly params: Readonly<Record<string, unknown>>;
  /** of the matrix, which may differ from what was asked for */
  readonly density: number;
  readonly nnz: number;
  /** null where the format does not hold it; `refusal` says why */
  readonly bytes: number | null;
  readonly paddingBytes: number;
  readonly refusal: string | null;
  readonly encodeMs: number;
}

/** Takes the size of one matrix in one format; the next one waits until it has it. */
export type TakeSize = (size: EncodedSize) => void | Promise<void>;

export type DeviceStatus =
  | { readonly kind: 'ready'; readonly environment: Environment }
  | { readonly kind: 'unavailable'; readonly reason: string };

export type ReportProgress = (progress: Progress) => void;

/**
 * Takes a report as it stands: with `unfinished` while there is more of it to come, and then again and again. `place`
 * counts the runs of a sweep from 0, and is 0 for a single run; what comes later for a place stands for what came before.
 * What is measured next waits until it is taken, so that a page may draw it while nothing is timed.
 */
export type TakeReport = (report: BenchReport, place: number) => void | Promise<void>;

/** Takes what came of one choice; the next one waits until it has it. */
export type TakeNetworkResult = (result: NetworkResult) => void | Promise<void>;

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
  /** The text of a small file; nothing is opened. */
  text(job: number, request: TextRequest): Promise<string>;
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
  /**
   * What formats say of the open matrix, by their parameters, of which those left out are at their defaults. The first call
   * for a matrix looks at all of it; then its statistics are known.
   */
  compare(
    job: number,
    params: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    onProgress: ReportProgress,
  ): Promise<Comparison>;
  /**
   * The parameters of the same value type with which a format takes the least bytes of the open matrix, as encoded; null
   * where it holds it with none.
   */
  bestParams(
    job: number,
    format: string,
    params: Readonly<Record<string, unknown>>,
    onProgress: ReportProgress,
  ): Promise<BestEncoding | null>;
  /**
   * Encodes every matrix in every format and hands out each size as it comes; the open matrix and its encodings stay as
   * they are. Rejects with one sentence where a pruning finds no matrix open.
   */
  sizes(job: number, request: SizesRequest, onProgress: ReportProgress, takeSize: TakeSize): Promise<void>;
  /** A kernel to be read. The open matrix is encoded in its format for that, where the format admits it. */
  kernel(job: number, request: KernelRequest, onProgress: ReportProgress): Promise<KernelReading>;
  /** Every file of every kernel, to be searched. */
  kernelFiles(): Promise<readonly KernelFile[]>;
  /**
   * Tries a changed kernel: compiles it, verifies it on the open matrix and on awkward ones, and times what is right beside
   * the original and dense. Whatever is wrong with a draft is an event and no rejection; it rejects only where it is
   * cancelled, or while a benchmark runs.
   */
  draft(job: number, request: DraftRequest, take: TakeDraftEvent): Promise<void>;
  /**
   * Which elements of which arrays the lanes of one workgroup touch, in order: seen by a copy of the kernel that writes them
   * down. Rejects with one sentence where the kernel does not take the open matrix, or its text does not compile.
   */
  memory(job: number, request: MemoryRequest): Promise<MemoryAnswer>;
  /**
   * What all loads of a kernel cost on the open matrix, worked out by the model that stands beside it, without a GPU. The
   * matrix is encoded for that. Rejects with one sentence where there is no model, or the kernel does not take the matrix.
   */
  loads(job: number, request: LoadsRequest, onProgress: ReportProgress): Promise<LoadsAnswer>;
  /** What one subgroup loads, in order, by the same model. Rejects as `loads`, and where there is no such subgroup or row. */
  subgroupLoads(job: number, request: SubgroupRequest): Promise<SubgroupAnswer>;
  device(): Promise<DeviceStatus>;
  /**
   * One run at a time: a second is refused with one sentence. `takePart` gets the report as soon as a kernel has its first
   * rounds, about once in a second, and when it breaks off, whichever way: the last one is what is left of it then. Each
   * format is encoded, verified and timed before the next one is encoded, those whose encoder searches last.
   *
   * `before`, the report of a run of the same request that broke off: its rows stay, and only what they lack is measured,
   * in later rounds that dense is part of again. Rejects where it is of another matrix or another device.
   */
  bench(
    job: number,
    request: BenchRequest,
    onProgress: ReportProgress,
    takePart: TakeReport,
    before?: BenchReport,
  ): Promise<BenchReport>;
  /**
   * The request once for each value of the axis, and for each of its parts, in order; the whole is one run. `takeReport`
   * gets every report as it grows, so that all stays where it breaks off. Only a generated workload has any density.
   *
   * `before`, the reports of a sweep that broke off, by place: those without `unfinished` are not measured again.
   */
  sweep(
    job: number,
    request: BenchRequest,
    axis: SweepAxis,
    onProgress: ReportProgress,
    takeReport: TakeReport,
    before?: readonly BenchReport[],
  ): Promise<void>;
  /** Forgets the numbers that trials found for kernels. Rejects where the browser's storage does. */
  forgetTuning(): Promise<void>;
  /**
   * Runs images through a network once for each choice, in order; every result is handed to `takeResult` at once. A choice
   * that its format cannot hold is a result as well. The matrix that is open has no part in it.
   */
  network(
    job: number,
    request: NetworkRequest,
    onProgress: ReportProgress,
    takeResult: TakeNetworkResult,
  ): Promise<void>;
  /** What every layer makes of one image. */
  digit(job: number, request: DigitRequest): Promise<DigitAnswer>;
  /** `count` test images from the `first` on. */
  testImages(job: number, first: number, count: number): Promise<TestImages>;
  /**
   * Times of dense and other formats for y = A x at one density, as soon as they can be had. What densities share is kept,
   * so that only the first takes seconds. Formats that encode in a pass come first, together; those whose encoder searches
   * follow one by one. `take` gets the report as it grows, with `unfinished` while there is more to come; every kernel is
   * verified before it is timed. The times are of few short passes. The matrix is random, of 512 rows that repeat; for a
   * format that holds only a pattern it is pruned to that.
   *
   * A newer call takes the place of an older one, which rejects with CancelledError. A benchmark ends it, and is not
   * disturbed by it: while one is running this is refused with one sentence.
   */
  live(job: number, request: LiveRequest, take: TakeReport): Promise<BenchReport>;
  /** Frees what densities share; the next one takes seconds again. Ends one that is being measured. */
  endLive(): Promise<void>;
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
