import { lazyPart } from '../../kit/browser/lazy-part.ts';
import type { AppPage } from '../../kit/page.ts';
import { CODE } from './address.ts';

/** The page Code: the kernels of all formats, to read. `paletteEntries`: its entries in the command palette. */
export const code: AppPage = {
  ...CODE,
  Page: lazyPart(async () => (await import('./CodePage.tsx')).CodePage),
  paletteEntries: async () => (await import('./palette-entries.ts')).PALETTE_ENTRIES,
};
