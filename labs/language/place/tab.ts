import type { LanguageSubject } from './subject.ts';

/** Properties of every tab of the place Language. */
export interface TabProps {
  /** the model and its pruning */
  readonly subject: LanguageSubject;
  /** wide enough for side columns */
  readonly wide: boolean;
}
