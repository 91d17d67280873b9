import type { Scale } from './axis.ts';

/** Where the marks of a chart go: for what a page draws beside the lines. */
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
