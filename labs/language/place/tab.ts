import type { LanguageSubject } from './subject.ts';

/** Properties of every tab of the page Language. */
export interface TabProps {
  /** the model and its pruning */
  readonly subject: LanguageSubject;
  /** wide enough for side columns */
  readonly wide: boolean;
}
