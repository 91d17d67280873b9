import type { DraftStore, StoredDrafts } from '../library/draft-store.ts';

/** A store of drafts that lasts as long as a test. */
export interface MemoryDrafts<Draft> extends DraftStore<Draft> {
  readonly saved: Map<IDBValidKey, Draft>;
}

/** `read`: what loading makes of the entries; default: each is a draft. */
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
