import { lazyPart } from '../../kit/browser/lazy-part.ts';
import type { Place } from '../../kit/place.ts';
import { KERNELS } from './address.ts';

export const kernels: Place = {
  ...KERNELS,
  Page: lazyPart(async () => (await import('./KernelsPage.tsx')).KernelsPage),
};
