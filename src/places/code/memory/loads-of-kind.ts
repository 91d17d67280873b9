import type { SubgroupAnswer } from '../service/kernel-loads-types.ts';
import type { Kind } from './kinds.ts';

/** The loads of a kind that a subgroup makes, by their number among all that it makes. O(loads). */
export function loadsOfKind(
  { arrays, sites, loads }: Pick<SubgroupAnswer, 'arrays' | 'sites' | 'loads'>,
  kind: Kind,
): readonly number[] {
  const own = sites.map(({ array }) => arrays[array].of === kind);
  const found: number[] = [];
  for (let i = 0; i < loads.siteOf.length; i++) if (own[loads.siteOf[i]]) found.push(i);
  return found;
}
