import type { PagePaletteEntries } from '../../../src/kit/page.ts';
import { withChosen } from '../../../src/state/index.ts';
import { TRAINING, TRAINING_ADDRESS } from './address.ts';

/** The page's entry in the palette (Ctrl K), and its story. */
export const PALETTE_ENTRIES: PagePaletteEntries = {
  searchWords:
    'train, l1, regularisation, regularization, loss, learning curve, dead neurons, reinitialise, warm-up, adam',
  description: 'where the zeros of activations come from',
  more: ({ app: { document } }) => [
    {
      id: `${TRAINING.id}-story`,
      group: 'Section',
      title: 'Story: where zeros come from',
      leadsTo: TRAINING.title,
      run: () => document.setState(withChosen(document.getState(), TRAINING_ADDRESS, { story: 'yes' })),
    },
  ],
};
