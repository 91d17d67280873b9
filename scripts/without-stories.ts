// Vite plugin that removes the stories of formats from builds that show none.

import type { Plugin } from 'vite';

/** The files that load stories, with the code to replace: the formats' cards, and with-story.ts for derived stories. */
const LOADS = [
  { file: /\/src\/formats\/[^/]+\/card\.ts$/, load: "import('./story/index.ts').then((m) => m.story)" },
  { file: /\/src\/story\/declared\/with-story\.ts$/, load: "import('./index.ts')" },
] as const;

/**
 * Replaces the import of each story, in the builds of the worker and of the command line, by a promise that rejects: loading
 * a story there is a bug.
 */
export const withoutStories: Plugin = {
  name: 'without-stories',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    const match = LOADS.find(({ file }) => file.test(id));
    if (!match) return null;
    if (code.includes(match.load)) {
      return code.replace(match.load, "Promise.reject(new Error('Stories are only loaded on the page.'))");
    }
    // The card of a format whose story is derived loads none.
    if (code.includes('declareCard')) return null;
    throw new Error(`${id}: found no ${match.load}`);
  },
};
