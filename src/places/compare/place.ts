import { lazyPart } from '../../kit/browser/lazy-part.ts';
import type { Place } from '../../kit/place.ts';
import { COMPARE } from './address.ts';

/** Six questions behind one place: questions.ts lists them. */
export const compare: Place = {
  ...COMPARE,
  Page: lazyPart(async () => (await import('./ComparePage.tsx')).ComparePage),
};
