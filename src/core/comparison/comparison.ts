/* Properties of a matrix in a format by statistics alone: its bytes, a reason for them, marks in charts. */

import type { MatrixStatistics } from '../statistics/matrix-statistics.ts';

/**
 * The exact size of all arrays in bytes, from statistics and parameters; 'refused' if the format cannot store such a
 * matrix, 'open' if the size is unknown until the matrix is encoded.
 */
export type Size = number | 'refused' | 'open';

/** Counts of an encoded matrix, by name. They are unknown before encoding. */
export type EncodingCounts = Readonly<Record<string, number>>;

/**
 * The chart of a statistic. gaps: distances between non-zeros of a row. rows: non-zeros of rows. groups: non-zeros of
 * groups of columns of a row. shared: columns in which both rows of a pair have non-zeros.
 */
export type StatisticChart =
  | { readonly of: 'gaps' }
  | { readonly of: 'rows' }
  | { readonly of: 'groups'; readonly width: number }
  | { readonly of: 'shared' };

/** A format's mark in the chart of a statistic. */
export interface StatisticMark<P> {
  readonly chart: StatisticChart;
  /** position on the x axis: columns of a gap, non-zeros of a row or group, or columns of a pair */
  readonly at: number;
  readonly title: string;
  /** the meaning of the mark for this matrix, in a few words each */
  readonly lines: readonly string[];
  /** whether the counts to the right of the mark do not fit */
  readonly isLimit?: true;
  /** the parameters that the mark represents; the user can select them there */
  readonly params?: Partial<P>;
}

/** A text with numbers that a paper published for a statistic, next to the numbers of this matrix. */
export interface StatisticNote {
  readonly chart: StatisticChart;
  /** one or two sentences */
  readonly text: string;
  /** 'EC-SpMV, figure 5' */
  readonly source: string;
}

/**
 * A format's part in a comparison of formats on a matrix. Sizes and texts follow from the matrix's statistics, so a
 * page can show them before anything is encoded.
 *
 * @typeParam E the encoded matrix
 * @typeParam P the parameters
 */
export interface FormatComparison<E, P> {
  /** widths of groups of columns that the statistics have to count */
  readonly groups?: readonly number[];
  /** sizes of blocks that the statistics have to count */
  readonly blocks?: readonly number[];
  size(s: MatrixStatistics, p: P): Size;
  /** If sizes are open: parameters to try besides `p`, for the smallest encoding. Default: none. */
  candidates?(s: MatrixStatistics, p: P): readonly P[];
  /** Counts that only the encoding knows and that `why` mentions. Default: none. */
  digest?(e: E): EncodingCounts;
  /**
   * The reason for the size of a matrix that the format can store, as one sentence, from its statistics (the format's
   * `sizeReason` uses the encoded matrix instead). `digest` is empty until the matrix is encoded.
   */
  why(s: MatrixStatistics, p: P, digest: EncodingCounts): string;
  /** The reason why this matrix does not fit, as one sentence; null if statistics cannot tell. */
  whyRefused?(s: MatrixStatistics, p: P): string | null;
  /** Bytes of a refused matrix after the pruning that its refusal suggests. Default: unknown. */
  sizeOncePruned?(s: MatrixStatistics, p: P): number;
  /** Published values of a statistic, with this matrix's. */
  notes?(s: MatrixStatistics): readonly StatisticNote[];
  marks?(s: MatrixStatistics, p: P): readonly StatisticMark<P>[];
}
