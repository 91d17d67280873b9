import type { QualityPoint } from './points.ts';

/**
 * For each law in `named`, the number of the point’s tales in which that law was broken first; then one entry 'other'
 * for all laws that are not in `named`. Entries with count 0 are omitted.
 */
export function brokenFirst(
  { firstBroken }: Pick<QualityPoint, 'firstBroken'>,
  named: readonly string[],
): readonly { readonly law: string; readonly count: number }[] {
  const others = Object.entries(firstBroken).reduce((sum, [law, count]) => sum + (named.includes(law) ? 0 : count), 0);
  return [...named.map((law) => ({ law, count: firstBroken[law] ?? 0 })), { law: 'other', count: others }].filter(
    ({ count }) => count > 0,
  );
}

/** The up to `max` laws that are broken first in the most tales of all points, the most frequent first. */
export function commonLaws(points: readonly QualityPoint[], max: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const { firstBroken } of points) {
    for (const [law, count] of Object.entries(firstBroken)) counts.set(law, (counts.get(law) ?? 0) + count);
  }
  return [...counts]
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, max)
    .map(([law]) => law);
}
