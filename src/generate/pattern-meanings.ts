import meanings from './pattern-meanings.json';

/** The texts of the form for random matrices about one pattern of non-zeros. */
interface PatternMeaning {
  readonly title: string;
  /** where its non-zeros are */
  readonly pattern: string;
  readonly options: Readonly<
    Record<string, { readonly label: string; readonly unit?: string; readonly meaning: string }>
  >;
}

/** The texts about the patterns in `patterns.ts`, by id. Kept apart from the patterns: only the form needs them. */
export const PATTERN_MEANINGS: Readonly<Record<string, PatternMeaning>> = meanings;
