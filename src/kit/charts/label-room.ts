/** A label along a line: where its middle would like to be, and how much room it takes, in px. */
interface WantedLabel {
  readonly key: string;
  readonly at: number;
  readonly size: number;
}

/**
 * Middles of labels along a line from `from` to `to`, in the order of their preferred positions: each is moved on
 * until it no longer lies on the one before, and all are moved back again where there is no room at the end. Where there
 * is no room for all of them, the first ones leave the line at its beginning. O(n log n).
 */
export function spreadLabels(wanted: readonly WantedLabel[], from: number, to: number): ReadonlyMap<string, number> {
  let min = from;
  const moved = wanted
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

/** The first candidate that lies on none of the boxes taken, or null. O(candidates × taken). */
export function freePlace<T extends Box>(candidates: readonly T[], taken: readonly Box[]): T | null {
  return candidates.find((box) => taken.every((other) => !overlap(box, other))) ?? null;
}

/** Whether two boxes share more than an edge. */
export function overlap(a: Box, b: Box): boolean {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
}

/** Width of a text at 12 px in the page's text face, generously, in px. */
export function textWidth(text: string): number {
  return text.length * 7;
}
