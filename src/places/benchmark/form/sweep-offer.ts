import type { SweepChoice } from '../../../state/bench-form.ts';

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
