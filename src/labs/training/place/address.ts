import { type Choices, placeAddress, type PlaceEntry, withChosen } from '../../../state/index.ts';

/** The state of the place Training in an address: only its choices. */
export interface TrainingFields {
  readonly choices: Choices;
}

/** Addresses of the place Training: `#2/train?x.NAME=...` */
export const TRAINING_ADDRESS = placeAddress<TrainingFields>({
  id: 'train',
  fields: {},
  choices: 'choices',
  // The coefficient of L1 changes during a run without an entry in the browser's history.
  quiet: ['choices'],
});

export const TRAINING: PlaceEntry = {
  id: TRAINING_ADDRESS.id,
  title: 'Training',
  address: TRAINING_ADDRESS,
  // In no menu: a lesson and other places link to it.
  isUnlisted: true,
  // From other places to the story of a recorded run: where zeros in activations come from.
  links: { zeros: (doc) => withChosen(doc, TRAINING_ADDRESS, { story: 'yes' }) },
};
