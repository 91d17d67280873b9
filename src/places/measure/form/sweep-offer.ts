import type { BenchRequest, SweepAxis } from '../../../engine/bench/bench-types.ts';
import type { SweepChoice } from '../../../state/bench-form.ts';

/** A sweep as the form offers it. */
export interface SweepOffer {
  readonly choice: SweepChoice;
  /** label of the choice in a list */
  readonly id: string;
  readonly label: string;
  /** label of the button: 'Run at 7 densities' */
  readonly action: string;
  /** what is measured, if not what the form shows */
  readonly hint: string | null;
}

/** A sweep's request to the engine: a single run if `axis` is null. */
export interface SweepRequest {
  readonly request: BenchRequest;
  readonly axis: SweepAxis | null;
}
