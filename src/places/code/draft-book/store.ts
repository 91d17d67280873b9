import { createStore, del, delMany, entries, promisifyRequest, update, type UseStore } from 'idb-keyval';
import { clip } from '../../../core/bounds/check.ts';
import { isRecord } from '../../../state/checks.ts';
import { checkedDraft } from './check.ts';
import { type Draft, merged } from './draft.ts';
import type { DraftResult } from './result.ts';

/** A stored draft that cannot be read: written by another release, say, or incomplete. */
export interface UnreadDraft {
  readonly key: IDBValidKey;
  /** the name it gives itself; '' if none */
  readonly name: string;
}

export interface KeptDrafts {
  readonly drafts: readonly Draft<DraftResult>[];
  readonly unread: readonly UnreadDraft[];
}

/** Keeps drafts beyond the visit. Everything may reject: storage can be blocked, full, or gone. */
export interface DraftStore {
  load(): Promise<KeptDrafts>;
  /** Another tab's versions of the same draft stay. */
  save(draft: Draft<DraftResult>): Promise<void>;
  /** Like `save`, for a page that is being left: written at once, and merged when drafts are next loaded. */
  leave(draft: Draft<DraftResult>): Promise<void>;
  remove(key: IDBValidKey): Promise<void>;
}

/** Begins the key of a draft whose page was left before it was saved. */
const LEFT = 'left:';

/** In this browser's IndexedDB. */
export function browserDraftStore(): DraftStore {
  let store: UseStore | null = null;
  // Opened on first use: without IndexedDB, even that throws.
  const opened = (): UseStore => (store ??= createStore('sparsescope-drafts', 'drafts'));
  const put = async (
    draft: Draft<DraftResult>,
    withKnown: (known: Draft<DraftResult>) => Draft<DraftResult>,
  ): Promise<void> =>
    update<unknown>(
      draft.id,
      (stored) => {
        const known = checkedDraft(draft.id, stored);
        return known === null ? draft : withKnown(known);
      },
      opened(),
    );
  return {
    async load() {
      for (const [key, value] of await entries<IDBValidKey, unknown>(opened())) {
        if (typeof key !== 'string' || !key.startsWith(LEFT)) continue;
        const draft = checkedDraft(key.slice(LEFT.length), value);
        if (draft === null) continue;
        // The page may have gone on after all, and saved it.
        await put(draft, (known) => (known.changedAt > draft.changedAt ? merged(draft, known) : merged(known, draft)));
        await del(key, opened());
      }
      return keptDrafts(await entries<IDBValidKey, unknown>(opened()));
    },
    save: (draft) => put(draft, (known) => merged(known, draft)),
    leave: async (draft) =>
      opened()('readwrite', async (drafts) => {
        // Leaving the page aborts a transaction that is not committed, and one that reads first cannot be.
        drafts.put(draft, LEFT + draft.id);
        drafts.transaction.commit();
        return promisifyRequest(drafts.transaction);
      }),
    remove: async (key) => delMany(typeof key === 'string' ? [key, LEFT + key] : [key], opened()),
  };
}

/** Entries of the store. */
export function keptDrafts(all: readonly (readonly [IDBValidKey, unknown])[]): KeptDrafts {
  const drafts: Draft<DraftResult>[] = [];
  const unread: UnreadDraft[] = [];
  for (const [key, value] of all) {
    const draft = checkedDraft(key, value);
    if (draft !== null) drafts.push(draft);
    else unread.push({ key, name: isRecord(value) && typeof value['name'] === 'string' ? clip(value['name']) : '' });
  }
  return { drafts, unread };
}
