import { placeAddress, type PlaceEntry, withView, wordField } from '../../state/index.ts';

const ID = 'watch';

export interface Watching {
  /** Nothing follows the place in the path. */
  readonly path: string;
  /** '1': the player goes by every step, not by key moments */
  readonly every: '0' | '1';
  /** first: somebody is here for the first time, until a word of the sentence changes or something is played */
  readonly visit: 'later' | 'first';
}

export const WATCHING = {
  ...placeAddress<Watching>({
    id: ID,
    path: 'path',
    fields: { every: wordField('x.every', ['0', '1']), visit: wordField('x.visit', ['later', 'first']) },
    quiet: ['every'],
  }),
  first: { path: '', every: '0', visit: 'first' } satisfies Watching,
  hasPath: false,
};

/** `#2/watch?...` */
export const WATCH: PlaceEntry = {
  id: ID,
  title: 'Watch',
  formerly: 'visualize',
  address: WATCHING,
  links: { stage: (doc) => withView(doc, ID) },
};
