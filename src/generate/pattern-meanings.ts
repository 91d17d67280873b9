import meanings from './pattern-meanings.json';

/** Where the non-zeros of a pattern are, and what its options mean. */
interface PatternMeaning {
  readonly title: string;
  readonly pattern: string;
  readonly options: Readonly<
    Record<string, { readonly label: string; readonly unit?: string; readonly meaning: string }>
  >;
}

/** Names of the patterns of `patterns.ts` and what they are, by their ids; apart, since only their form needs it. */
export const PATTERN_MEANINGS: Readonly<Record<string, PatternMeaning>> = meanings;
