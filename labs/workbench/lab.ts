// What the Workbench adds to the page: its page, custom formats on all pages, and links to exercises.

import { lazyPart, registerPart } from '../../src/kit/browser/lazy-part.ts';
import type { Lab } from '../../src/kit/lab.ts';
import { workbenchPage } from './page/page.ts';

const provider = () => import('./provider/provider-parts.ts');
registerPart(provider);

/**
 * The Workbench lab, where users change kernels and write formats. `provider` makes their formats available on all
 * pages: `CustomFormatList` lists stored formats that are not open yet, below the list of formats; `ConsentDialog` asks whether a
 * format from a link may run. `Exercise`: a link from a lesson to an exercise.
 */
export const workbench: Lab = {
  pages: [workbenchPage],
  provider: {
    open: async (app, formats) => (await provider()).openFormatsOfLink(app, formats),
    CustomFormatList: lazyPart(async () => (await provider()).StoredFormats),
    ConsentDialog: lazyPart(async () => (await provider()).ModuleQuestion),
  },
  Exercise: lazyPart(async () => (await import('./page/exercises/ExerciseCard.tsx')).ExerciseCard),
};
