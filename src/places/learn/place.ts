import { lazyPart, loadLater } from '../../kit/browser/lazy-part.ts';
import type { Place } from '../../kit/place.ts';
import { LEARN } from './address.ts';

const keys = async () => (await import('./lesson-keys.ts')).LESSON_KEYS;
loadLater(keys);

export const learn: Place = {
  ...LEARN,
  Page: lazyPart(async () => (await import('./LearnPage.tsx')).LearnPage),
  keys,
};
