import { lazyPart, loadLater } from '../../kit/browser/lazy-part.ts';
import type { Place } from '../../kit/place.ts';
import { placeState } from '../../state/index.ts';
import { LEARN, LEARNING } from './address.ts';

const keys = async () => (await import('./lesson-keys.ts')).LESSON_KEYS;
loadLater(keys);

export const learn: Place = {
  ...LEARN,
  Page: lazyPart(async () => (await import('./LearnPage.tsx')).LearnPage),
  // The figure of a lesson is about a matrix of the lesson.
  hasOwnSubject: (doc) => placeState(doc, LEARNING).lesson !== '',
  keys,
};
