import { lazyPart } from '../../../kit/browser/lazy-part.ts';
import type { Place } from '../../../kit/place.ts';
import { WORKBENCH } from './address.ts';

/** Code, with everything that the workbench adds to the reader of kernels. */
export const workbenchPlace: Place = {
  ...WORKBENCH,
  Page: lazyPart(async () => (await import('./WorkbenchPage.tsx')).WorkbenchPage),
  finds: async () => (await import('./finds.ts')).FINDS,
};
