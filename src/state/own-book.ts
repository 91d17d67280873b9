import { createStore as createIdbStore, del, entries, promisifyRequest, type UseStore } from 'idb-keyval';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { MODULE_BOUNDS } from '../core/bounds/bounds.ts';
import { hasAll, isCount, isListOf, isMaybe, isTextUpTo } from './checks.ts';

/** A text that was kept. */
interface OwnVersion {
  /** from 1 */
  readonly number: number;
  /** ISO 8601 */
  readonly at: string;
  readonly text: string;
  /** what was known of it, in a few words: 'all laws, 30 401 bytes' */
  readonly note: string;
}

/** A format of one's own with its versions. Its text is the working copy, which may not be a version yet. */
export interface OwnDraft {
  /** letters, digits and hyphens: its name in an address */
  readonly name: string;
  readonly text: string;
  /** ISO 8601 */
  readonly changedAt: string;
  /** ascending */
  readonly versions: readonly OwnVersion[];
  /** the exercise that it answers */
  readonly exercise?: string;
}

export interface OwnBookState {
  /** drafts of earlier visits have been read */
  readonly loaded: boolean;
  /** most recently changed first */
  readonly drafts: readonly OwnDraft[];
  /** why this browser cannot keep them, in one sentence; null if it can */
  readonly refusal: string | null;
  /** the last deleted one, which can be restored until the page is closed */
  readonly removed: OwnDraft | null;
}

/** Keeps drafts beyond the visit. Everything may reject: storage can be blocked, full, or gone. */
export interface OwnStore {
  load(): Promise<readonly (readonly [IDBValidKey, unknown])[]>;
  save(draft: OwnDraft): Promise<void>;
  remove(name: string): Promise<void>;
}

/** In this browser's IndexedDB. */
export function browserOwnStore(): OwnStore {
  let store: UseStore | null = null;
  // Opened on first use: without IndexedDB, even that throws.
  const opened = (): UseStore => (store ??= createIdbStore('sparsescope-own-formats', 'formats'));
  return {
    load: async () => entries<IDBValidKey, unknown>(opened()),
    save: async (draft) =>
      opened()('readwrite', async (drafts) => {
        drafts.put(draft, draft.name);
        // Leaving the page aborts a transaction that is not committed.
        drafts.transaction.commit();
        return promisifyRequest(drafts.transaction);
      }),
    remove: async (name) => del(name, opened()),
  };
}

/** All formats of one's own in this browser. Nothing throws: a failure becomes a sentence in `store`. */
export interface OwnBook {
  readonly store: StoreApi<OwnBookState>;
  /** Reads the drafts of earlier visits. Once. */
  load(): Promise<void>;
  /** A new draft, under its title or another name that is free; returns the name. */
  begin(title: string, text: string, exercise?: string): string;
  write(name: string, text: string): void;
  /** Saves the text as a version right away. A version with the same text only takes the note, unless that is ''. */
  keep(name: string, note: string): void;
  /** Back to a version; a text that is none becomes one first. */
  restore(name: string, version: number): void;
  /** Another text; the one that was there becomes a version first. */
  replace(name: string, text: string): void;
  remove(name: string): void;
  /** Restores the last deleted draft. */
  bringBack(): void;
  /** Writes pending changes at once. */
  flush(): void;
}

/** A draft is saved after this long without typing. */
const SETTLE_MS = 400;

export function createOwnBook(kept: OwnStore, now: () => Date): OwnBook {
  const store = createStore<OwnBookState>(() => ({ loaded: false, drafts: [], refusal: null, removed: null }));
  const find = (name: string): OwnDraft | undefined => store.getState().drafts.find((one) => one.name === name);
  const unwritten = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refuse = (error: unknown): void => {
    const why = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
    store.setState({ refusal: `This browser cannot keep formats (${why}): save them as files before you leave.` });
  };
  const flush = (): void => {
    clearTimeout(timer);
    for (const name of unwritten) {
      const draft = find(name);
      if (draft) kept.save(draft).then(() => store.setState({ refusal: null }), refuse);
    }
    unwritten.clear();
  };
  const change = (name: string, how: (draft: OwnDraft) => OwnDraft): void => {
    store.setState(({ drafts }) => ({
      drafts: drafts.map((one) => (one.name === name ? { ...how(one), changedAt: now().toISOString() } : one)),
    }));
    unwritten.add(name);
    clearTimeout(timer);
    timer = setTimeout(flush, SETTLE_MS);
  };
  const add = (draft: OwnDraft): void => {
    store.setState(({ drafts }) => ({ drafts: [draft, ...drafts.filter(({ name }) => name !== draft.name)] }));
    change(draft.name, (same) => same);
  };
  return {
    store,
    async load() {
      try {
        const found = (await kept.load()).flatMap(([key, value]) => checkedDraft(key, value) ?? []);
        const here = new Set(store.getState().drafts.map(({ name }) => name));
        store.setState(({ drafts }) => ({
          drafts: [...drafts, ...found.filter(({ name }) => !here.has(name)).toSorted(laterFirst)],
        }));
      } catch (error) {
        refuse(error);
      }
      store.setState({ loaded: true });
    },
    begin(title, text, exercise) {
      const wanted = ownName(title);
      let name = wanted;
      for (let i = 2; find(name) || store.getState().removed?.name === name; i++) name = `${wanted}-${i}`;
      add({ name, text, changedAt: '', versions: [], ...(exercise !== undefined && { exercise }) });
      return name;
    },
    write: (name, text) => change(name, (draft) => ({ ...draft, text })),
    keep(name, note) {
      change(name, (draft) => withVersion(draft, note, now()));
      flush();
    },
    restore(name, version) {
      const text = find(name)?.versions.find(({ number }) => number === version)?.text;
      if (text !== undefined) change(name, (draft) => ({ ...withVersion(draft, '', now()), text }));
    },
    replace: (name, text) => change(name, (draft) => ({ ...withVersion(draft, '', now()), text })),
    remove(name) {
      const removed = find(name) ?? null;
      store.setState(({ drafts }) => ({ drafts: drafts.filter((one) => one.name !== name), removed }));
      unwritten.delete(name);
      kept.remove(name).catch(refuse);
    },
    bringBack() {
      const { removed } = store.getState();
      store.setState({ removed: null });
      if (removed) add(removed);
    },
    flush,
  };
}

/** A title as a name: 'SELL-C-σ' is sell-c, and what has no letters is 'format'. */
function ownName(title: string): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MODULE_BOUNDS.name)
    .replaceAll(/^-+|-+$/g, '');
  return words === '' ? 'format' : words;
}

function withVersion(draft: OwnDraft, note: string, at: Date): OwnDraft {
  const { text, versions } = draft;
  if (versions.some((version) => version.text === text)) {
    return note === ''
      ? draft
      : { ...draft, versions: versions.map((one) => (one.text === text ? { ...one, note } : one)) };
  }
  const number = (versions.at(-1)?.number ?? 0) + 1;
  const all = [...versions, { number, at: at.toISOString(), text, note }];
  return { ...draft, versions: all.slice(-MODULE_BOUNDS.versions) };
}

function laterFirst(a: OwnDraft, b: OwnDraft): number {
  return a.changedAt < b.changedAt ? 1 : -1;
}

const isModule = isTextUpTo(MODULE_BOUNDS.length);
const isWord = isTextUpTo(100);
const isVersion = hasAll({ number: isCount, at: isWord, text: isModule, note: isWord });
const isDraft = hasAll({
  name: isTextUpTo(2 * MODULE_BOUNDS.name),
  text: isModule,
  changedAt: isWord,
  versions: isListOf(isVersion, { least: 0, most: MODULE_BOUNDS.versions }),
  exercise: isMaybe(isWord),
});

/** The draft that is stored under a key; null if it is none. */
function checkedDraft(key: unknown, value: unknown): OwnDraft | null {
  if (!isDraft(value)) return null;
  const draft = value as OwnDraft;
  return draft.name === key && ownName(draft.name) === draft.name ? draft : null;
}
