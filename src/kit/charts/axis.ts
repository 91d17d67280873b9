import { scaleLinear, scaleLog } from 'd3-scale';
import { largest, smallest } from '../../core/number/statistics.ts';

/** The x or y axis of a chart. */
export interface Axis {
  readonly scale: 'linear' | 'log';
  /** smallest and largest value on the axis; above 0 on a logarithmic one */
  readonly domain: readonly [number, number];
  /** candidate ticks; along x, ticks whose text does not fit are dropped, the two ends last */
  readonly ticks: readonly number[];
  readonly text: (value: number) => string;
  readonly title: string;
  /** the smallest value is at the right end */
  readonly reversed?: boolean;
}

/** Converts a value to its position in px, and back. */
export interface Scale {
  (value: number): number;
  invert(px: number): number;
}

/** The scale of an axis over `range`, in px. On a logarithmic axis a value of 0 or less has no position: NaN or infinite. */
export function scaleOf({ scale, domain, reversed = false }: Axis, [from, to]: readonly [number, number]): Scale {
  const range = reversed ? [to, from] : [from, to];
  return scale === 'log' ? scaleLog(domain, range) : scaleLinear(domain, range);
}

/** The powers of `base` from `low` to `high` inclusive. O(powers). */
export function powersBetween(low: number, high: number, base = 10): readonly number[] {
  const logOf = (value: number): number => Math.log(value) / Math.log(base);
  const first = Math.ceil(logOf(low) - 1e-9);
  const last = Math.floor(logOf(high) + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => base ** (first + i));
}

/** About the maximum number of ticks at powers of two: if there are more powers, only every second or third has a tick. */
const MAX_POWERS = 9;

/** A logarithmic domain around `low` to `high` and 1, and its ticks at powers of two: both ends and 1 have one. */
export function powersOfTwo(low: number, high: number): Pick<Axis, 'domain' | 'ticks'> {
  const [first, last] = [Math.floor(Math.log2(low)), Math.ceil(Math.log2(high))];
  const step = Math.ceil((last - first + 1) / MAX_POWERS);
  const [from, to] = [Math.floor(first / step), Math.ceil(last / step)];
  const ticks = Array.from({ length: to - from + 1 }, (_, i) => 2 ** (step * (from + i)));
  return { domain: [ticks[0], ticks[ticks.length - 1]], ticks };
}

/** A domain whose ends are the outermost of `ticks`. */
export function domainOf(ticks: readonly number[]): Axis['domain'] {
  return [smallest(ticks), largest(ticks)];
}

/** The number nearest to `value` within a range, such as the domain of an axis. */
export function clampTo([low, high]: readonly [number, number], value: number): number {
  return Math.min(high, Math.max(low, value));
}

/** Whether a value lies on an axis, its ends included. */
export function isOnAxis({ domain: [low, high] }: Axis, value: number): boolean {
  return value >= low && value <= high;
}

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
const LINE_LABELS = 108;
const NARROW = 500;

/** The left and right edge of the plot in a chart of this width, px; `hasLineLabels`: with space for labels at line ends. */
export function plotEdges(width: number, hasLineLabels: boolean): Pick<Plot, 'left' | 'right' | 'narrow'> {
  const narrow = width < NARROW;
  return { left: LEFT, right: width - RIGHT - (narrow || !hasLineLabels ? 0 : LINE_LABELS), narrow };
}
