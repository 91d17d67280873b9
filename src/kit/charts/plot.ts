import type { Scale } from './axis.ts';

/** Where marks of a chart go: for what a page draws besides lines. */
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
