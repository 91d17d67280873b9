import type { Plugin } from 'vite';

/** The files that load stories, with their code for it: cards of formats, and with-story.ts for derived stories. */
const LOADS = [
  { file: /\/src\/formats\/[^/]+\/card\.ts$/, load: "import('./story/index.ts').then((m) => m.story)" },
  { file: /\/src\/story\/declared\/with-story\.ts$/, load: "import('./index.ts')" },
] as const;

/**
 * Leaves the stories of the formats out of builds that show none, the worker's and the command line's: asking for one
 * there is a bug, and rejects.
 */
export const storiesOnThePage: Plugin = {
  name: 'stories-on-the-page',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    const found = LOADS.find(({ file }) => file.test(id));
    // The card of a format whose story is derived loads none.
    if (!found || (!code.includes(found.load) && code.includes('declareCard'))) return null;
    if (!code.includes(found.load)) throw new Error(`${id}: found no ${found.load}`);
    return code.replace(found.load, "Promise.reject(new Error('Stories are only loaded on the page.'))");
  },
};
