import meanings from './pattern-meanings.json';

/** What the form for random matrices says of one pattern. */
interface PatternMeaning {
  readonly title: string;
  /** where its non-zeros are */
  readonly pattern: string;
  readonly options: Readonly<
    Record<string, { readonly label: string; readonly unit?: string; readonly meaning: string }>
  >;
}

/** What the form says of the patterns in `patterns.ts`, by id. Kept apart from them: only the form needs it. */
export const PATTERN_MEANINGS: Readonly<Record<string, PatternMeaning>> = meanings;
