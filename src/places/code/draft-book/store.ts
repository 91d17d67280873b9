import { createStore, del, entries, update, type UseStore } from 'idb-keyval';
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
  remove(key: IDBValidKey): Promise<void>;
}

/** In this browser's IndexedDB. */
export function browserDraftStore(): DraftStore {
  let store: UseStore | null = null;
  // Opened on first use: without IndexedDB, even that throws.
  const opened = (): UseStore => (store ??= createStore('sparsescope-drafts', 'drafts'));
  return {
    load: async () => keptDrafts(await entries<IDBValidKey, unknown>(opened())),
    save: async (draft) =>
      update<unknown>(
        draft.id,
        (stored) => {
          const known = checkedDraft(draft.id, stored);
          return known === null ? draft : merged(known, draft);
        },
        opened(),
      ),
    remove: async (key) => del(key, opened()),
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
