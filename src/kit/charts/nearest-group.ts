import type { Scale } from './axis.ts';
import type { Series } from './series.ts';

/** A line counts as under the pointer within this distance, px. */
const NEAR = 8;

/** The group of the line nearest to a place in px, measured up and down; null where none is near. O(points). */
export function nearestGroup(series: readonly Series[], x: Scale, y: Scale, px: number, py: number): string | null {
  let found: string | null = null;
  let min = NEAR;
  for (const { points, group, id } of series) {
    for (let i = 0; i < points.length; i++) {
      const at = x(points[i].x);
      const distance = Math.hypot(at - px, y(points[i].y) - py);
      if (distance <= min) {
        min = distance;
        found = group ?? id;
      }
      if (i === 0) continue;
      const before = x(points[i - 1].x);
      if (before === at || (before - px) * (at - px) > 0) continue;
      const share = (px - before) / (at - before);
      const height = y(points[i - 1].y) * (1 - share) + y(points[i].y) * share;
      if (Math.abs(height - py) <= min) {
        min = Math.abs(height - py);
        found = group ?? id;
      }
    }
  }
  return found;
}
