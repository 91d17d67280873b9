import type { Scale } from './axis.ts';

/** The coordinates of a chart, for drawing more than lines. */
export interface Plot {
  readonly x: Scale;
  readonly y: Scale;
  /** edges of the plot, px */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly narrow: boolean;
}
