import type { Admission, EffectiveDensityBounds, Fact, Violation } from '../../core/format.ts';
import type { CsrArrays, Region } from '../../core/matrix/index.ts';
import type { StorageLedger } from '../../core/encoded/ledger.ts';
import type { NamedFact, Stated } from '../../core/story/stated.ts';
import type { Digest } from '../../core/comparison/comparison.ts';
import type { MatrixStatistics } from '../../core/statistics/matrix-statistics.ts';
import type { RankedCells } from './pruning-ranks.ts';
import type { MatrixSource } from './source-types.ts';
import type { TileHistograms } from './tile-counts.ts';
import type { FormatVerdict } from './verdict-types.ts';

export type { FileContents, TensorInfo } from '../../io/read.ts';

// What the service of the open matrix answers.

/** Kinds of files that the arrays of an encoding are written to, and those for a matrix. */
export type ArrayFile = 'npz' | 'safetensors';
export type MatrixFileKind = 'mtx' | 'npz' | 'npy' | 'csv';

/** Where in a model a matrix is, by the names that a person reads. */
export interface MatrixLocation {
  /** 'Llama-3.1-8B' */
  readonly model: string;
  /** null for lm_head, which is in no layer */
  readonly layer: number | null;
  /** 'down_proj' */
  readonly matrix: string;
  /** how many matrices the whole model has, and one layer */
  readonly matrices: number;
  readonly inLayer: number;
  /** its weights come with the page */
  readonly isShipped?: true;
}

/** Figures of the loaded matrix. */
export interface MatrixSummary {
  /** changes with every matrix that is opened, so that a stale answer can be recognised */
  readonly generation: number;
  /** changes with every whole matrix that is read; matrices pruned from one share it */
  readonly whole: number;
  readonly name: string;
  readonly source: MatrixSource;
  /** of a matrix of a model */
  readonly place?: MatrixLocation;
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
  /** rows that were read and that figures are about; absent: all. The whole matrix is then generated when needed. */
  readonly sampledRows?: number;
  /** nnz and density are expected values */
  readonly isExpected?: true;
  /** the first stored entry in row-major order; null without any */
  readonly firstEntry: { readonly row: number; readonly col: number } | null;
  /** sentences that a person should read: duplicates summed, values generated ... */
  readonly notes: readonly string[];
}

/** A part of the matrix as a picture of about width x height buckets: the pixels or cells that there is room for. */
export interface SpyRequest {
  readonly region: Region;
  readonly width: number;
  readonly height: number;
}

/**
 * A picture on a grid that does not move with the request, so that panning does not flicker. Exact except for
 * weights generated in place of a model's, where each line of buckets shows a sample of rows.
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

/** The cells of a region of the whole matrix with their ranks, so that the page can prune them itself. */
export interface PruningRanks extends RankedCells {
  /** that of the summary of every matrix that is pruned from it */
  readonly whole: number;
}

/** How many non-zeros the rows of the open matrix hold, whole and tile by tile. */
export interface TileCounts extends TileHistograms {
  readonly generation: number;
}

/** How the non-zeros of the open matrix are distributed, and every format's verdict with its parameters. */
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
  /** what decides its size, as a clause; null if the format gives no reason or does not admit the matrix */
  readonly reason: Stated | null;
  /** what sentences say of the whole matrix: the facts of `reason`, and what its story counts, whether it is admitted or not */
  readonly wholeFacts: readonly NamedFact[];
  /** the format's facts about this encoding; empty when the matrix is not admitted */
  readonly facts: readonly Fact[];
  readonly violations: readonly Violation[];
  /** how thoroughly it was validated: every element up to 4 Mi entries, lengths above; null when not admitted */
  readonly validated: 'cheap' | 'full' | null;
  /** closed form at this density, where the format has one */
  readonly bounds: EffectiveDensityBounds | null;
  readonly encodeMs: number;
  /** what the format counted in the arrays */
  readonly digest: Digest;
}
