import type { Compared } from '../rows/compare-row.ts';

/** Properties of every fold. */
export interface FoldProps {
  readonly compared: Compared;
  /** there is room for columns */
  readonly wide: boolean;
}
