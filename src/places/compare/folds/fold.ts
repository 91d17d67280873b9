import type { ComparedFormats } from '../rows/compare-row.ts';

/** Properties of every fold. */
export interface FoldProps {
  readonly compared: ComparedFormats;
  /** there is room for columns */
  readonly wide: boolean;
}
