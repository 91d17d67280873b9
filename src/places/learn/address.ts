import { placeAddress, type PlaceEntry, placeState, textField, wholeField, withView } from '../../state/index.ts';

/** What is read among the lessons. */
export interface Learning {
  /** id of a lesson; '' for the list of them */
  readonly lesson: string;
  /** the paragraph that is read, from 1; 0 for the beginning */
  readonly paragraph: number;
  /** questions that a link carries, where `lesson` says that it is a set; else '' */
  readonly set: string;
}

/** `#1/learn/LESSON?p=...`; scrolling through a lesson makes no entries in the history. */
export const LEARNING = placeAddress<Learning>({
  id: 'learn',
  path: 'lesson',
  fields: { paragraph: wholeField('p'), set: textField('set', { isLong: true }) },
  quiet: ['paragraph', 'set'],
});

export const LEARN: PlaceEntry = {
  id: LEARNING.id,
  title: 'Learn',
  address: LEARNING,
  links: {
    lesson: (doc) => (placeState(doc, LEARNING).lesson === '' ? null : withView(doc, LEARNING.id)),
    lessons: (doc) => withView(doc, LEARNING.id),
  },
};
