// Stores drafts in this browser's IndexedDB, and reads them, possibly as an older version of the page wrote them.

import { del, delMany, entries, promisifyRequest, update, type UseStore } from 'idb-keyval';
import { clip } from '../../../src/core/bounds/quote.ts';
import { isRecord } from '../../../src/core/bounds/shapes.ts';
import { type DraftKind, type VersionedDraft, mergedDraft } from './versioned-draft.ts';

/** A stored draft that cannot be read, such as an incomplete one. */
export interface UnreadableDraft {
  readonly key: IDBValidKey;
  /** its name, as stored; '' if none */
  readonly name: string;
}

/** The contents of a store. */
export interface StoredDrafts<Draft> {
  readonly drafts: readonly Draft[];
  readonly unreadable: readonly UnreadableDraft[];
}

/**
 * Stores drafts (kernels or formats that the user writes, with their versions) beyond the visit. Every call may reject:
 * storage can be blocked, full, or gone.
 */
export interface DraftStore<Draft> {
  load(): Promise<StoredDrafts<Draft>>;
  /** Saves a draft; its versions from another tab stay. */
  save(draft: Draft): Promise<void>;
  /** Like `save`, when the page is being closed: written at once, and merged when drafts are next loaded. */
  leave(draft: Draft): Promise<void>;
  remove(key: IDBValidKey): Promise<void>;
}

/** The prefix of the key of a draft whose page was left before it was saved. */
const UNSAVED_PREFIX = 'left:';

/** A store of drafts in this browser's IndexedDB; `kind` checks the values that are read. */
export function browserDraftStore<Text, Draft extends VersionedDraft<Text>>(
  kind: Pick<DraftKind<Text, Draft>, 'checked' | 'maxVersions'>,
  store: UseStore,
): DraftStore<Draft> {
  const checked = (key: unknown, value: unknown): Draft | null => checkedOrNull(kind, key, value);
  const put = async (draft: Draft, merge: (known: Draft) => Draft): Promise<void> =>
    update<unknown>(
      draft.id,
      (stored) => {
        const storedDraft = checked(draft.id, stored);
        return storedDraft === null ? draft : merge(storedDraft);
      },
      store,
    );
  return {
    async load() {
      for (const [key, value] of await entries<IDBValidKey, unknown>(store)) {
        if (typeof key !== 'string' || !key.startsWith(UNSAVED_PREFIX)) continue;
        const draft = checked(key.slice(UNSAVED_PREFIX.length), value);
        if (draft === null) continue;
        // A page that stayed open after all may have saved the draft again.
        await put(draft, (storedDraft) =>
          storedDraft.changedAt > draft.changedAt
            ? mergedDraft(kind, draft, storedDraft)
            : mergedDraft(kind, storedDraft, draft),
        );
        await del(key, store);
      }
      return storedDrafts(kind, await entries<IDBValidKey, unknown>(store));
    },
    save: (draft) => put(draft, (storedDraft) => mergedDraft(kind, storedDraft, draft)),
    leave: async (draft) =>
      store('readwrite', async (drafts) => {
        // Leaving the page aborts uncommitted transactions; a transaction that reads first cannot be committed in time.
        drafts.put(draft, UNSAVED_PREFIX + draft.id);
        drafts.transaction.commit();
        return promisifyRequest(drafts.transaction);
      }),
    remove: async (key) => delMany(typeof key === 'string' ? [key, UNSAVED_PREFIX + key] : [key], store),
  };
}

/** A draft as `kind` checks it; null too where the check itself fails, so that one value hides no others. */
function checkedOrNull<Draft>(
  kind: { readonly checked: (key: unknown, value: unknown) => Draft | null },
  key: unknown,
  value: unknown,
): Draft | null {
  try {
    return kind.checked(key, value);
  } catch {
    return null;
  }
}

/** The drafts among the entries of a store, and those that cannot be read. */
export function storedDrafts<Draft>(
  kind: { readonly checked: (key: unknown, value: unknown) => Draft | null },
  all: readonly (readonly [IDBValidKey, unknown])[],
): StoredDrafts<Draft> {
  const drafts: Draft[] = [];
  const unreadable: UnreadableDraft[] = [];
  for (const [key, value] of all) {
    const draft = checkedOrNull(kind, key, value);
    if (draft !== null) drafts.push(draft);
    else
      unreadable.push({ key, name: isRecord(value) && typeof value['name'] === 'string' ? clip(value['name']) : '' });
  }
  return { drafts, unreadable };
}
