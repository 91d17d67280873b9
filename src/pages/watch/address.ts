import {
  type Choices,
  pageAddress,
  type PageEntry,
  type DocumentPages,
  withPage,
  withView,
  wordField,
} from '../../state/index.ts';
import { GROUP_DETAILS } from '../../papers/slidesparse/group-details.ts';

const ID = 'watch';

/** The state of the page Watch. */
export interface WatchFields {
  /** always '': Watch has no path */
  readonly path: string;
  /** 'first': the first screen, until a story plays or another matrix, format or frame is chosen */
  readonly visit: 'later' | 'first';
  /** the only details section that addresses can open; the browser stores which others are open */
  readonly fold: '' | typeof GROUP_DETAILS.id;
  /** choices in that section, which parses them */
  readonly choices: Choices;
}

/** How addresses write this state; an empty address is the first screen. */
export const WATCH_FIELDS = {
  ...pageAddress<WatchFields>({
    id: ID,
    path: 'path',
    fields: {
      visit: wordField('x.visit', ['later', 'first']),
      fold: wordField('x.unfold', ['', GROUP_DETAILS.id]),
    },
    choices: 'choices',
    quiet: ['fold'], // changes add no entry to the browser's history
  }),
  first: { path: '', visit: 'first', fold: '', choices: {} } satisfies WatchFields,
  hasPath: false,
};

/** Watch in the list of pages: its title, address `#2/watch?...`, and the links that lead to it. */
export const WATCH: PageEntry = {
  id: ID,
  title: 'Watch',
  address: WATCH_FIELDS,
  links: {
    stage: (doc) => withView(doc, ID),
    group: withGroup,
  },
};

/** Opens SlideSparse's details section on groups of any size with these choices; empty ones are left out. */
function withGroup<D extends DocumentPages>(doc: D, choices: Choices): D {
  const chosen = Object.entries(choices).filter(([, text]) => text !== '');
  return withPage(doc, WATCH_FIELDS, { fold: GROUP_DETAILS.id, choices: Object.fromEntries(chosen) });
}
