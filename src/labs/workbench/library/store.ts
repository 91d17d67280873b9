import { del, delMany, entries, promisifyRequest, update, type UseStore } from 'idb-keyval';
import { clip } from '../../../core/bounds/check.ts';
import { isRecord } from '../../../core/bounds/shapes.ts';
import { type DraftKind, type DraftOf, merged } from './draft.ts';

/** A stored draft that cannot be read, such as an incomplete one. */
export interface UnreadDraft {
  readonly key: IDBValidKey;
  /** its name, as stored; '' if none */
  readonly name: string;
}

export interface KeptDrafts<Draft> {
  readonly drafts: readonly Draft[];
  readonly unread: readonly UnreadDraft[];
}

/** Stores drafts beyond the visit. Every call may reject: storage can be blocked, full, or gone. */
export interface DraftStore<Draft> {
  load(): Promise<KeptDrafts<Draft>>;
  /** Versions of the same draft from another tab stay. */
  save(draft: Draft): Promise<void>;
  /** Like `save`, for a page that is being left: written at once, and merged when drafts are next loaded. */
  leave(draft: Draft): Promise<void>;
  remove(key: IDBValidKey): Promise<void>;
}

/** The prefix of the key of a draft whose page was left before it was saved. */
const LEFT = 'left:';

/** Drafts in a store of this browser. */
export function browserDraftStore<Text, Draft extends DraftOf<Text>>(
  kind: Pick<DraftKind<Text, Draft>, 'checked' | 'maxVersions'>,
  store: UseStore,
): DraftStore<Draft> {
  const put = async (draft: Draft, withKnown: (known: Draft) => Draft): Promise<void> =>
    update<unknown>(
      draft.id,
      (stored) => {
        const known = kind.checked(draft.id, stored);
        return known === null ? draft : withKnown(known);
      },
      store,
    );
  return {
    async load() {
      for (const [key, value] of await entries<IDBValidKey, unknown>(store)) {
        if (typeof key !== 'string' || !key.startsWith(LEFT)) continue;
        const draft = kind.checked(key.slice(LEFT.length), value);
        if (draft === null) continue;
        // The page may have stayed open after all, and saved it.
        await put(draft, (known) =>
          known.changedAt > draft.changedAt ? merged(kind, draft, known) : merged(kind, known, draft),
        );
        await del(key, store);
      }
      return keptDrafts(kind, await entries<IDBValidKey, unknown>(store));
    },
    save: (draft) => put(draft, (known) => merged(kind, known, draft)),
    leave: async (draft) =>
      store('readwrite', async (drafts) => {
        // Leaving the page aborts a transaction that is not committed, and one that reads first cannot be.
        drafts.put(draft, LEFT + draft.id);
        drafts.transaction.commit();
        return promisifyRequest(drafts.transaction);
      }),
    remove: async (key) => delMany(typeof key === 'string' ? [key, LEFT + key] : [key], store),
  };
}

/** Entries of the store. */
export function keptDrafts<Draft>(
  { checked }: { readonly checked: (key: unknown, value: unknown) => Draft | null },
  all: readonly (readonly [IDBValidKey, unknown])[],
): KeptDrafts<Draft> {
  const drafts: Draft[] = [];
  const unread: UnreadDraft[] = [];
  for (const [key, value] of all) {
    const draft = checked(key, value);
    if (draft !== null) drafts.push(draft);
    else unread.push({ key, name: isRecord(value) && typeof value['name'] === 'string' ? clip(value['name']) : '' });
  }
  return { drafts, unread };
}
