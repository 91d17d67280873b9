import type { DraftStore, StoredDrafts } from '../library/draft-store.ts';

/** For tests: a store of drafts in memory. */
export interface MemoryDrafts<Draft> extends DraftStore<Draft> {
  readonly saved: Map<IDBValidKey, Draft>;
}

/** Returns an empty store. `read`: checks the entries when they are loaded; default: each entry is a draft. */
export function memoryDrafts<Draft extends { readonly id: string }>(
  read: (entries: readonly (readonly [IDBValidKey, Draft])[]) => StoredDrafts<Draft> = (entries) => ({
    drafts: entries.map(([, draft]) => draft),
    unreadable: [],
  }),
): MemoryDrafts<Draft> {
  const saved = new Map<IDBValidKey, Draft>();
  const save = async (draft: Draft): Promise<void> => void saved.set(draft.id, structuredClone(draft));
  return {
    saved,
    load: async () => read([...saved]),
    save,
    leave: save,
    remove: async (key) => void saved.delete(key),
  };
}
