/** A point of a chart, in the units of its axes. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  /** lower and upper end of the whisker, such as the 10th and 90th percentile */
  readonly low?: number;
  readonly high?: number;
}

/**
 * How a line is drawn, named after its usual meaning:
 * - measured: thick, with a dot and a whisker for each point;
 * - expected: thick without dots, for a closed form or many points;
 * - encoded: dots alone, for measured bytes or speeds drawn with another line;
 * - limit: thin, for what bytes or arithmetic allow, or a line behind dots;
 * - predicted: thin and dashed, for values that follow from others, or a line that joins dots;
 * - published: faint squares, for values from papers;
 * - live: rings with whiskers, for values measured just now;
 * - coming: dashed outlines of points that are still to be measured.
 */
export type SeriesKind = 'measured' | 'expected' | 'encoded' | 'limit' | 'predicted' | 'published' | 'live' | 'coming';

/** A line of a chart with its points. */
export interface Series {
  /** unique among the lines of its kind in a chart */
  readonly id: string;
  readonly kind: SeriesKind;
  /** label at the line's right end, or in the legend of a narrow chart; null: no label */
  readonly title: string | null;
  /** a CSS colour, and a separate one for text if needed */
  readonly color: string;
  readonly textColor?: string;
  /** in the order in which they are joined */
  readonly points: readonly ChartPoint[];
  /** between points; default: curve, which keeps monotone data monotone, and for published: none */
  readonly join?: 'curve' | 'straight' | 'steps' | 'none';
  /** dashed, unlike its kind: a second line of the same colour */
  readonly dashed?: boolean;
  /** lines of one group are highlighted together; default: `id` */
  readonly group?: string;
}

/** A horizontal line across the chart at one value of y. */
export interface Rule {
  readonly id: string;
  readonly position: number;
  /** null if it has no label */
  readonly title: string | null;
  /** dotted: a value to compare with; solid: the value that all others are relative to */
  readonly kind: 'dotted' | 'solid';
  readonly color?: string;
}

/** For a chart of ratios: the line at ratio 1, where nothing is gained. */
export const BREAK_EVEN_RULES: readonly Rule[] = [{ id: 'even', position: 1, title: null, kind: 'solid' }];

/** A line's key, unique within a chart. */
export function seriesKey({ kind, id }: Series): string {
  return `${kind} ${id}`;
}

/** The point drawn furthest right by the scale `x`, of those with a finite y; null if there is none. */
export function rightmost(points: readonly ChartPoint[], x: (value: number) => number): ChartPoint | null {
  let best: ChartPoint | null = null;
  for (const point of points) {
    if (Number.isFinite(point.y) && (best === null || x(point.x) > x(best.x))) best = point;
  }
  return best;
}
