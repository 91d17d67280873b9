import type { Support, EffectiveDensityBounds, Fact, Violation } from '../../core/format.ts';
import type { CsrArrays, Region } from '../../core/matrix/index.ts';
import type { StorageLedger } from '../../core/encoded/ledger.ts';
import type { NamedFact, Stated } from '../../core/text/stated.ts';
import type { EncodingCounts } from '../../core/comparison/comparison.ts';
import type { MatrixStatistics } from '../../core/statistics/matrix-statistics.ts';
import type { RankedCells } from './pruning-ranks.ts';
import type { LinesAs } from '../../io/index.ts';
import type { ContainerSource, MatrixSource } from './source-types.ts';
import type { TileHistograms } from './tile-counts.ts';
import type { FormatVerdict } from './verdict-types.ts';

export type { FileContents, TensorInfo } from '../../io/index.ts';

// Answers of the worker's service for the open matrix.

/** Kinds of files for the arrays of an encoding. */
export type ArrayFile = 'npz' | 'safetensors';
/** Kinds of files for a matrix. */
export type MatrixFileKind = 'mtx' | 'npz' | 'npy' | 'csv';

/** Where a matrix is in a model, by names shown on the page. */
export interface MatrixLocation {
  /** 'Llama-3.1-8B' */
  readonly model: string;
  /** null for lm_head, which is in no layer */
  readonly layer: number | null;
  /** 'down_proj' */
  readonly matrix: string;
  /** number of matrices of the whole model, and of one layer */
  readonly matrices: number;
  readonly inLayer: number;
  /** the matrix's weights come with the page */
  readonly isShipped?: true;
}

/** Figures of the loaded matrix. */
export interface MatrixSummary {
  /** changes with every matrix that is opened, so that a stale answer can be recognised */
  readonly generation: number;
  /** number of the base, the unpruned matrix that was read; the same for all matrices pruned from it */
  readonly baseNumber: number;
  readonly name: string;
  readonly source: MatrixSource;
  readonly location?: MatrixLocation;
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
  /** for random weights instead of a model's: how many rows the figures were counted from; absent: all rows */
  readonly sampledRows?: number;
  /** nnz and density are expected values */
  readonly isExpected?: true;
  /** the first stored entry in row-major order; null without any */
  readonly firstEntry: { readonly row: number; readonly col: number } | null;
  /** notes that the user should read: duplicates summed, values generated ... */
  readonly notes: readonly string[];
  /**
   * For a matrix read from a file or link, `from`: the `notes` about how it was read, and the other reading of a table's
   * lines. The `source` of a small matrix has its cells instead of the file.
   */
  readonly read?: {
    readonly from: ContainerSource;
    readonly notes: readonly string[];
    readonly otherReading: LinesAs | null;
  };
}

/** A region to be drawn in about width x height buckets of cells. */
export interface SpyRequest {
  readonly region: Region;
  readonly width: number;
  readonly height: number;
}

/**
 * The picture of a region, on a grid fixed to the matrix, so that panning does not flicker. Exact, except for random
 * weights instead of a model's: each line of buckets then shows a sample of its rows.
 * A bucket covers rowsPerBucket x colsPerBucket cells: the smallest powers of two with at most `height` and `width`
 * buckets along the requested region. Buckets at the lower and right edge of the matrix cover the remaining cells.
 */
export interface SpyTile {
  readonly generation: number;
  /** the cells in the picture: the part of the requested region inside the matrix, extended to whole buckets */
  readonly region: Region;
  /** buckets per line and lines: ceil(region.cols / colsPerBucket), ceil(region.rows / rowsPerBucket) */
  readonly width: number;
  readonly height: number;
  readonly rowsPerBucket: number;
  readonly colsPerBucket: number;
  /** what `buckets` contains: values of single cells, 0 if not stored, or shares of non-zeros from 0 to 1 */
  readonly kind: 'cells' | 'density';
  /** row-major, length width * height */
  readonly buckets: Float32Array;
}

/**
 * Share of non-zeros per group of rows and per group of columns, over the whole matrix. Group i of n covers rows
 * floor(i * rows / n) .. floor((i + 1) * rows / n); if more groups than rows are requested, each row is a group.
 */
export interface Marginals {
  readonly generation: number;
  readonly rowDensity: Float32Array;
  readonly colDensity: Float32Array;
}

/** The stored cells of a region (a window) of the open matrix, with indices from 0. */
export interface WindowCells extends CsrArrays {
  readonly generation: number;
}

/** The cells of a region of the whole matrix with their ranks, so that the page can prune them itself. */
export interface PruningRanks extends RankedCells {
  /** as in a MatrixSummary */
  readonly baseNumber: number;
}

/** How many non-zeros the rows of the open matrix contain, whole and tile by tile. */
export interface TileCounts extends TileHistograms {
  readonly generation: number;
}

/** How the non-zeros of the open matrix are distributed, and every format's verdict with its parameters. */
export interface Comparison {
  readonly generation: number;
  readonly statistics: MatrixStatistics;
  /** bytes of the arrays that the matrix keeps */
  readonly matrixBytes: number;
  /** by id of the format */
  readonly verdicts: Readonly<Record<string, FormatVerdict>>;
}

/** One format's encoding of the loaded matrix, without its arrays. */
export interface EncodingSummary {
  readonly generation: number;
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly support: Support;
  /** bytes by array and purpose; null when the matrix is not supported */
  readonly ledger: StorageLedger | null;
  /** what decides its size, as a clause; null if the format has no reason or does not support the matrix */
  readonly reason: Stated | null;
  /** numbers of the whole matrix for texts such as `reason`; some even if it is not supported */
  readonly wholeFacts: readonly NamedFact[];
  /** the format's facts about this encoding; empty when the matrix is not supported */
  readonly facts: readonly Fact[];
  readonly violations: readonly Violation[];
  /** full: every element was validated, up to 4 Mi entries; cheap: lengths alone; null when not supported */
  readonly validated: 'cheap' | 'full' | null;
  /** effective density by closed forms at this density; null if the format has none */
  readonly bounds: EffectiveDensityBounds | null;
  readonly encodeMs: number;
  /** counts of the encoding, by name */
  readonly digest: EncodingCounts;
}
