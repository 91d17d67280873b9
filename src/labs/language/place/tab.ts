import type { LanguageSubject } from './subject.ts';

/** Properties of every tab of the place Language. */
export interface TabProps {
  readonly subject: LanguageSubject;
  /** wide enough for side columns */
  readonly wide: boolean;
}
