import { lazyPart } from '../../kit/browser/lazy-part.ts';
import type { Place } from '../../kit/place.ts';
import { COMPARE } from './address.ts';

/** All formats ranked for the sentence. */
export const compare: Place = {
  ...COMPARE,
  Page: lazyPart(async () => (await import('./ComparePage.tsx')).ComparePage),
  finds: async () => (await import('./finds.ts')).FINDS,
};
