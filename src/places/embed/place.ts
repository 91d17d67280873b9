import type { Standalone } from '../../kit/overlay.ts';

/** The page that other pages embed: the stage or the picture of a place alone, in an iframe. */
export const embed: Standalone = {
  id: 'embed',
  isAt: (hash) => /^#\d+\/embed(?=[/?]|$)/.test(hash),
  start: async (root, createStores) => (await import('./start.ts')).startEmbed(root, createStores),
};
