import { lazyPart } from '../../../kit/browser/lazy-part.ts';
import type { Place } from '../../../kit/place.ts';
import { WORKBENCH } from './address.ts';

/** The page Code, with everything that the workbench adds to the reader of kernels; `finds`: what Ctrl K finds there. */
export const workbenchPlace: Place = {
  ...WORKBENCH,
  Page: lazyPart(async () => (await import('./WorkbenchPage.tsx')).WorkbenchPage),
  finds: async () => (await import('./finds.ts')).FINDS,
};
