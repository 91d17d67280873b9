import type { Standalone } from '../../kit/page.ts';

/** The page that other pages embed in an iframe: the story (animation) of a format, or of a page such as Training. */
export const embed: Standalone = {
  id: 'embed',
  isAt: (hash) => /^#\d+\/embed(?=[/?]|$)/.test(hash),
  start: async (root, createStores) => (await import('./start.ts')).startEmbed(root, createStores),
};
