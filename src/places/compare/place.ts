import { lazyPart, loadLater } from '../../kit/browser/lazy-part.ts';
import type { Place } from '../../kit/place.ts';
import { COMPARE } from './address.ts';

const keys = async () => (await import('./rows/row-keys.ts')).ROW_KEYS;
loadLater(keys);

/** All formats ranked for the sentence. */
export const compare: Place = {
  ...COMPARE,
  Page: lazyPart(async () => (await import('./ComparePage.tsx')).ComparePage),
  keys,
};
