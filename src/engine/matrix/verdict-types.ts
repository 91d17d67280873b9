import type { Size, StatisticMark, StatisticNote } from '../../core/comparison/comparison.ts';

/** Parameters of a format, by name. */
export type Params = Readonly<Record<string, unknown>>;

/** A format's verdict on a matrix, in addition to the summary of its encoding. */
export interface FormatVerdict {
  /** one sentence: why it takes as much as it does, or cannot store the matrix; null if statistics do not show it */
  readonly why: string | null;
  /** exact where it is a number */
  readonly size: Size;
  /** the parameters of the same value type with the fewest bytes; null if only encoding shows them, or none hold it */
  readonly best: { readonly params: Params; readonly bytes: number } | null;
  /** bytes once the matrix is pruned as the format's refusal asks for; null where it asks for nothing */
  readonly bytesOncePruned: number | null;
  /** published results */
  readonly notes: readonly StatisticNote[];
  /** marks in charts of the statistics */
  readonly marks: readonly StatisticMark<Params>[];
}

/** The parameters of a format that take the least bytes, as they were encoded. */
export interface BestEncoding {
  readonly params: Params;
  readonly bytes: number;
  /** encodings that were made to find it */
  readonly tried: number;
}

/** The result of a search for the smallest encoding. */
export interface FoundBest {
  /** generation of the matrix that was encoded */
  readonly generation: number;
  /** null: the format cannot store that matrix, whatever its parameters */
  readonly found: BestEncoding | null;
}
