import { type Choices, pageAddress, type PageEntry, withChosen } from '../../../src/state/index.ts';

/** The fields of the page Training in an address: only its choices. */
export interface TrainingFields {
  readonly choices: Choices;
}

/** Addresses of the page Training: `#2/train?x.NAME=...` */
export const TRAINING_ADDRESS = pageAddress<TrainingFields>({
  id: 'train',
  fields: {},
  choices: 'choices',
  // The coefficient of L1 changes during a run without an entry in the browser's history.
  quiet: ['choices'],
});

/** The page Training for the header, addresses and links. */
export const TRAINING: PageEntry = {
  id: TRAINING_ADDRESS.id,
  title: 'Training',
  address: TRAINING_ADDRESS,
  // Not in the header: a lesson and other pages link to this page.
  hasNoKey: true,
  // The link `zeros` leads to the story of a recorded run, which shows where zeros in activations come from.
  links: { originOfZeros: (doc) => withChosen(doc, TRAINING_ADDRESS, { story: 'yes' }) },
};
