import { createStore, del, entries, update, type UseStore } from 'idb-keyval';
import { type Draft, merged } from './draft.ts';

/** Where drafts outlive the page. Everything may reject: storage can be blocked, full, or gone. */
export interface DraftStore<Result> {
  load(): Promise<readonly Draft<Result>[]>;
  /** Another tab's versions of the same draft stay. Answers what is kept. */
  save(draft: Draft<Result>): Promise<void>;
  remove(id: string): Promise<void>;
}

/** In this browser's IndexedDB. */
export function browserDraftStore<Result>(): DraftStore<Result> {
  let store: UseStore | null = null;
  // Made when it is first used: where there is no IndexedDB, already that throws.
  const opened = (): UseStore => (store ??= createStore('sparsescope-drafts', 'drafts'));
  return {
    async load() {
      const all = await entries<string, unknown>(opened());
      return all.map(([, value]) => value).filter((value): value is Draft<Result> => isDraft(value));
    },
    save: async (draft) =>
      update<unknown>(draft.id, (stored) => (isDraft(stored) ? merged<unknown>(stored, draft) : draft), opened()),
    remove: async (id) => del(id, opened()),
  };
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, kernel, params, files, overrides, versions } = value as Partial<Record<keyof Draft, unknown>>;
  const isRecord = (one: unknown): boolean => typeof one === 'object' && one !== null;
  return (
    typeof id === 'string' &&
    typeof name === 'string' &&
    typeof kernel === 'string' &&
    [params, files, overrides].every(isRecord) &&
    Array.isArray(versions)
  );
}
