import { isNetworkError, messageOf, NO_NETWORK, SparseScopeError } from '../../core/errors.ts';
import { CsrMatrix, type Region } from '../../core/matrix/index.ts';
import type { Watch } from '../../engine/bridge/service.ts';
import type {
  CellsSource,
  LinesAs,
  MatrixSource,
  ModelSource,
  OpenRequest,
  Pruning,
} from '../../engine/matrix/source-types.ts';
import type { MatrixSummary, WindowCells } from '../../engine/matrix/matrix-types.ts';
import type { GenerateSpec } from '../../generate/generate.ts';
import {
  type AppDocument,
  baseOf,
  isDefaultSource,
  openedSource,
  modelPruning,
  sameSource,
  withCarriedSource,
  withChoicesSince,
  withKnownParts,
  withLinesAs,
  withNeededParams,
  withSource,
} from '../document.ts';
import { decodeHash } from '../url.ts';
import { fitWindow } from '../window.ts';
import { JobSlot, type JobContext } from './job-slot.ts';
import type { EncodingQueue } from './encoding-queue.ts';
import { firstWindow, withFittingWindow } from './first-window.ts';
import { createLinkConsent } from './link-consent.ts';
import type { SavedFiles } from './saved-files.ts';
import type { LivePruning } from './live-pruning.ts';
import { MatrixRequests, openingTitle } from './matrix-requests.ts';
import { messageFor, type SessionContext } from './session-context.ts';
import type { StoryBuilder } from './story-builder.ts';
import { createFileOffers, type FileOffers } from './file-offers.ts';

// Opens matrices for the user, for an address or after a restart of the engine (the worker), and prunes them.

/** Number of groups of rows, and of columns, whose shares of non-zeros the plot shows at its edges. */
const MARGINAL_BUCKETS = 1024;

/**
 * Shows an opened matrix with `requested` and the user's choices since `before`. Returns the document that is shown; null
 * if another matrix was opened meanwhile.
 */
async function showMatrix(
  context: SessionContext,
  storyBuilder: StoryBuilder,
  queue: EncodingQueue,
  summary: MatrixSummary,
  requested: AppDocument,
  before: () => AppDocument,
): Promise<AppDocument | null> {
  const { matrix, store, document } = context;
  // A restarted engine lacks the formats that the user wrote.
  for (const { sandboxed } of context.formats) await sandboxed?.registerWith(matrix, null);
  const current = (): AppDocument => withChoicesSince(requested, before(), document.getState());
  let windowCells: WindowCells | null = null;
  let cells: CsrMatrix | null = null;
  let failure: unknown = null;
  try {
    if (requested.window) {
      windowCells = await matrix.window({}, requested.window);
      cells = new CsrMatrix(windowCells);
      await storyBuilder.buildAhead(current(), cells, summary);
    }
  } catch (error) {
    failure = error;
  }
  // If another matrix was opened while the cells were read, it is shown instead, now or soon.
  if (failure !== null && !(await context.isHeld(summary.generation))) return null;
  const shown = store.getState().summary?.generation ?? 0;
  if (summary.generation < shown || (windowCells && windowCells.generation !== summary.generation)) return null;
  const doc = current();
  storyBuilder.commit(doc, cells, {
    summary,
    isInWorker: true,
    marginals: null,
    encodings: queue.restart(doc),
    error: null,
  });
  if (failure !== null) context.fail(failure, 'Reading the window');
  void readMarginals(context, summary);
  return doc;
}

/** Counts non-zeros by groups of rows and columns, for the edges of the plot, and shows them. */
async function readMarginals({ matrix, store, failOf }: SessionContext, summary: MatrixSummary): Promise<void> {
  try {
    const marginals = await matrix.marginals({}, MARGINAL_BUCKETS, MARGINAL_BUCKETS);
    const shown = store.getState().summary?.generation;
    if (shown === summary.generation && marginals.generation === shown) store.setState({ marginals });
  } catch (error) {
    await failOf(summary.generation, error, 'Counting the matrix');
  }
}

/** Makes the document (state of the page) with which an opened matrix is shown. */
type DocumentFor = (summary: MatrixSummary, watch: Watch) => Promise<AppDocument>;

export type Opening = ReturnType<typeof createOpening>;

/** Opens matrices and shows them once they are open. A newer call cancels an older one. */
export function createOpening(context: SessionContext, storyBuilder: StoryBuilder, queue: EncodingQueue) {
  const { store, document, catalog } = context;
  const consent = createLinkConsent(context);
  const requests = new MatrixRequests(context);
  const keptFiles = createKeptFiles(context, requests);

  /** Opens a matrix for the user; if that fails and the page is still empty, opens another one. */
  const openNew = async (source: MatrixSource, window?: Region): Promise<void> => {
    // The user's choice replaces pending questions about a link and a file.
    consent.answer(false);
    choices.dismissChoice();
    // The summary is more specific than the request: it names the tensor, and the commit of a revision.
    const opened = await open(source, async (summary, watch) => {
      const now = document.getState();
      const first = window ? fitWindow(window, summary) : await firstWindow(context, summary, now, watch);
      return withNeededParams(withSource(document.getState(), openedSource(source, summary.source), first), catalog);
    });
    // The request that failed may have cancelled the opening of the page's first matrix.
    if (!opened && store.getState().choice === null) await openStart(source);
  };
  /** Opens the page's first matrix, or else the catalog's start matrix, if `failed` left nothing on the page. */
  const openStart = async (failed: MatrixSource): Promise<void> => {
    const { summary, opening, error } = store.getState();
    if (summary || opening || sameSource(failed, catalog.start.source)) return;
    const { source } = document.getState();
    const isUntried = isDefaultSource(catalog, source) && !sameSource(failed, source);
    await openNew(isUntried ? source : catalog.start.source);
    store.setState({ error });
  };
  const { offerChoice, offerHigherLimit, ...choices } = createFileOffers(context, requests, openNew);
  const opener = createOpener(context, storyBuilder, queue, requests, { offerChoice, offerHigherLimit });
  /** Like `opener.open`, but not during a measurement. */
  const open = async (source: MatrixSource, documentFor: DocumentFor, options?: OpenOptions): Promise<boolean> =>
    !context.isBusy('open another matrix') && opener.open(source, documentFor, options);
  const pruning = createPruning(context, storyBuilder, open);
  const { restore, isRestoring, cancelWaiting } = createRestoring(context, requests, consent, {
    open,
    dismissChoice: choices.dismissChoice,
    cancelAndWait: opener.cancelAndWait,
  });
  const openFiles = async (files: readonly File[]): Promise<void> => {
    const source = requests.keep(files);
    if (source?.kind !== 'file') return;
    const { notOpenFile, problems } = store.getState();
    void keptFiles.keep(source.name);
    if (notOpenFile?.name !== source.name || !problems.includes(notOpenFile.problem)) return openNew(source);
    // An address named this file before it was open: now that address is followed.
    const { document: doc, problems: others } = decodeHash(notOpenFile.hash, catalog, requests.fileNames());
    return restore(doc, others);
  };

  return {
    actions: {
      ...choices,
      openExample: (id: string) => openNew({ kind: 'example', id }),
      /** Opens a matrix that was typed. */
      openCells: (source: CellsSource) => openNew(source),
      openGenerated: (spec: GenerateSpec) => openNew({ kind: 'generated', spec }),
      /** Opens a model, a layer or a matrix, pruned as the current matrix is, or by half if that is unpruned. */
      openModel(place: ModelSource, window?: Region): Promise<void> {
        const pruning = modelPruning(document.getState().source, place);
        return openNew(pruning ? { kind: 'pruned', base: place, pruning } : place, window);
      },
      openFile: (file: File) => openFiles([file]),
      /** Like `openFile`, for an index and the files that it names; of other files the first is opened. */
      openFiles,
      /** An address, or a reference to the hub. The token is kept in memory, and sent only to the hub. */
      async openRemote(reference: string, token: string | null): Promise<void> {
        requests.hubToken = token;
        await consent.typed(reference);
        return openNew({ kind: 'remote', link: reference, as: 'auto' });
      },
      /** Opens the file of the matrix again, a table of text: its lines as entries, or as rows of cells. */
      openLinesAs: (as: LinesAs) =>
        openNew(withLinesAs(store.getState().summary?.read?.from ?? baseOf(document.getState().source), as)),
      cancelOpening: opener.cancel,
      /** Drops the document of `waiting`, which would be restored after the run. */
      cancelWaiting,
      /** Answers whether the link of `question` may be opened. */
      answerQuestion: consent.answer,
      /** Prunes the original matrix, not an earlier result, and shows the new one; null shows the original. */
      prune: pruning.prune,
      /** Previews a pruning in the window, once its cells are ranked; null shows the cells. `prune` replaces it. */
      previewPruning: pruning.preview,
      /** Deletes this tab's kept files, which a reload would restore; open ones stay open. */
      forgetFiles: keptFiles.forget,
      /** Names of the files opened so far: what a document may name besides the catalog. */
      openFileNames: () => requests.fileNames(),
    },
    /** Opens the document's matrix; if that fails and nothing is shown, the catalog's start matrix. */
    async start(): Promise<void> {
      const doc = document.getState();
      const isAutomatic = isDefaultSource(catalog, doc.source);
      const opened =
        (await consent.ask(doc.source)) &&
        (await open(doc.source, (summary, watch) => withWindowInside(context, document.getState(), summary, watch), {
          isAutomatic,
        }));
      // If the engine has died meanwhile, the matrix is already being opened again.
      if (!opened) await openStart(doc.source);
    },
    restore,
    /** Opens the matrix with a cell that the user changed; window and frame stay. */
    async openEdited(source: CellsSource): Promise<void> {
      const documentFor: DocumentFor = (summary) =>
        Promise.resolve({ ...document.getState(), source: summary.source, edited: null });
      await open(source, documentFor, { isAutomatic: true });
    },
    isRestoring,
    end: opener.end,
    /** Handles the death of the engine and of its matrices; the page does not change. */
    onEngineLost(): void {
      // The next engine counts its matrices from the start: data about earlier ones must not be mistaken for its own.
      pruning.onEngineLost();
      const { summary } = store.getState();
      store.setState({ isInWorker: false, ...(summary && { summary: { ...summary, generation: 0, baseNumber: 0 } }) });
    },
    /** Opens the lost matrix again, or the first. Resolves with the words that follow 'it was started again'. */
    async reopen(): Promise<string> {
      const { summary: lost } = store.getState();
      const { source } = document.getState();
      // The user has not yet agreed to the first matrix, or declined.
      if (!lost && !(await consent.isAllowed(source))) return '';
      const opened = await opener.open(source, (summary, watch) =>
        withWindowInside(context, document.getState(), summary, watch),
      );
      const { summary: reopened, error } = store.getState();
      if (opened) return ` and ${reopened?.name ?? 'the matrix'} was reopened`;
      return lost === null ? '' : `, but ${lost.name} could not be reopened${error === null ? '' : `: ${error}`}`;
    },
  };
}

interface OpenOptions {
  /** the document at the request: differences when the matrix is open are the user's choices; default: now */
  readonly since?: AppDocument;
  /** whether it was not requested by the user */
  readonly isAutomatic?: boolean;
  /** repeats the request if the network did not answer. Default: opens it with the same document */
  readonly retry?: () => void;
}

/** The document with a window inside the opened matrix; a small matrix of a file replaces the file. */
function withWindowInside(
  context: SessionContext,
  doc: AppDocument,
  summary: MatrixSummary,
  watch?: Watch,
): Promise<AppDocument> {
  return withFittingWindow(context, withCarriedSource(doc, summary.source), summary, watch);
}

/** Keeps opened files in the browser, so that a reload of this tab opens them again. */
function createKeptFiles({ store, savedFiles, fail }: SessionContext, requests: MatrixRequests) {
  /** settles when the last change of the kept files has ended; changes run one after the other */
  let lastFileChange: Promise<unknown> = Promise.resolve();
  /** Runs a change of the kept files after those that were requested before. */
  const inTurn = <T>(change: (files: SavedFiles | undefined) => Promise<T>): Promise<T> => {
    const result = lastFileChange.then(async () => change(await savedFiles?.()));
    lastFileChange = result.catch(() => {});
    return result;
  };
  return {
    /** Keeps the open file with this name. */
    async keep(name: string): Promise<void> {
      const opened = requests.opened(name);
      if (!opened || !savedFiles) return;
      try {
        store.setState({ savedFiles: await inTurn(async (files) => (await files?.keep(opened)) ?? []) });
      } catch {
        // Not kept: after a reload, the page asks the user for the file.
      }
    },
    async forget(): Promise<void> {
      try {
        await inTurn(async (files) => files?.forget());
        store.setState({ savedFiles: [] });
      } catch (error) {
        fail(error, 'Forgetting the files');
      }
    },
  };
}

interface Restoring {
  readonly open: (source: MatrixSource, documentFor: DocumentFor, options?: OpenOptions) => Promise<boolean>;
  /** drops a pending question about a file */
  readonly dismissChoice: () => void;
  /** cancels the current opening; resolves to whether its matrix is shown all the same */
  readonly cancelAndWait: () => Promise<boolean>;
}

/** Shows documents of addresses and of the browser's history. */
function createRestoring(
  context: SessionContext,
  requests: MatrixRequests,
  consent: ReturnType<typeof createLinkConsent>,
  { open, dismissChoice, cancelAndWait }: Restoring,
) {
  const { store, document, catalog } = context;
  /** counts calls of `restore`: only the last one has an effect */
  let restoreCount = 0;
  /** whether `restore` is changing the document, whose window stays */
  let isChanging = false;
  /** ends the wait of `restore` for the end of a run; `isGivenUp`: the document is not restored */
  let endWaiting: ((isGivenUp: boolean) => void) | null = null;
  const waiting = new JobSlot((change) => store.setState((now) => ({ waiting: change(now.waiting) })));

  /** The document with a window inside the opened matrix, and without parts that this page does not have. */
  const withKnown = async (doc: AppDocument, summary: MatrixSummary, watch?: Watch): Promise<AppDocument> =>
    withKnownParts(await withWindowInside(context, doc, summary, watch), document.getState(), catalog);

  /** Waits for the end of a run. Resolves to whether to go on. Rejects as `MatrixRequests.requestFor` throws. */
  const untilRunEnds = async (source: MatrixSource): Promise<boolean> => {
    if (!store.getState().bench.running) return true;
    const title = `${openingTitle(requests.requestFor(baseOf(source)))} when the run has ended`;
    return new Promise((resolve) => {
      const unsubscribe = store.subscribe(({ bench }) => {
        if (!bench.running) endWaiting?.(false);
      });
      endWaiting = (isGivenUp) => {
        endWaiting = null;
        unsubscribe();
        waiting.clear();
        resolve(!isGivenUp);
      };
      waiting.showWaiting(title);
    });
  };
  const cancelWaiting = (): void => endWaiting?.(true);

  /** Whether the matrix of this document is visible, and in the worker. */
  const isShown = (doc: AppDocument): boolean => {
    const { summary, isInWorker } = store.getState();
    return summary !== null && isInWorker && sameSource(doc.source, document.getState().source);
  };

  /** Replaces the document by `next`, of the same matrix, with the user's choices since `since`. */
  const change = (next: AppDocument, since: AppDocument): void => {
    const now = document.getState();
    const chosen = withChoicesSince(next, since, now);
    const isTouched = now.window !== since.window || now.edited !== since.edited;
    isChanging = true;
    try {
      document.setState(isTouched ? { ...chosen, window: now.window, edited: now.edited } : chosen);
    } finally {
      isChanging = false;
    }
  };

  /** Shows another document: with the same matrix at once, else when its matrix is open. */
  const restore = async (doc: AppDocument, problems: readonly string[] = []): Promise<void> => {
    store.setState({ problems });
    consent.answer(false);
    dismissChoice();
    cancelWaiting();
    const restoreNumber = ++restoreCount;
    let since = document.getState();
    // A matrix may be visible although its opening was cancelled; it came with its own document.
    if (isShown(doc) && (await cancelAndWait())) since = document.getState();
    if (restoreNumber !== restoreCount) return;
    const { summary } = store.getState();
    if (summary && isShown(doc)) {
      const next = await withKnown(doc, summary);
      if (restoreNumber !== restoreCount || store.getState().summary?.generation !== summary.generation) return;
      change(next, since);
    } else if ((await consent.ask(doc.source)) && restoreNumber === restoreCount) {
      store.setState({ arriving: doc.view });
      // A user who has gone to another page meanwhile stays there.
      const requested = (): AppDocument =>
        store.getState().arriving === null ? { ...doc, view: document.getState().view } : doc;
      try {
        if (!(await untilRunEnds(doc.source)) || restoreNumber !== restoreCount) return;
        // Another matrix may have been opened while this waited, with its own document.
        if (store.getState().summary !== summary) since = document.getState();
        await open(doc.source, (opened, watch) => withKnown(requested(), opened, watch), {
          since,
          retry: () => void restore(doc, problems),
        });
      } catch (error) {
        context.fail(error);
      } finally {
        if (restoreNumber === restoreCount) store.setState({ arriving: null });
      }
    }
  };
  return { restore, isRestoring: (): boolean => isChanging, cancelWaiting };
}

/** Runs the openings of matrices, one at a time: a new one cancels the one before. */
function createOpener(
  context: SessionContext,
  storyBuilder: StoryBuilder,
  queue: EncodingQueue,
  requests: MatrixRequests,
  { offerChoice, offerHigherLimit }: Pick<FileOffers, 'offerChoice' | 'offerHigherLimit'>,
) {
  const { matrix, store, document } = context;
  const openings = new JobSlot((change) => store.setState(({ opening }) => ({ opening: change(opening) })));
  /** settles when every started opening has ended; null: all have */
  let running: Promise<unknown> | null = null;
  /** the document when the newest matrix was requested, or shown since: differences are the user's choices */
  let before = document.getState();
  /** counts requests: only a failure of the newest is reported */
  let requestCount = 0;
  const open = async (source: MatrixSource, documentFor: DocumentFor, options: OpenOptions = {}): Promise<boolean> => {
    const { since = document.getState(), isAutomatic = false, retry = () => void open(source, documentFor) } = options;
    const requestNumber = ++requestCount;
    const show = async (request: OpenRequest, watch: JobContext): Promise<boolean> => {
      before = since;
      // Pruning is quick if no encoding runs.
      if (source.kind === 'pruned') queue.pause();
      try {
        const summary = await matrix.open(watch, request);
        const requested = await documentFor(summary, watch);
        before = (await showMatrix(context, storyBuilder, queue, summary, requested, () => before)) ?? before;
        return true;
      } catch (error) {
        if (!watch.isCurrent || !(error instanceof Error) || error.name !== 'TensorChoiceError') throw error;
        await offerChoice(source, { signal: watch.signal });
        return false;
      }
    };
    let title = '';
    try {
      const request = requests.requestFor(source);
      const isBaseOpen =
        store.getState().summary !== null &&
        source.kind === 'pruned' &&
        sameSource(source.base, baseOf(document.getState().source));
      title = isBaseOpen ? 'Pruning' : openingTitle(request);
      return await openings.run(title, (watch) => show(request, watch), { isAutomatic, source });
    } catch (thrown) {
      if (requestNumber !== requestCount) return false;
      // An error about code that could not be loaded does not name the code's purpose.
      const error = messageOf(thrown) === NO_NETWORK ? new SparseScopeError(`${title}: ${NO_NETWORK}`) : thrown;
      context.fail(error, title);
      if (error instanceof Error && error.name === 'DecompressionLimitError')
        offerHigherLimit(source, messageFor(error));
      if (isNetworkError(error)) store.setState({ networkFailure: { error: messageFor(error), retry } });
      return false;
    } finally {
      queue.startNext();
    }
  };
  return {
    /**
     * Opens a matrix and shows it with the document that `documentFor` makes for it; until then the page is unchanged.
     * Once the worker has replaced its matrix, the new one is shown, even after a cancellation. Resolves to whether a
     * matrix was opened.
     */
    open(source: MatrixSource, documentFor: DocumentFor, options?: OpenOptions): Promise<boolean> {
      const ended = open(source, documentFor, options);
      const allEnded = Promise.all([running, ended]).then(() => {
        if (running === allEnded) running = null;
      });
      running = allEnded;
      return ended;
    },
    cancel: (): void => openings.cancel(),
    /** Settles when every opening that has begun has ended, those that were cancelled or replaced too; null: all have. */
    end: (): Promise<unknown> | null => running,
    /** Cancels the current opening and waits for its end. Resolves to whether its matrix is shown all the same. */
    async cancelAndWait(): Promise<boolean> {
      const { summary } = store.getState();
      openings.cancel();
      await running;
      return store.getState().summary !== summary;
    },
  };
}

/** Prunes the open matrix, and previews a pruning in its window. */
function createPruning(
  context: SessionContext,
  storyBuilder: StoryBuilder,
  open: (source: MatrixSource, documentFor: DocumentFor) => Promise<boolean>,
) {
  const { store, document } = context;
  /** loaded when a slider is first moved: the first screen does not need it */
  let live: LivePruning | null = null;
  let previewed: Pruning | null = null;
  const preview = (pruning: Pruning | null): void => {
    previewed = pruning;
    if (live) return live.show(pruning);
    if (!pruning) return;
    import('./live-pruning.ts').then(({ createLivePruning }) => {
      live ??= createLivePruning(context, storyBuilder);
      live.show(previewed);
    }, context.fail);
  };
  return {
    preview,
    async prune(pruning: Pruning | null): Promise<void> {
      if (!store.getState().bench.running) preview(pruning);
      const base = baseOf(document.getState().source);
      const target: MatrixSource = pruning ? { kind: 'pruned', base, pruning } : base;
      await open(target, async (summary, watch) => {
        const now = document.getState();
        const window = now.window ?? (await firstWindow(context, summary, now, watch));
        return withSource(document.getState(), openedSource(target, summary.source), window);
      });
      // If it failed, the actual cells are shown again; a newer pruning keeps its preview.
      if (previewed === pruning) preview(null);
      else if (previewed) live?.show(previewed);
    },
    /** Handles the death of the engine, which ranked the cells. */
    onEngineLost(): void {
      live = null;
    },
  };
}
