import {
  type AppDocument,
  type Catalog,
  type DocumentStore,
  sameRegion,
  sameSource,
  equalChoices,
} from './document.ts';
import { pageState } from './page-address.ts';
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

/** Browsers reject more than about 100 history calls in 30 s, so changes in quick succession are written once. */
const SETTLE_MS = 300;

/**
 * Keeps the address and the document in step: back and forward are undo and redo.
 *
 * The first of several quick changes adds an entry at once, so that "back" can undo the change right away. The others
 * (while a window is dragged), and changes of the step or frame alone, replace that entry once no more changes follow.
 * When the user changes the address, `restore` opens its document; if that fails, the address of the current document
 * returns.
 */
export function bindHistory(
  store: DocumentStore,
  catalog: Catalog,
  openFiles: () => ReadonlySet<string>,
  restore: (decoded: DecodedHash) => Promise<void>,
  target: HistoryWindow,
) {
  let timer: number | null = null;
  /** whether the newest entry is still being replaced */
  let inBurst = false;
  /** number of restored documents that are still being opened; meanwhile no entry is written */
  let restoring = 0;
  /** the address as last written or read here; if it differs, the user just entered another: `popstate` follows */
  let lastHash = target.location.hash;

  /** Replaces the newest entry by the address of a document. */
  const replace = (doc: AppDocument): void => {
    const { hash } = target.location;
    if (hash !== lastHash) return;
    const next = encodeHash(doc, catalog);
    if (next !== hash) target.history.replaceState(null, '', next);
    lastHash = target.location.hash;
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
    // Each change of page (`view`) gets an entry, however quick.
    if ((!inBurst || before.view !== doc.view) && isUndoable(before, doc, catalog)) {
      // The change that waits for the timer belongs to the previous entry.
      if (timer !== null) {
        target.clearTimeout(timer);
        replace(before);
      }
      target.history.pushState(null, '', encodeHash(doc, catalog));
      lastHash = target.location.hash;
      inBurst = true;
    }
    writeLater();
  };

  const onPopState = (): void => {
    if (timer !== null) target.clearTimeout(timer);
    timer = null;
    inBurst = false;
    restoring++;
    lastHash = target.location.hash;
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

/** Whether a change gets an entry: not of the step or frame alone, the first window, or what `isEntry` ignores. */
function isUndoable(before: AppDocument, after: AppDocument, { pages }: Catalog): boolean {
  const isFirstWindow = before.window === null && after.window !== null;
  const same = isFirstWindow ? { ...before, window: after.window } : before;
  return !(
    same.view === after.view &&
    !pages.some(({ address }) => address?.isEntry(pageState(same, address), pageState(after, address))) &&
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
