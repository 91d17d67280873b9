import { pageAddress, type PageEntry, pageState, textField, wholeField, withView } from '../../state/index.ts';

/** The state of the page Learn in its address. */
export interface LearnFields {
  /** id of a lesson, or `CLAIMS_ID`; '' for the list of lessons */
  readonly lesson: string;
  /** current paragraph, from 1; 0 for the beginning */
  readonly paragraph: number;
  /** if `lesson` is 'set': the questions of a user's set, as text (src/lessons/question-set.ts); else '' */
  readonly set: string;
}

/** In place of a lesson's id: the list of the papers' claims. */
export const CLAIMS_ID = 'claims';

/** `#2/learn/LESSON?p=...`; scrolling through a lesson adds no history entries. */
export const LEARN_FIELDS = pageAddress<LearnFields>({
  id: 'learn',
  path: 'lesson',
  fields: { paragraph: wholeField('p'), set: textField('set', { isLong: true }) },
  quiet: ['paragraph', 'set'],
});

/** Learn in the application's list of pages, with its address and the links that lead to it. */
export const LEARN: PageEntry = {
  id: LEARN_FIELDS.id,
  title: 'Learn',
  address: LEARN_FIELDS,
  links: {
    lesson: (doc) => (pageState(doc, LEARN_FIELDS).lesson === '' ? null : withView(doc, LEARN_FIELDS.id)),
    lessons: (doc) => withView(doc, LEARN_FIELDS.id),
  },
};
