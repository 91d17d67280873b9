import meanings from './pattern-meanings.json';

/** Names of the patterns of `patterns.ts` and what they are; apart, since only their form needs it. */
interface PatternMeaning {
  readonly title: string;
  /** where the non-zeros are */
  readonly pattern: string;
  readonly options: Readonly<Record<string, OptionMeaning>>;
}

interface OptionMeaning {
  readonly label: string;
  readonly unit?: string;
  readonly meaning: string;
}

/** By the ids of patterns and of their options. */
export const PATTERN_MEANINGS: Readonly<Record<string, PatternMeaning>> = meanings;
