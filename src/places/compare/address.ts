import {
  type Choices,
  choicePairs,
  type PlaceAddress,
  type PlaceEntry,
  readChoicePairs,
  withChosen,
} from '../../state/index.ts';

export interface Comparing {
  readonly choices: Choices;
}

/** `#2/compare?x.NAME=...` */
export const COMPARING: PlaceAddress<Comparing> = {
  id: 'compare',
  initial: { choices: {} },
  keys: [],
  hasPath: false,
  path: () => '',
  pairs: ({ choices }) => choicePairs(choices),
  read: (_, fields) => ({ choices: readChoicePairs(fields) }),
  merge: (read) => read,
  isEntry: (before, after) => before !== after,
};

export const COMPARE: PlaceEntry = {
  id: COMPARING.id,
  title: 'Compare',
  address: COMPARING,
  comparesFormats: true,
  links: { formats: (doc) => withChosen(doc, COMPARING) },
};
