import { lazyPart } from '../../../src/kit/browser/lazy-part.ts';
import type { AppPage } from '../../../src/kit/page.ts';
import { WORKBENCH } from './address.ts';

/** The page Code with the lab in which users write kernels and formats. `paletteEntries`: for the palette (Ctrl K). */
export const workbenchPage: AppPage = {
  ...WORKBENCH,
  Page: lazyPart(async () => (await import('./WorkbenchPage.tsx')).WorkbenchPage),
  paletteEntries: async () => (await import('./palette-entries.ts')).PALETTE_ENTRIES,
};
