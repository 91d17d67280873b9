import type { MatrixStatistics } from '../statistics/matrix-statistics.ts';

/** What a slot of a row in memory holds. */
export type SlotKind =
  /** a non-zero */
  | 'value'
  /** a zero that the format stores as any other cell */
  | 'zero'
  /** what says where a value belongs */
  | 'index'
  /** the same, where there is no value: a bit that is 0 */
  | 'no-index'
  | 'metadata'
  | 'padding';

/** Neighbouring slots of one array. */
export interface MiniatureStrip {
  readonly array: string;
  /** of a slot */
  readonly bits: number;
  readonly slots: readonly SlotKind[];
}

/** How the beginning of the first row lies in memory: the arrays that hold it, one under the other. */
export type Miniature = readonly MiniatureStrip[];

/** Slots that a miniature shows of an array at most, and columns of the first row that it covers. */
export const MINIATURE_COLUMNS = 30;

/**
 * Bytes of all arrays as they follow from statistics and parameters, exact; 'refused' where such a matrix cannot be held,
 * 'open' where only encoding tells.
 */
export type Size = number | 'refused' | 'open';

/** Counts of an encoding by name. */
export type Digest = Readonly<Record<string, number>>;

/** The chart of a statistic. */
export type StatisticChart =
  | { readonly of: 'gaps' }
  | { readonly of: 'rows' }
  | { readonly of: 'groups'; readonly width: number }
  | { readonly of: 'shared' };

/** Where a format stands in the chart of a statistic. */
export interface StatisticMark<P> {
  readonly chart: StatisticChart;
  /** columns of a gap, or non-zeros of a row or group, or columns of a pair */
  readonly at: number;
  readonly title: string;
  /** what that means here, in a few words each */
  readonly lines: readonly string[];
  /** what is counted to the right of it does not fit */
  readonly isLimit?: true;
  /** parameters that it stands for: it can be chosen */
  readonly params?: Partial<P>;
}

/** What a paper has on a statistic. */
export interface StatisticNote {
  readonly chart: StatisticChart;
  /** one sentence or two */
  readonly text: string;
  /** 'EC-SpMV, figure 5' */
  readonly source: string;
}

/**
 * What a format says of itself when it is compared with others on a matrix. Sizes and sentences follow from the matrix's
 * statistics, so that a page can ask for them before anything is encoded.
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
  /**
   * Where sizes are open: the parameters among which the smallest encoding is looked for, a few. Whatever it does not
   * name stays as in `p`. Default: none but `p`.
   */
  candidates?(s: MatrixStatistics, p: P): readonly P[];
  /** The first row as it lies in memory, of at most MINIATURE_COLUMNS slots an array. */
  miniature(e: E): Miniature;
  /** Counts that only the encoding tells and that `why` speaks of. Default: none. */
  digest?(e: E): Digest;
  /**
   * One sentence: why a matrix that the format holds takes as many bytes as it does. `digest` is empty until it has been
   * encoded.
   */
  why(s: MatrixStatistics, p: P, digest: Digest): string;
  /** One sentence: what of this matrix does not fit; null where statistics do not tell. */
  whyRefused?(s: MatrixStatistics, p: P): string | null;
  /** Bytes once a matrix that is refused has been pruned as its refusal asks for. Default: not known. */
  sizeOncePruned?(s: MatrixStatistics, p: P): number;
  /** What was published of a statistic, beside the same of this matrix. */
  notes?(s: MatrixStatistics): readonly StatisticNote[];
  marks?(s: MatrixStatistics, p: P): readonly StatisticMark<P>[];
}

/** So many slots of one kind. */
export function slotsOfKind(kind: SlotKind, count: number): readonly SlotKind[] {
  return Array.from({ length: Math.max(0, Math.min(count, MINIATURE_COLUMNS)) }, () => kind);
}

/** A number of 32 bits that a row has beside its values: a row start, a count, a scale. */
export function metadataStrip(array: string): MiniatureStrip {
  return { array, bits: 32, slots: ['metadata'] };
}
