import type { QualityPoint } from './points.ts';

/** In how many tales of a point each `named` law was broken first, and in how many any other law; without zeros. */
export function brokenFirst(
  { firstBroken }: Pick<QualityPoint, 'firstBroken'>,
  named: readonly string[],
): readonly { readonly law: string; readonly count: number }[] {
  const others = Object.entries(firstBroken).reduce((sum, [law, count]) => sum + (named.includes(law) ? 0 : count), 0);
  return [...named.map((law) => ({ law, count: firstBroken[law] ?? 0 })), { law: 'other', count: others }].filter(
    ({ count }) => count > 0,
  );
}

/** The laws that are most often broken first, over all points: at most `max`. */
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
