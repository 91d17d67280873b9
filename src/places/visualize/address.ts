import { type PlaceEntry, withView } from '../../state/index.ts';

const ID = 'visualize';

/** `#1/visualize?...`: the document alone. */
export const VISUALIZE: PlaceEntry = {
  id: ID,
  title: 'Visualize',
  links: { stage: (doc) => withView(doc, ID) },
};
