import meanings from './pattern-meanings.json';

/** A pattern in words: its title, where its non-zeros are, what its options mean. */
interface PatternMeaning {
  readonly title: string;
  readonly pattern: string;
  readonly options: Readonly<
    Record<string, { readonly label: string; readonly unit?: string; readonly meaning: string }>
  >;
}

/** The patterns of `patterns.ts` in words, by id. Apart from them, since only a form needs the words. */
export const PATTERN_MEANINGS: Readonly<Record<string, PatternMeaning>> = meanings;
