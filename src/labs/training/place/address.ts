import { type Choices, placeAddress, type PlaceEntry, withChosen } from '../../../state/index.ts';

export interface Training {
  readonly choices: Choices;
}

/** `#2/train?x.NAME=...` */
export const TRAINING_ADDRESS = placeAddress<Training>({
  id: 'train',
  fields: {},
  choices: 'choices',
  // A change of the coefficient during a run is not a step of the history.
  quiet: ['choices'],
});

export const TRAINING: PlaceEntry = {
  id: TRAINING_ADDRESS.id,
  title: 'Training',
  address: TRAINING_ADDRESS,
  // Only a lesson links to it.
  isUnlisted: true,
  links: { zeros: (doc) => withChosen(doc, TRAINING_ADDRESS, { story: 'yes' }) },
};
