import {
  type Choices,
  choicePairs,
  type PlaceAddress,
  type PlaceEntry,
  readChoicePairs,
} from '../../../state/index.ts';

export interface Training {
  readonly choices: Choices;
}

/** `#2/train?x.NAME=...` */
export const TRAINING_ADDRESS: PlaceAddress<Training> = {
  id: 'train',
  initial: { choices: {} },
  keys: [],
  hasPath: false,
  path: () => '',
  pairs: ({ choices }) => choicePairs(choices),
  read: (_, fields) => ({ choices: readChoicePairs(fields) }),
  merge: (read) => read,
  // What is turned while a run goes on is no place to go back to.
  isEntry: () => false,
};

export const TRAINING: PlaceEntry = {
  id: TRAINING_ADDRESS.id,
  title: 'Training',
  address: TRAINING_ADDRESS,
};
