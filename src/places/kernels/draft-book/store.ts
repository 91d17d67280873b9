import { createStore, del, entries, update, type UseStore } from 'idb-keyval';
import { clip } from '../../../core/bounds/check.ts';
import { isRecord } from '../../../state/checks.ts';
import { checkedDraft } from './check.ts';
import { type Draft, merged } from './draft.ts';
import type { DraftResult } from './result.ts';

/** Something that lies among the drafts and cannot be read as one: written by another release, say, or not whole. */
export interface UnreadDraft {
  readonly key: IDBValidKey;
  /** what it calls itself; '' where it does not */
  readonly name: string;
}

export interface KeptDrafts {
  readonly drafts: readonly Draft<DraftResult>[];
  readonly unread: readonly UnreadDraft[];
}

/** Where drafts outlive the page. Everything may reject: storage can be blocked, full, or gone. */
export interface DraftStore {
  load(): Promise<KeptDrafts>;
  /** Another tab's versions of the same draft stay. */
  save(draft: Draft<DraftResult>): Promise<void>;
  remove(key: IDBValidKey): Promise<void>;
}

/** In this browser's IndexedDB. */
export function browserDraftStore(): DraftStore {
  let store: UseStore | null = null;
  // Made when it is first used: where there is no IndexedDB, already that throws.
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

/** What the entries of the store hold. */
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
