import { threadPace } from '../core/pace.ts';
import { messageOf } from '../core/error-messages.ts';
import { createStore } from 'zustand/vanilla';
import { firstFormat, formats, referenceFormat } from '../formats/catalog.ts';
import { patterns } from '../generate/patterns.ts';
import { type GalleryEntry, galleryFilePath, loadGallery } from '../io/gallery.ts';
import {
  type AppDocument,
  failureText,
  baseOf,
  secondFormat,
  bindHistory,
  type Catalog,
  type CellHistory,
  createDocumentStore,
  createPlayer,
  createPreferences,
  createSession,
  type DecodedHash,
  type DocumentStore,
  decodeHash,
  type SavedFiles,
  type OpenedFile,
  storeText,
  hasSavedFiles,
  createBenchForm,
  withUsualOperation,
} from '../state/index.ts';
import type { App } from '../kit/app-context.ts';
import { PAGES } from './pages.ts';
import { registerPart, preloadParts } from '../kit/browser/lazy-part.ts';
import { connectEngine } from './connect-engine.ts';
import { LABS } from './labs.ts';

const linkedFormats = () => import('./open-linked-formats.ts');
registerPart(linkedFormats);

/** The matrix of an address that names none: weights of a network that was really trained, then pruned. */
const FIRST_EXAMPLE = 'digits-fc2-70';

/** What a first visit shows instead of FIRST_EXAMPLE: a matrix of a well-known model, with half of its weights left. */
export const FIRST_VISIT = {
  source: {
    kind: 'pruned',
    base: { kind: 'model', model: 'llama-3.1-8b', layer: 12, matrix: 'down' },
    pruning: { way: 'magnitude', density: 0.5 },
  },
  // Half of the first row's 32 cells are weights. The second row has 16 adjacent empty cells, for which MACKO stores a
  // zero.
  window: { row: 10, col: 3169, rows: 5, cols: 32 },
} as const;

const NO_FILES: ReadonlyMap<string, OpenedFile> = new Map();

/** Waits 30 s, longer than a tab needs to reload. */
function waitForReloads(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30_000));
}

/** Waits as long as two frames take, until the page is drawn and the GPU is free. A hidden page has no frames. */
function waitTwoFrames(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 34));
}

/** What an embedded page shows instead of the page's address. */
interface Embedded {
  readonly link: string;
  /** problems of the link, as texts */
  readonly problems: readonly string[];
}

/**
 * Creates the stores and services that live as long as the page: reads the gallery's index, starts the worker, binds
 * the address to the document, and opens the first matrix; without the gallery a generated matrix, with the reason.
 *
 * `embedded`: the page shows only what the link names, with the link's problems; it uses no address or stored results.
 */
export async function createStores(window: Window, embedded?: Embedded): Promise<Omit<App, 'announce'>> {
  const address = (): string => embedded?.link ?? window.location.hash;
  loadFirstStories(address());
  const preferences = createPreferences(() => window.localStorage);
  const engine = connectEngine();
  const { gallery, problems: galleryProblems } = await readGallery();
  // Formats that users write are added to this copy.
  const allFormats = [...formats];
  const catalog = catalogOf(gallery, allFormats);
  // Read again, since the address may have changed while the gallery was read.
  const hash = address();
  const savedFiles = async (): Promise<SavedFiles> =>
    (await import('../state/session/saved-files.ts')).browserSavedFiles(window);
  const files = embedded ? NO_FILES : await restoreFiles(window, savedFiles);
  const decoded = decodeHash(hash, catalog, new Set(files.keys()));
  // A is the current format, B the one it is compared with. Embedded, B is encoded only if it is drawn next to A.
  const documentStore = createDocumentStore(
    embedded ? { ...decoded.document, formatB: secondFormat(decoded.document) } : decoded.document,
  );
  const player = createPlayer(documentStore);
  const session = createSession({
    engine,
    catalog,
    formats: allFormats,
    document: documentStore,
    player,
    origins: preferences.origins,
    runStore: async () => {
      const { browserRunStore } = await import('../state/session/run-store.ts');
      return browserRunStore(() => window.sessionStorage);
    },
    files,
    ...(!embedded && { savedFiles }),
    resolveUrl: absoluteUrl,
    drawn: waitTwoFrames,
    pause: () => threadPace.pause(),
  });
  session.store.setState({ savedFiles: [...files.keys()] });
  offerFile(session, decoded, hash);
  const benchForm = createBenchForm(formats);
  followOperation(benchForm, documentStore, allFormats);
  const problems = [...galleryProblems, ...(embedded?.problems ?? []), ...decoded.problems];
  const sessionStarted = session.start(problems, !embedded || showsStory(decoded.document));
  const provider = LABS.find((lab) => lab.provider)?.provider;
  const app = { session, document: documentStore, engine, catalog, formats: allFormats, provider };
  const openLinkedFormats = linkFollower(app);
  void openLinkedFormats(decoded, hash, sessionStarted);
  let cellHistory: CellHistory | undefined;
  if (!embedded) {
    saveAddressOnLeave(window, documentStore);
    cellHistory = followAddress(window, app, openLinkedFormats);
    scheduleIdleWork(window, session, savedFiles, sessionStarted);
  }
  return {
    ...app,
    player,
    preferences,
    gallery,
    hover: createStore(() => ({ mark: null })),
    benchForm,
    pageFigures: new Map(PAGES.flatMap(({ id, figures }) => (figures ? [[id, figures]] : []))),
    pageShows: new Map(PAGES.flatMap(({ id, shows }) => (shows ? [[id, shows]] : []))),
    cellHistory,
    singletons: new Map(),
    Exercise: LABS.find((lab) => lab.Exercise)?.Exercise,
  };
}

/** Returns the user's files that this tab had open before it was reloaded; none if they cannot be read. */
async function restoreFiles(
  window: Window,
  savedFiles: () => Promise<SavedFiles>,
): Promise<ReadonlyMap<string, OpenedFile>> {
  if (!hasSavedFiles(() => window.sessionStorage)) return NO_FILES;
  return savedFiles()
    .then((store) => store.load())
    .catch(() => NO_FILES);
}

/** Suggests opening the file that an address names, next to the message that it is not open. */
function offerFile(session: App['session'], { notOpenFile }: DecodedHash, link: string): void {
  session.store.setState({ notOpenFile: notOpenFile ? { ...notOpenFile, hash: link } : null });
}

/** Sets the form of benchmarks to the usual operation of the document's format and tokens, now and when they change. */
function followOperation(benchForm: App['benchForm'], documentStore: DocumentStore, allFormats: App['formats']): void {
  const operationQuery = ({ tokens, format }: AppDocument) => ({
    tokens,
    group: allFormats.find(({ id }) => id === format)?.group ?? '',
  });
  documentStore.subscribe((doc, before) => {
    if (doc.tokens === before.tokens && doc.format === before.format) return;
    benchForm.setState((form) => withUsualOperation(form, operationQuery(doc), operationQuery(before)));
  });
  benchForm.setState((form) => withUsualOperation(form, operationQuery(documentStore.getState())));
}

/**
 * Whether the page shows a format's story. A page with a separate picture requires neither a story nor the matrix, which
 * may have many megabytes.
 */
function showsStory(doc: AppDocument): boolean {
  return !PAGES.some(({ id, shows }) => id === doc.view && shows?.has(doc));
}

/** Writes the document to the address, and opens what the user enters there or returns to. */
function followAddress(
  window: Window,
  { session, document: documentStore, catalog }: Pick<App, 'session' | 'document' | 'catalog'>,
  openLinkedFormats: ReturnType<typeof linkFollower>,
): CellHistory {
  return bindHistory(
    documentStore,
    catalog,
    session.openFileNames,
    async (target) => {
      // A rejected link does not change the page.
      if (target.isRefused) return session.store.setState({ problems: target.problems });
      const { hash: link } = window.location;
      offerFile(session, target, link);
      const restored = session.restore(target.document, target.problems);
      void openLinkedFormats(target, link, restored);
      await restored;
    },
    window,
  );
}

/** Loads saved runs, deletes files of closed tabs, and loads code that later pages use, when the browser is idle. */
function scheduleIdleWork(
  window: Window,
  session: App['session'],
  savedFiles: () => Promise<SavedFiles>,
  sessionStarted: Promise<void>,
): void {
  whenIdle(window, () => void session.loadRuns());
  whenIdle(
    window,
    () =>
      void savedFiles()
        .then((store) => store.tidy(waitForReloads))
        .catch(() => {}),
  );
  if (!savesData(window.navigator))
    void sessionStarted.then(() => whenIdle(window, () => void session.loadStories().then(preloadParts)));
}

/** Returns a function that opens the custom formats of a link once its matrix is open, unless another link came first. */
function linkFollower(app: Pick<App, 'session' | 'document' | 'engine' | 'catalog' | 'formats' | 'provider'>) {
  let linkCount = 0;
  return async ({ missingFormats }: DecodedHash, link: string, matrixOpened: Promise<void>): Promise<void> => {
    const linkNumber = ++linkCount;
    const isNewest = (): boolean => linkNumber === linkCount;
    await matrixOpened;
    if (!missingFormats || !isNewest()) return;
    try {
      await (await linkedFormats()).openLinkedFormats(app, missingFormats, link, isNewest);
    } catch (error) {
      app.session.store.setState({ error: failureText(error, 'Opening the formats of the link') });
    }
  };
}

/** Stores the address when the page is left; the next visit begins there (see index.html). */
function saveAddressOnLeave(window: Window, documentStore: DocumentStore): void {
  storeText(() => window.sessionStorage, 'sparsescope.here', 'yes');
  window.addEventListener('pagehide', () => {
    // A user's file cannot be opened again without a question.
    if (baseOf(documentStore.getState().source).kind === 'file') return;
    storeText(() => window.localStorage, 'sparsescope.last', window.location.hash);
  });
}

/** Begins to load the code of the stories that the address names; the session reports a failure later. */
function loadFirstStories(hash: string): void {
  const doc = decodeHash(hash, catalogOf([])).document;
  const namedFormats = [doc.format, secondFormat(doc)?.format].flatMap(
    (name) => formats.find(({ id }) => id === name) ?? [],
  );
  const load = [...namedFormats.map(({ story }) => story), () => import('../story/timeline.ts')];
  for (const loadModule of load) loadModule().catch(() => {});
}

/** Whether the browser is set to save data: code is then loaded only when it is shown. Not all browsers report it. */
export function savesData(navigator: Navigator & { readonly connection?: { readonly saveData?: boolean } }): boolean {
  return navigator.connection?.saveData === true;
}

/**
 * Runs a background task when the browser is idle, at the latest after two seconds; in a browser that does not report idle
 * time, after one second.
 */
function whenIdle(window: Window, run: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: 2000 });
  else setTimeout(run, 1000);
}

/** Resolves an address against the page's address, on any server. */
function absoluteUrl(path: string): string {
  return new URL(path, window.document.baseURI).href;
}

async function readGallery(): Promise<{ gallery: readonly GalleryEntry[]; problems: readonly string[] }> {
  try {
    return { gallery: await loadGallery(fetchText), problems: [] };
  } catch (error) {
    const reason = messageOf(error);
    return { gallery: [], problems: [`The gallery could not be read: ${reason}.`] };
  }
}

async function fetchText(path: string): Promise<string> {
  const response = await fetch(absoluteUrl(path));
  if (!response.ok) throw new Error(`${path}: found status ${response.status}, expected 200`);
  return response.text();
}

/** What an address can name, and the defaults without an address. */
function catalogOf(gallery: readonly GalleryEntry[], allFormats: Catalog['formats'] = formats): Catalog {
  const first = gallery.find((entry) => entry.id === FIRST_EXAMPLE) ?? gallery[0];
  return {
    formats: allFormats,
    patterns,
    pages: PAGES,
    examples: gallery.map(({ id, name, file, inputs, holds, window }) => ({
      id,
      title: name,
      url: galleryFilePath({ file }),
      ...(inputs && { inputs }),
      ...(holds && { holds }),
      ...(window && { window }),
    })),
    start: {
      source: first
        ? { kind: 'example', id: first.id }
        : { kind: 'generated', spec: { pattern: 'magnitude', rows: 512, cols: 512, density: 0.3, seed: 1 } },
      format: firstFormat.id,
      formatB: referenceFormat.id,
      first: FIRST_VISIT,
    },
  };
}
