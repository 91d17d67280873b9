import {
  type Choices,
  choicePairs,
  type PlaceAddress,
  type PlaceEntry,
  placeState,
  readChoicePairs,
  type Shown,
  withPlace,
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

/** Compare with further choices; an empty text resets one. */
export function withChosen<D extends Shown>(doc: D, changed: Choices = {}): D {
  const all = { ...placeState(doc, COMPARING).choices, ...changed };
  return withPlace(doc, COMPARING, {
    choices: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
  });
}

export const COMPARE: PlaceEntry = {
  id: COMPARING.id,
  title: 'Compare',
  address: COMPARING,
  comparesFormats: true,
  links: { formats: (doc) => withChosen(doc) },
};
