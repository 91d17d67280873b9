const LEFT = 52;
const RIGHT = 24;
/** Room for labels at line ends; below `NARROW` px they move to a legend above the chart. */
const NAMES = 108;
const NARROW = 500;

/** The left and right edge of the plot in a chart of a given width, px: the same for all charts of a column. */
interface PlotEdges {
  readonly left: number;
  readonly right: number;
  readonly narrow: boolean;
}

/** The edges of the plot in a chart of this width, with room for line labels unless there are none. */
export function plotEdges(width: number, hasNames: boolean): PlotEdges {
  const narrow = width < NARROW;
  return { left: LEFT, right: width - RIGHT - (narrow || !hasNames ? 0 : NAMES), narrow };
}
