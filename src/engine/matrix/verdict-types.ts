import type { Size, StatisticMark, StatisticNote } from '../../core/comparison/comparison.ts';

/** Parameters of a format, by name. */
export type Params = Readonly<Record<string, unknown>>;

/** A format's verdict on a matrix: the bytes that it needs by the statistics of the matrix, and why. */
export interface FormatVerdict {
  /** why it needs these bytes, or cannot store the matrix; null if statistics do not show it */
  readonly why: string | null;
  /** bytes, exact; 'refused': cannot store the matrix; 'open': known only after encoding */
  readonly size: Size;
  /** the parameters with the fewest bytes in this value type; null if only encoding shows them, or none can store it */
  readonly best: { readonly params: Params; readonly bytes: number } | null;
  /** bytes once the matrix is pruned as the rejecting format suggests; null without a suggestion */
  readonly bytesOncePruned: number | null;
  /** notes on published results, next to this matrix's results */
  readonly notes: readonly StatisticNote[];
  readonly marks: readonly StatisticMark<Params>[];
}

/** The parameters with which a format needs the fewest bytes, by encoding. */
export interface BestEncoding {
  readonly params: Params;
  readonly bytes: number;
  /** number of encodings made to find them */
  readonly tried: number;
}

/** The result of a search for the smallest encoding. */
export interface FoundBest {
  /** generation of the matrix that was encoded */
  readonly generation: number;
  /** null: the format cannot store that matrix with any parameters */
  readonly best: BestEncoding | null;
}
