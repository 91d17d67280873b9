import { lazyPart } from '../../../kit/browser/lazy-part.ts';
import type { Place } from '../../../kit/place.ts';
import { WORKBENCH } from './address.ts';

/** The page Code, where kernels and formats can be written. `paletteEntries`: for the command palette (Ctrl K). */
export const workbenchPlace: Place = {
  ...WORKBENCH,
  Page: lazyPart(async () => (await import('./WorkbenchPage.tsx')).WorkbenchPage),
  paletteEntries: async () => (await import('./palette-entries.ts')).PALETTE_ENTRIES,
};
