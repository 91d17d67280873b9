import type { Plugin } from 'vite';

/**
 * Leaves the stories of the formats out of builds that show none, the worker's and the command line's: asking for one
 * there is a bug, and rejects.
 */
export const storiesOnThePage: Plugin = {
  name: 'stories-on-the-page',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/src\/formats\/[^/]+\/card\.ts$/.test(id)) return null;
    const story = "import('./story/index.ts').then((m) => m.story)";
    if (!code.includes(story)) throw new Error(`${id}: found no ${story}`);
    return code.replace(story, "Promise.reject(new Error('Stories are only loaded on the page.'))");
  },
};
