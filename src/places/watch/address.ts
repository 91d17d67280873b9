import { type PlaceEntry, withView } from '../../state/index.ts';

const ID = 'watch';

/** `#2/watch?...`: the document alone. */
export const WATCH: PlaceEntry = {
  id: ID,
  title: 'Watch',
  formerly: 'visualize',
  links: { stage: (doc) => withView(doc, ID) },
};
