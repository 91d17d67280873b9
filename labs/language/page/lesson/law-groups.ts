import type { RecordedRow } from '../../decoders/quality/recorded-quality.ts';

/** The laws that a tale (a short story) must keep (tales/judge.ts), in groups; laws rarely broken are in no group. */
export const LAW_GROUPS = [
  { title: 'words and sentences', laws: ['spelling', 'grammar'] },
  { title: 'names and colors', laws: ['name', 'color', 'pronoun'] },
  { title: 'owners', laws: ['owner'] },
  { title: 'the order of events', laws: ['order', 'end'] },
  { title: 'places, things and numbers', laws: ['place', 'thing', 'tool', 'number', 'riddle'] },
] as const;

/** How many tales of a model broke one of these laws first. */
export function brokenIn({ firstBroken = {} }: Pick<RecordedRow, 'firstBroken'>, laws: readonly string[]): number {
  return laws.reduce((sum, law) => sum + (Object.hasOwn(firstBroken, law) ? firstBroken[law] : 0), 0);
}
