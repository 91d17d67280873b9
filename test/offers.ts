import type { Offers } from '../src/lessons/prepare.ts';

/** What places offer to lessons, without their pages: `OFFERS` of test/X/offers.ts for the lab X. */
export const OFFERS: Offers = new Map(
  Object.values(import.meta.glob<Offers>('./*/offers.ts', { eager: true, import: 'OFFERS' })).flatMap((offers) => [
    ...offers,
  ]),
);
