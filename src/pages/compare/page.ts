import { lazyPart } from '../../kit/browser/lazy-part.ts';
import type { AppPage } from '../../kit/page.ts';
import { COMPARE } from './address.ts';

/** The page Compare: all formats ranked by bytes and by time; and its figure on pairs of rows, for a lesson. */
export const compare: AppPage = {
  ...COMPARE,
  Page: lazyPart(async () => (await import('./ComparePage.tsx')).ComparePage),
  figures: {
    facts: async (document) => (await import('./pairs/pairs-figure-facts.ts')).pairsFigureFacts(document),
    Figure: lazyPart(async () => (await import('./pairs/PairsFigure.tsx')).PairsFigure),
  },
  paletteEntries: async () => (await import('./palette-entries.ts')).PALETTE_ENTRIES, // for the command palette
};
