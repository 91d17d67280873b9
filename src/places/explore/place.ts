import { lazyPart } from '../../kit/browser/lazy-part.ts';
import type { Place } from '../../kit/place.ts';
import { EXPLORE } from './address.ts';

/** Six questions behind one place: questions.ts lists them. */
export const explore: Place = {
  ...EXPLORE,
  Page: lazyPart(async () => (await import('./ExplorePage.tsx')).ExplorePage),
};
