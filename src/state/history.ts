import {
  type AppDocument,
  type Catalog,
  type DocumentStore,
  sameRegion,
  sameSource,
  equalChoices,
} from './document.ts';
import { placeState } from './place-address.ts';
import { type DecodedHash, decodeHash, encodeHash } from './url.ts';

// Binds the document to the history of the browser: its address, back and forward.

/** The part of `window` that the history uses. */
export interface HistoryWindow {
  readonly location: { readonly hash: string };
  readonly history: {
    pushState(data: null, unused: '', url: string): void;
    replaceState(data: null, unused: '', url: string): void;
  };
  addEventListener(type: 'popstate', listener: () => void): void;
  removeEventListener(type: 'popstate', listener: () => void): void;
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(timer: number): void;
}

/** Browsers refuse more than about 100 history calls in 30 s, so changes in quick succession are written once. */
const SETTLE_MS = 300;

/**
 * Keeps the address and the document in step: back and forward are undo and redo.
 *
 * The first change of a burst makes a new entry at once, so that "back" right after it undoes it. The rest of the burst
 * (dragging a window), and changes of the step or frame alone, replace that entry once they settle. When the address changes,
 * `restore` restores its document. If it cannot, or the address is of another version, the address returns to the current
 * document.
 */
export function bindHistory(
  store: DocumentStore,
  catalog: Catalog,
  openFiles: () => ReadonlySet<string>,
  restore: (decoded: DecodedHash) => Promise<void>,
  target: HistoryWindow,
) {
  let timer: number | null = null;
  let inBurst = false;
  let restoring = 0;
  /** the address as last written or read here: any other one will be announced by an event, and stays */
  let known = target.location.hash;

  const replace = (doc: AppDocument): void => {
    const { hash } = target.location;
    if (hash !== known) return;
    const next = encodeHash(doc, catalog);
    if (next !== hash) target.history.replaceState(null, '', next);
    known = target.location.hash;
  };
  const write = (): void => {
    if (timer !== null) target.clearTimeout(timer);
    timer = null;
    inBurst = false;
    replace(store.getState());
  };
  const writeLater = (): void => {
    if (timer !== null) target.clearTimeout(timer);
    timer = target.setTimeout(write, SETTLE_MS);
  };

  const onChange = (doc: AppDocument, before: AppDocument): void => {
    if (restoring > 0) return;
    // Changes of place in quick succession get an entry each.
    if ((!inBurst || before.view !== doc.view) && isUndoable(before, doc, catalog)) {
      // The pending change belongs to the entry that is being left.
      if (timer !== null) {
        target.clearTimeout(timer);
        replace(before);
      }
      target.history.pushState(null, '', encodeHash(doc, catalog));
      known = target.location.hash;
      inBurst = true;
    }
    writeLater();
  };

  const onPopState = (): void => {
    if (timer !== null) target.clearTimeout(timer);
    timer = null;
    inBurst = false;
    restoring++;
    known = target.location.hash;
    const settled = (): void => {
      restoring--;
      if (restoring === 0) write();
    };
    restore(decodeHash(target.location.hash, catalog, openFiles())).then(settled, settled);
  };

  const unsubscribe = store.subscribe(onChange);
  target.addEventListener('popstate', onPopState);
  return {
    dispose() {
      unsubscribe();
      target.removeEventListener('popstate', onPopState);
      if (timer !== null) write();
    },
  };
}

/** Not undo steps: a change of step or frame alone, what a place's `isEntry` ignores, and the first window. */
function isUndoable(before: AppDocument, after: AppDocument, { places }: Catalog): boolean {
  const filledIn = before.window === null && after.window !== null;
  const same = filledIn ? { ...before, window: after.window } : before;
  return !(
    same.view === after.view &&
    !places.some(({ address }) => address?.isEntry(placeState(same, address), placeState(after, address))) &&
    sameSource(same.source, after.source) &&
    same.format === after.format &&
    same.on === after.on &&
    same.params === after.params &&
    equalChoices(same.against, after.against) &&
    same.beside === after.beside &&
    same.tokens === after.tokens &&
    sameRegion(same.window, after.window) &&
    same.edited === after.edited
  );
}
