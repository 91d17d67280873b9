// The page Language in addresses: its tabs, and the fields of its choices.

import {
  type Choices,
  choicePairs,
  type PageAddress,
  type PageEntry,
  pageState,
  readChoicePairs,
  type DocumentPages,
  withPage,
} from '../../../src/state/index.ts';

/** The tabs of the page Language, in their order; the first tab is the default. */
export const TABS = ['text', 'quality', 'neurons', 'speed'] as const;
export type Tab = (typeof TABS)[number];

export const TAB_TITLES: Readonly<Record<Tab, string>> = {
  text: 'Text',
  quality: 'Quality',
  neurons: 'Neurons',
  speed: 'Speed',
};

/** The state of the page Language, as far as its address contains it. */
export interface LanguageFields {
  readonly tab: Tab;
  /** further settings by name, as texts that the tabs parse */
  readonly choices: Choices;
}

/** Choices that change without a history entry: the pinned token, and the open details sections. */
const WITHOUT_ENTRY: readonly string[] = ['at', 'fold'];

/** The matrices if an address names none: the model 'tales', pruned by Wanda to 60 %. */
export const DEFAULT_SOURCE = {
  kind: 'pruned',
  base: { kind: 'model', model: 'tales' },
  pruning: { way: 'wanda', density: 0.6 },
} as const;

const INITIAL: LanguageFields = { tab: TABS[0], choices: {} };

/** Reads and writes addresses of the page: `#2/language/TAB?x.NAME=...` (2: version of addresses) */
export const LANGUAGE_FIELDS: PageAddress<LanguageFields> = {
  id: 'language',
  initial: INITIAL,
  keys: [], // besides those of choices, x.NAME
  hasPath: true,
  path: ({ tab }) => (tab === TABS[0] ? '' : tab),
  pairs: ({ choices }) => choicePairs(choices),
  read(path, fields) {
    const choices = readChoicePairs(fields);
    const tab = path === '' ? TABS[0] : TABS.find((id) => id === path);
    if (tab) return { tab, choices };
    fields.problem('tab', path, `one of ${TABS.join(', ')}`, `'${TABS[0]}' is shown`);
    return { tab: TABS[0], choices };
  },
  usual: ({ choices }) => (choices.model ? null : DEFAULT_SOURCE),
  merge: (read) => read, // an address has the whole state
  isEntry: (before, after) => before.tab !== after.tab || entryText(before.choices) !== entryText(after.choices),
};

/**
 * The choices that make a history entry, as one text. Of a shipped model, the page itself writes the pruning, at the
 * first visit.
 */
function entryText(choices: Choices): string {
  const hiddenPages = choices.model ? WITHOUT_ENTRY : [...WITHOUT_ENTRY, 'prune'];
  const names = Object.keys(choices).filter((name) => !hiddenPages.includes(name));
  return JSON.stringify(choices, names.toSorted());
}

/** The document with another tab, and the same choices. */
export function withTab<D extends DocumentPages>(doc: D, tab: Tab): D {
  return withPage(doc, LANGUAGE_FIELDS, { ...pageState(doc, LANGUAGE_FIELDS), tab });
}

/** The entry of the page Language in the list of pages. */
export const LANGUAGE: PageEntry = {
  id: LANGUAGE_FIELDS.id,
  title: 'Language',
  address: LANGUAGE_FIELDS,
};
