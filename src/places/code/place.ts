import { lazyPart } from '../../kit/browser/lazy-part.ts';
import type { Place } from '../../kit/place.ts';
import { CODE } from './address.ts';

/** The page Code: the kernels of all formats, to read. `finds`: what the command palette finds in it. */
export const code: Place = {
  ...CODE,
  Page: lazyPart(async () => (await import('./CodePage.tsx')).CodePage),
  finds: async () => (await import('./finds.ts')).FINDS,
};
