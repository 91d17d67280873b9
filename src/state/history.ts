import {
  type AppDocument,
  type Catalog,
  type DocumentStore,
  isCellChange,
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
    /** an `Entry`, or null for an entry that this page did not write */
    readonly state: unknown;
    pushState(data: Entry, unused: '', url: string): void;
    replaceState(data: Entry, unused: '', url: string): void;
    back(): void;
    forward(): void;
  };
  addEventListener(type: 'popstate', listener: () => void): void;
  removeEventListener(type: 'popstate', listener: () => void): void;
  setTimeout(run: () => void, ms: number): number;
  clearTimeout(timer: number): void;
}

/** What this page stores in an entry of the history. */
interface Entry {
  /** number of the entry, from 0 */
  readonly at: number;
  /** whether the entry began with a change of cells */
  readonly isCellChange: boolean;
}

function entryOf(state: unknown): Entry | null {
  const { at, isCellChange: isChange } = Object(state) as Partial<Entry>;
  return typeof at === 'number' && typeof isChange === 'boolean' ? { at, isCellChange: isChange } : null;
}

/** Undo and redo of changes of cells, which are entries of the browser's history. */
export interface CellHistory {
  /** Goes back if the last change was one of cells; returns whether it was. */
  undo(): boolean;
  /** Goes forward if that repeats a change of cells; returns whether it does. */
  redo(): boolean;
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
): CellHistory & { dispose(): void } {
  let timer: number | null = null;
  /** whether the newest entry is still being replaced */
  let inBurst = false;
  /** number of restored documents that are still being opened; meanwhile no entry is written */
  let restoring = 0;
  /** the address as last written or read here; if it differs, the user just entered another: `popstate` follows */
  let lastHash = target.location.hash;
  /** by number of entry, for entries of this visit: whether it began with a change of cells */
  const changes: boolean[] = [];

  /** The current entry. One that this page did not write, since the user entered its address, becomes number `at`. */
  const currentEntry = (at: number): Entry => {
    const known = entryOf(target.history.state);
    if (known) return known;
    const entered = { at, isCellChange: false };
    // Stored at once: it has to be the same entry when the user comes back to it.
    target.history.replaceState(entered, '', target.location.hash);
    // The browser has dropped the entries that followed.
    changes.length = at;
    return entered;
  };
  let entry = currentEntry(0);

  /** Replaces the newest entry by the address of a document. */
  const replace = (doc: AppDocument): void => {
    const { hash } = target.location;
    if (hash !== lastHash) return;
    const next = encodeHash(doc, catalog);
    if (next !== hash) target.history.replaceState(entry, '', next);
    lastHash = target.location.hash;
  };
  const write = (): void => {
    if (timer !== null) target.clearTimeout(timer);
    timer = null;
    inBurst = false;
    replace(store.getState());
  };
  /** Writes a pending change; not while a document is restored, whose address would be replaced by the one before. */
  const writeNow = (): void => {
    if (restoring === 0) write();
  };
  const writeLater = (): void => {
    if (timer !== null) target.clearTimeout(timer);
    timer = target.setTimeout(write, SETTLE_MS);
  };

  const onChange = (doc: AppDocument, before: AppDocument): void => {
    if (restoring > 0) return;
    // Each change of page (`view`) gets an entry, however quick, and so does the first change of a cell after others.
    const startsEntry = before.view !== doc.view || (isCellChange(before, doc) && !entry.isCellChange);
    if ((!inBurst || startsEntry) && getsEntry(before, doc, catalog)) {
      // The change that waits for the timer belongs to the previous entry.
      if (timer !== null) {
        target.clearTimeout(timer);
        replace(before);
      }
      entry = { at: entry.at + 1, isCellChange: isCellChange(before, doc) };
      changes.length = entry.at;
      changes.push(entry.isCellChange);
      target.history.pushState(entry, '', encodeHash(doc, catalog));
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
    entry = currentEntry(entry.at + 1);
    const settled = (): void => {
      restoring--;
      if (restoring === 0) write();
    };
    restore(decodeHash(target.location.hash, catalog, openFiles())).then(settled, settled);
  };

  const unsubscribe = store.subscribe(onChange);
  target.addEventListener('popstate', onPopState);
  return {
    undo() {
      writeNow();
      if (!entry.isCellChange) return false;
      target.history.back();
      return true;
    },
    redo() {
      writeNow();
      if (changes[entry.at + 1] !== true) return false;
      target.history.forward();
      return true;
    },
    dispose() {
      unsubscribe();
      target.removeEventListener('popstate', onPopState);
      if (timer !== null) write();
    },
  };
}

/**
 * Whether a change gets an entry. A change of the step or frame alone gets none, nor does the first window, nor what
 * `isEntry` of a page ignores.
 */
function getsEntry(before: AppDocument, after: AppDocument, { pages }: Catalog): boolean {
  const isFirstWindow = before.window === null && after.window !== null;
  const compared = isFirstWindow ? { ...before, window: after.window } : before;
  return !(
    compared.view === after.view &&
    !pages.some(({ address }) => address?.isEntry(pageState(compared, address), pageState(after, address))) &&
    sameSource(compared.source, after.source) &&
    compared.format === after.format &&
    compared.deviceChoice === after.deviceChoice &&
    compared.params === after.params &&
    equalChoices(compared.formatB, after.formatB) &&
    compared.isSideBySide === after.isSideBySide &&
    compared.tokens === after.tokens &&
    sameRegion(compared.window, after.window) &&
    compared.edited === after.edited
  );
}
