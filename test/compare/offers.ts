import type { FactsByPage } from '../../src/lessons/prepare.ts';
import { COMPARE_FIELDS } from '../../src/pages/compare/address.ts';
import { pairsFigureFacts } from '../../src/pages/compare/pairs/pairs-figure-facts.ts';

/** The facts that Compare provides to lessons, without the components of the page. */
export const OFFERS: FactsByPage = new Map([
  [COMPARE_FIELDS.id, { facts: (document) => Promise.resolve(pairsFigureFacts(document)) }],
]);
