import { placeAddress, type PlaceEntry, withView, wordField } from '../../state/index.ts';

const ID = 'watch';

export interface Watching {
  /** Nothing follows the place in the path. */
  readonly path: string;
  /** '1': the player goes by every step, not by key moments */
  readonly every: '0' | '1';
}

export const WATCHING = {
  ...placeAddress<Watching>({
    id: ID,
    path: 'path',
    fields: { every: wordField('x.every', ['0', '1']) },
    quiet: ['every'],
  }),
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
