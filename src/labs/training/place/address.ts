import { type Choices, placeAddress, type PlaceEntry, withChosen } from '../../../state/index.ts';

export interface Training {
  readonly choices: Choices;
}

/** `#2/train?x.NAME=...` */
export const TRAINING_ADDRESS = placeAddress<Training>({
  id: 'train',
  fields: {},
  choices: 'choices',
  // A coefficient that is turned while a run goes on is nothing to go back to.
  quiet: ['choices'],
});

export const TRAINING: PlaceEntry = {
  id: TRAINING_ADDRESS.id,
  title: 'Training',
  address: TRAINING_ADDRESS,
  // One lesson's place.
  isUnlisted: true,
  links: { zeros: (doc) => withChosen(doc, TRAINING_ADDRESS, { story: 'yes' }) },
};
