import type { LanguageSubject } from './subject.ts';

/** What every tab is given. */
export interface TabProps {
  readonly subject: LanguageSubject;
  /** wide enough for side columns */
  readonly wide: boolean;
}
