import { MODULE_BOUNDS } from '../theory/bounds.ts';
import { aCount, conforms, listOf, objectOf, optional, textUpTo } from '../../../core/bounds/shapes.ts';
import {
  currentVersion,
  type DraftKind,
  type VersionedDraft,
  type DraftVersion,
  withCurrentVersion,
} from '../library/versioned-draft.ts';
import { createDraftLibrary, type DraftLibrary } from '../library/draft-library.ts';
import { browserDraftStore, type DraftStore } from '../library/draft-store.ts';
import { browserStore } from '../../../state/browser-store.ts';

export interface FormatText {
  readonly text: string;
}

interface FormatVersion extends FormatText, DraftVersion {
  /** the result in a few words: 'all laws, 30 401 bytes' */
  readonly note: string;
}

/** A format that a person writes. Its id is its name in an address: letters, digits and hyphens. */
export interface FormatDraft extends VersionedDraft<FormatText> {
  readonly versions: readonly FormatVersion[];
}

/** The formats written in this browser. */
export interface FormatLibrary extends DraftLibrary<FormatText, FormatDraft> {
  /** Adds a draft, under its title or another free name; returns the name. */
  begin(title: string, text: string, exercise?: string): string;
  /** Stores the text as a version right away. For a version with the same text it only sets the note, unless that is ''. */
  keep(name: string, note: string): void;
}

const aModule = textUpTo(MODULE_BOUNDS.length);
const aWord = textUpTo(100);
const aVersion = objectOf({ number: aCount, at: aWord, text: aModule, note: aWord });
const aDraft = objectOf({
  id: textUpTo(2 * MODULE_BOUNDS.name),
  text: aModule,
  changedAt: aWord,
  versions: listOf(aVersion, MODULE_BOUNDS.versions, 'versions'),
  exercise: optional(aWord),
});

export const FORMATS: DraftKind<FormatText, FormatDraft> = {
  plural: 'formats',
  maxVersions: MODULE_BOUNDS.versions,
  textOf: ({ text }) => ({ text }),
  isSame: (a, b) => a.text === b.text,
  originOf: () => null,
  newVersion: { note: '' },
  checked(key, value) {
    if (!conforms(value, aDraft)) return null;
    const draft = value as FormatDraft;
    return draft.id === key && nameOf(draft.id) === draft.id ? draft : null;
  },
};

export function createFormatLibrary(kept: DraftStore<FormatDraft>, now: () => Date): FormatLibrary {
  const library = createDraftLibrary(FORMATS, kept, now);
  const stamp = (): string => now().toISOString();
  return {
    ...library,
    begin(title, text, exercise) {
      const wanted = nameOf(title);
      let id = wanted;
      for (let i = 2; library.find(id) || library.store.getState().removed?.id === id; i++) id = `${wanted}-${i}`;
      library.put({ id, text, changedAt: stamp(), versions: [], ...(exercise !== undefined && { exercise }) });
      return id;
    },
    keep(id, note) {
      library.change(id, (before) => {
        const draft = { ...withCurrentVersion(FORMATS, before, stamp()), changedAt: stamp() };
        const current = currentVersion(FORMATS, draft);
        if (note === '') return draft;
        return { ...draft, versions: draft.versions.map((one) => (one === current ? { ...one, note } : one)) };
      });
      library.flush();
    },
  };
}

/** A title as a name: 'SELL-C-σ' is sell-c, and a title without letters is 'format'. */
function nameOf(title: string): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MODULE_BOUNDS.name)
    .replaceAll(/^-+|-+$/g, '');
  return words === '' ? 'format' : words;
}

/** One per page, made when a person's format is first shown. */
let opened: FormatLibrary | null = null;

/** The formats in this browser, which are being loaded. */
export function formatLibrary(): FormatLibrary {
  if (opened) return opened;
  const kept = browserDraftStore(FORMATS, browserStore('formats'));
  opened = createFormatLibrary(kept, () => new Date());
  window.addEventListener('pagehide', opened.leave);
  void opened.load();
  return opened;
}
