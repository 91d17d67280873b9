import { lazyPart } from '../../kit/browser/lazy-part.ts';
import type { Place } from '../../kit/place.ts';
import { placeState } from '../../state/index.ts';
import { LEARN, LEARN_FIELDS } from './address.ts';

/** The place Learn: lessons that ask questions. */
export const learn: Place = {
  ...LEARN,
  Page: lazyPart(async () => (await import('./LearnPage.tsx')).LearnPage),
  // The figure of a lesson has a matrix of its own.
  hasOwnSubject: (doc) => placeState(doc, LEARN_FIELDS).lesson !== '',
  hiddenWords: ['on', 'tokens'], // of the sentence at the top of the page: they change nothing here
  finds: async () => (await import('./finds.ts')).FINDS, // what the palette finds here: paragraphs and terms
};
