import type { LanguageModelChoice } from './model-choice.ts';

/** Properties of every tab of the page Language. */
export interface TabProps {
  /** the model and its pruning */
  readonly modelChoice: LanguageModelChoice;
  /** wide enough for side columns */
  readonly isWide: boolean;
}
