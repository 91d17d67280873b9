import type { RecordedRow } from '../../decoders/quality/recorded-quality.ts';

/** Groups of laws, as a question names them. Other laws are too rare to form one. */
export const LAW_GROUPS = [
  { title: 'words and sentences', laws: ['spelling', 'grammar'] },
  { title: 'names and colors', laws: ['name', 'color', 'pronoun'] },
  { title: 'owners', laws: ['owner'] },
  { title: 'the order of events', laws: ['order', 'end'] },
  { title: 'places, things and numbers', laws: ['place', 'thing', 'tool', 'number', 'riddle'] },
] as const;

/** Tales in which a law of the group broke first. */
export function brokenIn({ firstBroken = {} }: Pick<RecordedRow, 'firstBroken'>, laws: readonly string[]): number {
  return laws.reduce((sum, law) => sum + (Object.hasOwn(firstBroken, law) ? firstBroken[law] : 0), 0);
}
