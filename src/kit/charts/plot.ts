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
  /** too narrow for labels at line ends */
  readonly narrow: boolean;
}

/** Space beside the plot for the figures of the y axis, and at the right, px. */
const LEFT = 52;
const RIGHT = 24;
/** Width of the labels at line ends; in charts below `NARROW` px a legend above the chart replaces them. */
const NAMES = 108;
const NARROW = 500;

/** The edges of the plot in a chart of this width, px, with room for line labels unless there are none. */
export function plotEdges(width: number, hasNames: boolean): Pick<Plot, 'left' | 'right' | 'narrow'> {
  const narrow = width < NARROW;
  return { left: LEFT, right: width - RIGHT - (narrow || !hasNames ? 0 : NAMES), narrow };
}
