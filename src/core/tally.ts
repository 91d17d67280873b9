import type { RowColumns } from './highlight.ts';
import type { NamedFact } from './text/stated.ts';

/** Counts over all rows of a matrix, which a format's story mentions. */
export interface Tally {
  /** Counts a row. O(non-zeros of the row) */
  row(columns: RowColumns): void;
  /** the counts, after the last row */
  facts(): readonly NamedFact[];
}
