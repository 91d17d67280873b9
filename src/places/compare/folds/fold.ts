import type { Compared } from '../rows/compare-row.ts';

/** What every fold gets. */
export interface FoldProps {
  readonly compared: Compared;
  /** there is room for columns */
  readonly wide: boolean;
}
