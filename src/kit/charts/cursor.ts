import { type Axis, clampTo } from './axis.ts';

/** A position along x that the user moves, by dragging anywhere in the chart or with the keys of its handle. */
export interface ChartCursor {
  readonly x: number;
  /** name for screen readers: 'density' */
  readonly label: string;
  /** the position in words: 'density 0.300' */
  readonly text: string;
  /** the position after `steps` presses of an arrow key, back if negative: see `linearSteps`, `ratioSteps` */
  readonly step: (at: number, steps: number) => number;
  /** called with a position within the axis' domain */
  readonly onMove: (at: number) => void;
  /** called when it is released: a pointer or a key is up, or the focus has moved */
  readonly onRelease?: () => void;
  /** whether it has a handle for the keyboard; of several charts that share a cursor, only one has it. Default: yes */
  readonly handle?: boolean;
}

/** Steps of `by`, for linear axes. */
export function linearSteps(by: number): ChartCursor['step'] {
  // Divided, since multiples of 0.01 accumulate errors.
  const perUnit = Math.round(1 / by);
  return (at, steps) => (by < 1 ? Math.round(at * perUnit + steps) / perUnit : at + steps * by);
}

/** Steps that multiply, for logarithmic axes: `perDecade` of them are a factor of ten. */
export function ratioSteps(perDecade: number): ChartCursor['step'] {
  return (at, steps) => 10 ** ((Math.round(Math.log10(at) * perDecade) + steps) / perDecade);
}

/** Steps of Page Up, and of an arrow key with Shift. */
const PAGE = 10;

/**
 * The position after a key; null for a key that does not move the cursor. Arrows move one step; Page Up, Page Down and
 * arrows with Shift ten; Home and End to the ends. On a reversed axis the left arrow leads to larger values.
 */
export function movedByKey(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  { x, step }: Pick<ChartCursor, 'x' | 'step'>,
  { domain, reversed = false }: Pick<Axis, 'domain' | 'reversed'>,
): number | null {
  const [low, high] = domain;
  const count = shiftKey ? PAGE : 1;
  const right = reversed ? -count : count;
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -right,
    ArrowRight: right,
    ArrowDown: -count,
    ArrowUp: count,
    PageDown: -PAGE,
    PageUp: PAGE,
  };
  if (key === 'Home') return low;
  if (key === 'End') return high;
  return Object.hasOwn(steps, key) ? clampTo(domain, step(x, steps[key])) : null;
}
