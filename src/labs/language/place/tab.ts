import type { LanguageSubject } from './subject.ts';

/** Properties of every tab. */
export interface TabProps {
  readonly subject: LanguageSubject;
  /** wide enough for side columns */
  readonly wide: boolean;
}
