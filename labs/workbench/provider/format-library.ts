// The formats that the user has written, stored in this browser.

import { useStore } from 'zustand';
import { MODULE_BOUNDS } from '../theory/bounds.ts';
import { aCount, conforms, listOf, objectOf, optional, textUpTo } from '../../../src/core/bounds/shapes.ts';
import {
  currentVersion,
  type DraftKind,
  type VersionedDraft,
  type DraftVersion,
  withCurrentVersion,
} from '../library/versioned-draft.ts';
import { createDraftLibrary, type DraftLibrary, type DraftLibraryState } from '../library/draft-library.ts';
import { browserDraftStore, type DraftStore } from '../library/draft-store.ts';
import { browserStore } from '../../../src/state/index.ts';

/** The code of a format, in JavaScript. */
export interface FormatText {
  readonly text: string;
}

interface FormatVersion extends FormatText, DraftVersion {
  /** its test results in a few words: 'all laws, 30 401 B'; a law is, for example, that decode undoes encode */
  readonly note: string;
}

/** A format that the user writes. Its id is its name in an address: letters, digits and hyphens. */
export interface FormatDraft extends VersionedDraft<FormatText> {
  readonly versions: readonly FormatVersion[];
}

/** The formats written in this browser. */
export interface FormatLibrary extends DraftLibrary<FormatText, FormatDraft> {
  /** Adds a format; returns its name, made from the title. `exercise`: id of the exercise that it answers. */
  begin(title: string, text: string, exercise?: string): string;
  /** Like `begin`, but reads first what other tabs have stored: their names, or the answer to the exercise. */
  beginLoaded(title: string, text: string, exercise?: string): Promise<string>;
  /** Saves the current text as a version, unless a version has it. Sets that version's note, unless `note` is ''. */
  keepVersion(name: string, note: string): void;
}

const moduleText = textUpTo(MODULE_BOUNDS.length);
const shortText = textUpTo(100);
const versionShape = objectOf({ number: aCount, at: shortText, text: moduleText, note: shortText });
const draftShape = objectOf({
  id: textUpTo(2 * MODULE_BOUNDS.name),
  text: moduleText,
  changedAt: shortText,
  versions: listOf(versionShape, MODULE_BOUNDS.versions, 'versions'),
  exercise: optional(shortText),
});

/** How draft-library.ts compares and checks formats. */
export const FORMAT_DRAFTS: DraftKind<FormatText, FormatDraft> = {
  plural: 'formats',
  maxVersions: MODULE_BOUNDS.versions,
  textOf: ({ text }) => ({ text }),
  isSame: (a, b) => a.text === b.text,
  originOf: () => null,
  newVersion: { note: '' },
  checked(key, value) {
    if (!conforms(value, draftShape)) return null;
    const draft = value as FormatDraft;
    return draft.id === key && nameOf(draft.id) === draft.id ? draft : null;
  },
};

/** The formats that `storage` has; changes are saved there. */
export function createFormatLibrary(storage: DraftStore<FormatDraft>, now: () => Date): FormatLibrary {
  const library = createDraftLibrary(FORMAT_DRAFTS, storage, now);
  const stamp = (): string => now().toISOString();
  const formats: FormatLibrary = {
    ...library,
    begin(title, text, exercise) {
      const name = nameOf(title);
      let id = name;
      for (let i = 2; library.find(id) || library.store.getState().removed?.id === id; i++) id = `${name}-${i}`;
      library.put({ id, text, changedAt: stamp(), versions: [], ...(exercise !== undefined && { exercise }) });
      return id;
    },
    async beginLoaded(title, text, exercise) {
      await library.load();
      const { drafts } = library.store.getState();
      const answer = drafts.find((draft) => exercise !== undefined && draft.exercise === exercise);
      const id = answer?.id ?? formats.begin(title, text, exercise);
      // Other tabs can read it from now on.
      library.flush();
      return id;
    },
    keepVersion(id, note) {
      library.change(id, (before) => {
        const draft = { ...withCurrentVersion(FORMAT_DRAFTS, before, stamp()), changedAt: stamp() };
        const current = currentVersion(FORMAT_DRAFTS, draft);
        if (note === '') return draft;
        return {
          ...draft,
          versions: draft.versions.map((version) => (version === current ? { ...version, note } : version)),
        };
      });
      library.flush();
    },
  };
  return formats;
}

/** A title as a name: 'SELL-C-σ' is sell-c, and a title without letters is 'format'. */
function nameOf(title: string): string {
  const name = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MODULE_BOUNDS.name)
    .replaceAll(/^-+|-+$/g, '');
  return name === '' ? 'format' : name;
}

/** Created on first use, once for the page. */
let pageLibrary: FormatLibrary | null = null;

/** The formats stored in this browser; the first call starts to load them. */
export function formatLibrary(): FormatLibrary {
  if (pageLibrary) return pageLibrary;
  pageLibrary = createFormatLibrary(browserDraftStore(FORMAT_DRAFTS, browserStore('formats')), () => new Date());
  window.addEventListener('pagehide', pageLibrary.leave);
  void pageLibrary.load();
  return pageLibrary;
}

/** A selection from the formats in this browser; the component renders again only when the selection changes. */
export function useFormats<T>(select: (state: DraftLibraryState<FormatDraft>) => T): T {
  return useStore(formatLibrary().store, select);
}
