import type { Scale } from './axis.ts';

/** The scales and edges of a chart, for drawing in it. */
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

/** Space left of the plot for the tick labels of the y axis, and right of it, px. */
const LEFT = 52;
const RIGHT = 24;
/** Width of the labels at line ends; in charts below `NARROW` px a legend above the chart replaces them. */
const NAMES = 108;
const NARROW = 500;

/** The left and right edge of the plot in a chart of this width, px; `hasNames`: with room for labels at line ends. */
export function plotEdges(width: number, hasNames: boolean): Pick<Plot, 'left' | 'right' | 'narrow'> {
  const narrow = width < NARROW;
  return { left: LEFT, right: width - RIGHT - (narrow || !hasNames ? 0 : NAMES), narrow };
}
