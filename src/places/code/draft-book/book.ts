import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DraftRequest } from '../service/drafts/draft-types.ts';
import { sentenceOf } from '../../../state/session/session-context.ts';
import type { Session } from '../../../state/session/session.ts';
import {
  type Draft as AnyDraft,
  type DraftText,
  frozen,
  numberOf,
  type PortableDraft,
  restored,
  sameText,
  withEntry,
} from './draft.ts';
import type { TryDraft } from './draft-runs.ts';
import { draftName } from './file.ts';
import { type DraftResult, emptyResult, withEvent } from './result.ts';
import type { DraftStore, UnreadDraft } from './store.ts';

export type Draft = AnyDraft<DraftResult>;

/** A version that is being run. */
interface VersionRun {
  readonly draft: string;
  readonly version: number;
  readonly cancel: () => void;
}

export interface DraftBookState {
  /** drafts of earlier visits have been read */
  readonly loaded: boolean;
  /** most recently changed first */
  readonly drafts: readonly Draft[];
  /** stored drafts that cannot be read; they stay until somebody removes them */
  readonly unread: readonly UnreadDraft[];
  /** why this browser cannot keep drafts, in one sentence; null if it can */
  readonly refusal: string | null;
  readonly running: VersionRun | null;
  /** the last deleted draft, which can be restored until the page is closed */
  readonly removed: Draft | null;
}

/** All drafts in this browser, and the current run. Nothing throws: a failure becomes a sentence in `store`. */
export interface DraftBook {
  readonly store: StoreApi<DraftBookState>;
  /** Reads the drafts of earlier visits. Once. */
  load(): Promise<void>;
  /** A new, unchanged draft of a kernel; returns its id. */
  begin(of: Pick<Draft, 'kernel' | 'name' | 'params'>): string;
  /** The draft that answers an exercise, beginning with `start`. Kept once it is changed or run. Returns its id. */
  answer(of: Pick<Draft, 'kernel' | 'name' | 'params'> & Required<Pick<Draft, 'start' | 'exercise'>>): string;
  /** A draft by somebody else. Kept only once it is changed, renamed or run. Returns its id. */
  adopt(draft: PortableDraft, from: 'link' | 'file'): string;
  /** Sets the text of a file; null for the original. */
  write(id: string, path: string, code: string | null): void;
  /** Sets an override; null for the kernel's own value. */
  setOverride(id: string, name: string, value: number | null): void;
  /** Back to a version, or to the original (null); unsaved text becomes a version first. */
  restore(id: string, version: number | null): void;
  /** Replaces the text; unsaved text becomes a version first. */
  replace(id: string, text: DraftText): void;
  rename(id: string, name: string): void;
  /** A copy under another name, with its history; returns its id. */
  duplicate(id: string): string | null;
  remove(id: string): void;
  /** Restores the last deleted draft. */
  bringBack(): void;
  /** Removes an unreadable draft for good. */
  removeUnread(key: UnreadDraft['key']): void;
  /** Runs the draft's text, which thereby becomes a version. */
  run(id: string, what: Pick<DraftRequest, 'sizes' | 'time'> & { readonly on: string }): Promise<void>;
  /** Stops the run; results so far stay. */
  cancel(): void;
  /** Writes pending changes at once: the page is being left. */
  leave(): void;
}

export interface DraftBookDependencies {
  readonly session: Pick<Session, 'store' | 'isBusy'>;
  readonly tryDraft: TryDraft;
  readonly kept: DraftStore;
  /** unique, also across tabs */
  readonly newId: () => string;
  readonly now: () => Date;
}

/** A draft is saved after this long without typing. */
const SETTLE_MS = 400;

export function createDraftBook({ session, tryDraft, kept, newId, now }: DraftBookDependencies): DraftBook {
  const store = createStore<DraftBookState>(() => ({
    loaded: false,
    drafts: [],
    unread: [],
    refusal: null,
    running: null,
    removed: null,
  }));
  const find = (id: string): Draft | undefined => store.getState().drafts.find((draft) => draft.id === id);
  const stamp = (): string => now().toISOString();

  let last: Promise<void> = Promise.resolve();

  const unwritten = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refuse = (error: unknown): void => {
    const why = sentenceOf(error).replace(/\.$/, '');
    store.setState({ refusal: `This browser cannot keep drafts (${why}): save them as files before you leave.` });
  };
  const saveAll = (save: DraftStore['save']): void => {
    clearTimeout(timer);
    for (const id of unwritten) {
      const draft = find(id);
      if (draft) save(draft).then(() => store.setState({ refusal: null }), refuse);
    }
    unwritten.clear();
  };
  const keep = (id: string): void => {
    unwritten.add(id);
    clearTimeout(timer);
    timer = setTimeout(() => saveAll(kept.save), SETTLE_MS);
  };
  /** Moves a changed draft to the front, and saves it. */
  const put = (draft: Draft): void => {
    store.setState(({ drafts }) => ({ drafts: [draft, ...drafts.filter(({ id }) => id !== draft.id)] }));
    keep(draft.id);
  };
  /** Changes a draft without moving it. */
  const change = (id: string, how: (draft: Draft) => Draft): void => {
    store.setState(({ drafts }) => ({ drafts: drafts.map((draft) => (draft.id === id ? how(draft) : draft)) }));
    keep(id);
  };
  const write = (id: string, how: (draft: Draft) => DraftText): void =>
    change(id, (draft) => ({ ...draft, ...how(draft), changedAt: stamp() }));
  const setResult = (id: string, version: number, how: (result: DraftResult | null) => DraftResult): void =>
    change(id, (draft) => ({
      ...draft,
      versions: draft.versions.map((one) => (one.number === version ? { ...one, result: how(one.result) } : one)),
    }));
  const added = (of: PortableDraft, from: Draft['from']): Draft => ({
    ...of,
    id: newId(),
    from,
    changedAt: stamp(),
    versions: [],
  });

  const book: DraftBook = {
    store,
    async load() {
      try {
        const { drafts: found, unread } = await kept.load();
        const here = new Set(store.getState().drafts.map(({ id }) => id));
        store.setState((state) => ({
          drafts: [...state.drafts, ...found.filter(({ id }) => !here.has(id)).toSorted(laterFirst)],
          unread,
        }));
      } catch (error) {
        refuse(error);
      }
      store.setState({ loaded: true });
    },
    begin(of) {
      const draft = added({ ...of, files: {}, overrides: {} }, 'here');
      put(draft);
      return draft.id;
    },
    answer(of) {
      const known = store.getState().drafts.find(({ exercise }) => exercise === of.exercise);
      if (known) return known.id;
      const draft: Draft = { ...added({ ...of, files: of.start, overrides: {} }, 'here') };
      store.setState((state) => ({ drafts: [...state.drafts, draft] }));
      return draft.id;
    },
    adopt(of, from) {
      const same = store
        .getState()
        .drafts.find((draft) => draft.kernel === of.kernel && draft.name === of.name && sameText(draft, of));
      if (same) return same.id;
      const draft = added(of, from);
      store.setState((state) => ({ drafts: [draft, ...state.drafts] }));
      return draft.id;
    },
    write: (id, path, code) =>
      write(id, ({ files, overrides }) => ({ files: withEntry(files, path, code), overrides })),
    setOverride: (id, name, value) =>
      write(id, ({ files, overrides }) => ({ files, overrides: withEntry(overrides, name, value) })),
    restore: (id, version) => change(id, (draft) => ({ ...restored(draft, version, stamp()), changedAt: stamp() })),
    replace: (id, { files, overrides }) =>
      change(id, (draft) => ({ ...restored(draft, null, stamp()), files, overrides, changedAt: stamp() })),
    rename: (id, name) => change(id, (draft) => ({ ...draft, name: draftName(name) || draft.name })),
    duplicate(id) {
      const draft = find(id);
      if (!draft) return null;
      const copy: Draft = { ...draft, id: newId(), name: draftName(`${draft.name} (copy)`), changedAt: stamp() };
      put(copy);
      return copy.id;
    },
    remove(id) {
      const draft = find(id);
      if (store.getState().running?.draft === id) book.cancel();
      store.setState((state) => ({ drafts: state.drafts.filter((one) => one.id !== id), removed: draft ?? null }));
      unwritten.delete(id);
      kept.remove(id).catch(refuse);
    },
    bringBack() {
      const { removed } = store.getState();
      if (removed) put(removed);
      store.setState({ removed: null });
    },
    removeUnread(key) {
      store.setState(({ unread }) => ({ unread: unread.filter((one) => one.key !== key) }));
      kept.remove(key).catch(refuse);
    },
    async run(id, { sizes, time, on }) {
      if (session.isBusy('run a draft')) return;
      book.cancel();
      // Its last events belong to its own version, which may be this one.
      await last;
      const found = find(id);
      if (!found) return;
      // Whoever runs a draft has seen it: from now on it is theirs.
      const draft: Draft = { ...frozen(found, stamp()), from: 'here', changedAt: stamp() };
      put(draft);
      const version = numberOf(draft);
      const { device } = session.store.getState();
      const start = emptyResult(on, device?.kind === 'ready' ? device.environment.adapter : null);
      setResult(id, version, () => start);
      const { kernel, params, files, overrides, name } = draft;
      const mark = { name, version };
      const { done, cancel } = tryDraft({ kernel, params, files, overrides, mark, sizes, time }, (event) => {
        setResult(id, version, (result) => withEvent(result ?? start, event));
      });
      const running: VersionRun = { draft: id, version, cancel };
      store.setState({ running });
      last = done;
      await done;
      if (store.getState().running === running) store.setState({ running: null });
    },
    cancel() {
      store.getState().running?.cancel();
    },
    leave: () => saveAll(kept.leave),
  };
  return book;
}

function laterFirst(a: Draft, b: Draft): number {
  return a.changedAt < b.changedAt ? 1 : -1;
}
