// What the Training lab adds to the page: its page, story, figures and lessons.

import { lazyPart } from '../../src/kit/browser/lazy-part.ts';
import type { Lab } from '../../src/kit/lab.ts';
import type { AppPage } from '../../src/kit/page.ts';
import { pageState } from '../../src/state/index.ts';
import { TRAINING, TRAINING_ADDRESS } from './page/address.ts';

const trainingPage: AppPage = {
  ...TRAINING,
  Page: lazyPart(async () => (await import('./page/TrainingPage.tsx')).TrainingPage),
  // The page shows a network, not the matrix in the header.
  hidesSelectionBar: () => true,
  shows: {
    has: (doc) => pageState(doc, TRAINING_ADDRESS).choices.story === 'yes',
    Picture: lazyPart(async () => (await import('./page/story/TrainingStory.tsx')).StoryPicture),
  },
  figures: {
    facts: async (document) => (await import('./page/lesson-figures.ts')).figureFacts(document),
    Figure: lazyPart(async () => (await import('./page/LessonFigure.tsx')).LessonFigure),
  },
  paletteEntries: async () => (await import('./page/palette-entries.ts')).PALETTE_ENTRIES,
};

/** The lab Training: one page, on which a small network learns to set most of its activations to 0. */
export const training: Lab = { pages: [trainingPage] };
