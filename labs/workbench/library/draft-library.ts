// The drafts of this browser as the state of the page, which saves every change.

import { createStore, type StoreApi } from 'zustand/vanilla';
import { notSavedText } from '../../../src/state/index.ts';
import { type DraftKind, type VersionedDraft, withText } from './versioned-draft.ts';
import type { DraftStore, UnreadableDraft } from './draft-store.ts';

/** The drafts (kernels or formats that the user writes) in this browser, as the page shows them. */
export interface DraftLibraryState<Draft> {
  /** drafts of earlier visits have been read */
  readonly loaded: boolean;
  /** most recently changed first */
  readonly drafts: readonly Draft[];
  /** stored drafts that cannot be read; they stay until the user removes them */
  readonly unreadable: readonly UnreadableDraft[];
  /** why this browser cannot store them, as one message; null if it can */
  readonly rejection: string | null;
  /** the last deleted draft, which can be restored until the page is closed */
  readonly removed: Draft | null;
}

/** All drafts of one kind, such as kernels. Nothing throws: a failure becomes a message in `store`. */
export interface DraftLibrary<Text, Draft> {
  readonly store: StoreApi<DraftLibraryState<Draft>>;
  /** Reads the drafts of earlier visits. */
  load(): Promise<void>;
  find(id: string): Draft | undefined;
  /** Puts a new or existing draft first. */
  put(draft: Draft): void;
  /** Changes a draft's properties, and saves it. */
  change(id: string, edit: (draft: Draft) => Draft): void;
  /** Sets the text, or some of its fields. */
  write(id: string, text: Partial<Text>): void;
  /** Replaces the text. The previous one becomes a version, unless it is one or the original. */
  replace(id: string, text: Text): void;
  /** Replaces the text by a version's text, or by the original (null). */
  restore(id: string, version: number | null): void;
  remove(id: string): void;
  /** Restores the last deleted draft. */
  undoRemove(): void;
  /** Removes an unreadable draft for good. */
  removeUnreadable(key: UnreadableDraft['key']): void;
  /** Writes pending changes at once. */
  flush(): void;
  /** Writes pending changes when the page is being closed. */
  leave(): void;
}

/** A draft is saved after this time without a change, ms. */
const SAVE_DELAY_MS = 400;

/** Creates a library whose drafts `storage` keeps beyond the visit. */
export function createDraftLibrary<Text, Draft extends VersionedDraft<Text>>(
  kind: DraftKind<Text, Draft>,
  storage: DraftStore<Draft>,
  now: () => Date,
): DraftLibrary<Text, Draft> {
  const store = createStore<DraftLibraryState<Draft>>(() => ({
    loaded: false,
    drafts: [],
    unreadable: [],
    rejection: null,
    removed: null,
  }));
  const find = (id: string): Draft | undefined => store.getState().drafts.find((draft) => draft.id === id);
  const stamp = (): string => now().toISOString();
  /** Ids of drafts with unsaved changes, and of those being saved, since closing the page interrupts the saving. */
  const unwritten = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const reportNotSaved = (error: unknown): void => {
    store.setState({ rejection: notSavedText(kind.plural, error) });
  };
  const saveAll = (save: DraftStore<Draft>['save']): void => {
    clearTimeout(timer);
    for (const id of unwritten) {
      const draft = find(id);
      if (!draft) continue;
      save(draft).then(() => {
        if (find(id) === draft) unwritten.delete(id);
        store.setState({ rejection: null });
      }, reportNotSaved);
    }
  };
  const scheduleSave = (id: string): void => {
    unwritten.add(id);
    clearTimeout(timer);
    timer = setTimeout(() => saveAll(storage.save), SAVE_DELAY_MS);
  };
  const library: DraftLibrary<Text, Draft> = {
    store,
    find,
    async load() {
      try {
        const { drafts: stored, unreadable } = await storage.load();
        store.setState(({ drafts }) => {
          const knownIds = new Set(drafts.map(({ id }) => id));
          const added = stored.filter(({ id }) => !knownIds.has(id));
          return { drafts: [...drafts, ...added.toSorted(newestFirst)], unreadable };
        });
      } catch (error) {
        reportNotSaved(error);
      }
      store.setState({ loaded: true });
    },
    put(draft) {
      store.setState(({ drafts }) => ({ drafts: [draft, ...drafts.filter(({ id }) => id !== draft.id)] }));
      scheduleSave(draft.id);
    },
    change(id, edit) {
      store.setState(({ drafts }) => ({ drafts: drafts.map((draft) => (draft.id === id ? edit(draft) : draft)) }));
      scheduleSave(id);
    },
    write: (id, text) => library.change(id, (draft) => ({ ...draft, ...text, changedAt: stamp() })),
    replace: (id, text) =>
      library.change(id, (draft) => ({ ...withText(kind, draft, text, stamp()), changedAt: stamp() })),
    restore(id, number) {
      const draft = find(id);
      if (!draft) return;
      const text = number === null ? kind.originOf(draft) : draft.versions.find((version) => version.number === number);
      if (text) library.replace(id, text);
    },
    remove(id) {
      const removed = find(id) ?? null;
      store.setState(({ drafts }) => ({ drafts: drafts.filter((draft) => draft.id !== id), removed }));
      unwritten.delete(id);
      storage.remove(id).catch(reportNotSaved);
    },
    undoRemove() {
      const { removed } = store.getState();
      if (removed) library.put(removed);
      store.setState({ removed: null });
    },
    removeUnreadable(key) {
      store.setState(({ unreadable }) => ({ unreadable: unreadable.filter((draft) => draft.key !== key) }));
      storage.remove(key).catch(reportNotSaved);
    },
    flush: () => saveAll(storage.save),
    leave: () => saveAll(storage.leave),
  };
  return library;
}

function newestFirst(a: { readonly changedAt: string }, b: { readonly changedAt: string }): number {
  return a.changedAt < b.changedAt ? 1 : -1;
}
