import {
  type Choices,
  placeAddress,
  type PlaceEntry,
  type DocumentPlaces,
  withPlace,
  withView,
  wordField,
} from '../../state/index.ts';
import { GROUP_FOLD } from '../../papers/slidesparse/group-fold.ts';

const ID = 'watch';

/** The state of Watch, a place (page of the application). */
export interface WatchFields {
  /** always '': this place has no path */
  readonly path: string;
  /** 'first': the first screen, until a story plays or another matrix, format or frame is chosen */
  readonly visit: 'later' | 'first';
  /** the only fold (collapsible section) that addresses can open; this browser remembers which others are open */
  readonly fold: '' | typeof GROUP_FOLD.id;
  /** choices inside that fold, which parses them */
  readonly choices: Choices;
}

/** How addresses write this state; an empty address is the first screen. */
export const WATCH_FIELDS = {
  ...placeAddress<WatchFields>({
    id: ID,
    path: 'path',
    fields: {
      visit: wordField('x.visit', ['later', 'first']),
      fold: wordField('x.unfold', ['', GROUP_FOLD.id]),
    },
    choices: 'choices',
    quiet: ['fold'], // changes of it make no entry in the browser's history
  }),
  first: { path: '', visit: 'first', fold: '', choices: {} } satisfies WatchFields,
  hasPath: false,
};

/** Watch in the list of places: its title, address `#2/watch?...`, and the links that lead to it. */
export const WATCH: PlaceEntry = {
  id: ID,
  title: 'Watch',
  address: WATCH_FIELDS,
  links: {
    stage: (doc) => withView(doc, ID),
    group: withGroup,
  },
};

/** Opens SlideSparse's fold on groups of any size with these choices, without the empty ones. */
function withGroup<D extends DocumentPlaces>(doc: D, choices: Choices): D {
  const chosen = Object.entries(choices).filter(([, text]) => text !== '');
  return withPlace(doc, WATCH_FIELDS, { fold: GROUP_FOLD.id, choices: Object.fromEntries(chosen) });
}
