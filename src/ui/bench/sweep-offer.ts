import type { MatrixSource } from '../../worker/protocol.ts';
import type { SweepChoice } from './bench-form.ts';

/** A sweep as the form offers it. */
export interface SweepOffer {
  readonly choice: SweepChoice;
  /** names the choice in a list */
  readonly id: string;
  readonly label: string;
  /** what the button says: 'Run at 7 densities' */
  readonly action: string;
  /** what is measured where that is not what the form shows */
  readonly hint: string | null;
}

/** The matrix on the stage, as far as a sweep needs to know it. */
export interface StageShape {
  readonly rows: number;
  readonly cols: number;
  readonly source: MatrixSource;
}
