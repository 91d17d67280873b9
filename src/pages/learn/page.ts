import { lazyPart } from '../../kit/browser/lazy-part.ts';
import type { AppPage } from '../../kit/page.ts';
import { pageState } from '../../state/index.ts';
import { LEARN, LEARN_FIELDS } from './address.ts';

/** The page Learn: lessons with questions. */
export const learn: AppPage = {
  ...LEARN,
  Page: lazyPart(async () => (await import('./LearnPage.tsx')).LearnPage),
  // A lesson has its own matrices, so the selection bar, which names the open matrix, is hidden.
  hidesSelectionBar: (doc) => pageState(doc, LEARN_FIELDS).lesson !== '',
  hiddenItems: ['on', 'tokens'], // the selection bar omits device and tokens, which change nothing on this page
  paletteEntries: async () => (await import('./palette-entries.ts')).PALETTE_ENTRIES, // for the search
};
