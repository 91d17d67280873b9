import type { Standalone } from '../../kit/overlay.ts';

/** The page that other pages embed in an iframe: only the picture of a story, or of a place such as Training. */
export const embed: Standalone = {
  id: 'embed',
  isAt: (hash) => /^#\d+\/embed(?=[/?]|$)/.test(hash),
  start: async (root, createStores) => (await import('./start.ts')).startEmbed(root, createStores),
};
