// Positions for the labels of a chart, so that none overlaps another.

/** A label on a line, without a position yet: its preferred centre, and its size along the line, in px. */
interface UnplacedLabel {
  readonly key: string;
  readonly at: number;
  readonly size: number;
}

/**
 * The centres of labels along a line from `from` to `to`, in the order of their preferred centres. Each is moved
 * forward until it no longer overlaps the previous label; the last ones are moved back if they would end after `to`. If
 * the line is too short for all, the first ones start before `from`. O(n log n).
 */
export function spreadLabels(labels: readonly UnplacedLabel[], from: number, to: number): ReadonlyMap<string, number> {
  let min = from;
  const moved = labels
    .toSorted((a, b) => a.at - b.at)
    .map((label) => {
      const at = Math.max(label.at, min + label.size / 2);
      min = at + label.size / 2;
      return { ...label, at };
    });
  let max = to;
  return new Map(
    moved.toReversed().map(({ key, at, size }) => {
      const placed = Math.min(at, max - size / 2);
      max = placed - size / 2;
      return [key, placed];
    }),
  );
}

/** A rectangle in px. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The first candidate that overlaps none of the boxes taken, or null. O(candidates × taken). */
export function freePosition<T extends Box>(candidates: readonly T[], taken: readonly Box[]): T | null {
  return candidates.find((box) => taken.every((other) => !overlap(box, other))) ?? null;
}

/** Whether two boxes share more than an edge. */
export function overlap(a: Box, b: Box): boolean {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
}

/** An upper estimate of a text's width at 12 px in the page's font, in px. */
export function textWidth(text: string): number {
  return text.length * 7;
}

/** The width of a digit in the axes' font, px. */
const DIGIT_WIDTH = 7.3;
/** The gap between two labels, px. */
const GAP = 6;

/** Ticks of an axis whose labels do not overlap; of two that would, a tick in `first` stays, else the earlier one. */
export function ticksWithSpace(
  ticks: readonly number[],
  first: readonly number[],
  x: (tick: number) => number,
  text: (tick: number) => string,
): readonly number[] {
  const placed: { readonly tick: number; readonly from: number; readonly to: number }[] = [];
  for (const tick of new Set([...first.filter((t) => ticks.includes(t)), ...ticks])) {
    const half = (text(tick).length * DIGIT_WIDTH + GAP) / 2;
    const from = x(tick) - half;
    const to = x(tick) + half;
    if (placed.every((other) => to <= other.from || from >= other.to)) placed.push({ tick, from, to });
  }
  return placed.map(({ tick }) => tick);
}
