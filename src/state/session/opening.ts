import { isOfNetwork, messageOf, NO_NETWORK } from '../../core/errors.ts';
import { CsrMatrix, type Region } from '../../core/matrix/index.ts';
import type { MatrixSource, ModelSource, OpenRequest } from '../../engine/matrix/source-types.ts';
import type { MatrixSummary, WindowCells } from '../../engine/matrix/types.ts';
import type { Pruning } from '../../engine/matrix/pruning-way.ts';
import type { GenerateSpec } from '../../generate/generate.ts';
import {
  type AppDocument,
  baseOf,
  isUnchosen,
  keptSource,
  modelPruning,
  sameSource,
  withChoicesSince,
  withKnownParts,
  withNeededParams,
  withSource,
} from '../document.ts';
import { decodeHash } from '../url.ts';
import { fitWindow } from '../window.ts';
import { JobSlot, type SlotWatch } from './job-slot.ts';
import type { EncodingQueue } from './encoding-queue.ts';
import { firstWindow, withFittingWindow } from './first-window.ts';
import { createLinkConsent } from './link-consent.ts';
import type { LivePruning } from './live-pruning.ts';
import { MatrixRequests, titleOf } from './matrix-requests.ts';
import { sentenceOf, type SessionContext } from './session-context.ts';
import type { Stage } from './stage.ts';
import { createTensorChoices, type Offers, type TensorChoices } from './tensor-choice.ts';

/** Groups of rows and of columns that the marginals are drawn with. */
const MARGINAL_BUCKETS = 1024;

/**
 * Puts a matrix that the worker has opened on the screen, with the document that it was asked for with, and what was chosen
 * since the document was `before`. Returns that document; null where another matrix has taken its place.
 */
async function showMatrix(
  context: SessionContext,
  stage: Stage,
  queue: EncodingQueue,
  summary: MatrixSummary,
  asked: AppDocument,
  before: () => AppDocument,
): Promise<AppDocument | null> {
  const { matrix, store, document } = context;
  // An engine that was started again knows none of them.
  for (const { sandboxed: asked } of context.formats) if (asked) await asked.sendTo(matrix, null);
  const current = (): AppDocument => withChoicesSince(asked, before(), document.getState());
  let found: WindowCells | null = null;
  let cells: CsrMatrix | null = null;
  let failure: unknown = null;
  try {
    if (asked.window) {
      found = await matrix.window({}, asked.window);
      cells = new CsrMatrix(found);
      await stage.tellAhead(current(), cells, summary);
    }
  } catch (error) {
    failure = error;
  }
  // Another matrix was opened while the cells were read, or not found in it: that one is shown, now or soon.
  if (failure !== null && !(await context.isHeld(summary.generation))) return null;
  const shown = store.getState().summary?.generation ?? 0;
  if (summary.generation < shown || (found && found.generation !== summary.generation)) return null;
  const doc = current();
  stage.commit(doc, cells, { summary, held: true, marginals: null, encodings: queue.restart(doc), error: null });
  if (failure !== null) context.fail(failure);
  void readMarginals(context, summary);
  return doc;
}

async function readMarginals({ matrix, store, failOf }: SessionContext, summary: MatrixSummary): Promise<void> {
  try {
    const marginals = await matrix.marginals({}, MARGINAL_BUCKETS, MARGINAL_BUCKETS);
    const shown = store.getState().summary?.generation;
    if (shown === summary.generation && marginals.generation === shown) store.setState({ marginals });
  } catch (error) {
    await failOf(summary.generation, error);
  }
}

/** Makes the document that a matrix is shown with. */
type DocumentFor = (summary: MatrixSummary) => Promise<AppDocument>;

/** Opens matrices and puts them on the screen once they are there. A newer call cancels an older one. */
export interface MatrixActions extends TensorChoices {
  openExample(id: string): Promise<void>;
  openGenerated(spec: GenerateSpec): Promise<void>;
  /**
   * Opens a matrix of a model, or a layer or a model by one of its matrices, pruned as the matrix on the stage is; one that
   * comes as it is says nothing about a model, of which half is left then.
   */
  openModel(place: ModelSource, window?: Region): Promise<void>;
  openFile(file: File): Promise<void>;
  /** Like `openFile`, for an index and the files that it names; of others the first is opened. */
  openFiles(files: readonly File[]): Promise<void>;
  /** An address, or a reference to the hub. The token is kept in memory, and sent only to the hub. */
  openRemote(reference: string, token: string | null): Promise<void>;
  cancelOpening(): void;
  /** Gives up the document of `waiting`, which is to be restored once the run has ended. */
  cancelWaiting(): void;
  /** Says whether the link of `question` may be opened. */
  answerQuestion(agrees: boolean): void;
  /** Shows what a pruning leaves of the matrix, always of the whole one; null brings that back. */
  prune(pruning: Pruning | null): Promise<void>;
  /**
   * Shows what a pruning would leave in the window, within a frame once the worker has ranked its cells; null shows what
   * is there. `prune` replaces it.
   */
  previewPruning(pruning: Pruning | null): void;
  /** Keeps no file of this tab any longer, of those that a reload would bring back; what is open stays. */
  forgetFiles(): Promise<void>;
  /** Names of the files opened so far: what a document may name besides the catalog. */
  openFileNames(): ReadonlySet<string>;
}

export interface Opening {
  readonly actions: MatrixActions;
  /** Opens the document's matrix; where that fails and nothing is on the screen, the catalog's start. */
  start(): Promise<void>;
  restore(doc: AppDocument, problems?: readonly string[]): Promise<void>;
  /** The engine has died, and what it held with it; what is on the screen stays. */
  lose(): void;
  /**
   * Opens what was lost again, or the matrix that was to be the first. Resolves with what came of it, to follow 'it was
   * started again'.
   */
  reopen(): Promise<string>;
}

export function createOpening(context: SessionContext, stage: Stage, queue: EncodingQueue): Opening {
  const { store, document, catalog } = context;
  const consent = createLinkConsent(context);
  const requests = new MatrixRequests(context);
  const fitting = (doc: AppDocument, summary: MatrixSummary): Promise<AppDocument> =>
    withFittingWindow(context, doc, summary);
  const withKnown = async (doc: AppDocument, summary: MatrixSummary): Promise<AppDocument> =>
    withKnownParts(await fitting(doc, summary), document.getState(), catalog);
  /** counts documents to restore: only the last one is */
  let restores = 0;
  /** ends the waiting of a document for the end of a run; `isGivenUp`: it is not restored */
  let endWaiting: ((isGivenUp: boolean) => void) | null = null;
  const waiting = new JobSlot((change) => store.setState((now) => ({ waiting: change(now.waiting) })));
  const cancelWaiting = (): void => endWaiting?.(true);

  /**
   * Until no run is in progress: another matrix would spoil its times. Whether the document is to be restored then. Throws
   * as `MatrixRequests.of`.
   */
  const untilRunEnds = async (source: MatrixSource): Promise<boolean> => {
    if (!store.getState().bench.running) return true;
    const title = `${titleOf(requests.of(baseOf(source)))} when the run has ended`;
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
      waiting.wait(title);
    });
  };

  const openNew = async (source: MatrixSource, window?: Region): Promise<void> => {
    // What a person chooses replaces the link and the file that they are asked about.
    consent.answer(false);
    choices.dismissChoice();
    // The summary knows more than was asked: the tensor that was meant, the commit of a revision.
    const opened = await open(source, async (summary) => {
      const first = window ? fitWindow(window, summary) : await firstWindow(context, summary, document.getState());
      return withNeededParams(withSource(document.getState(), keptSource(source, summary.source), first), catalog);
    });
    // It took the place of the first matrix before that was there.
    if (!opened && store.getState().choice === null) await openStart(source);
  };
  /** Opens what the page begins with, or else the catalog's start, where `failed` left nothing on the screen. */
  const openStart = async (failed: MatrixSource): Promise<void> => {
    const { summary, opening, error } = store.getState();
    if (summary || opening || sameSource(failed, catalog.start.source)) return;
    const { source } = document.getState();
    const isUntried = isUnchosen(catalog, source) && !sameSource(failed, source);
    await openNew(isUntried ? source : catalog.start.source);
    store.setState({ error });
  };
  const { offerChoice, offerMore, ...choices } = createTensorChoices(context, requests, openNew);
  const opener = createOpener(context, stage, queue, requests, { offerChoice, offerMore });
  /** Like `opener.open`, but not while times are taken. */
  const open: Opener['open'] = async (source, documentFor, how) =>
    !context.isBusy('open another matrix') && opener.open(source, documentFor, how);
  const pruning = createPruning(context, stage, open);
  const restore = async (doc: AppDocument, problems: readonly string[] = []): Promise<void> => {
    store.setState({ problems });
    consent.answer(false);
    choices.dismissChoice();
    cancelWaiting();
    const mine = ++restores;
    let since = document.getState();
    const isShown = (): boolean =>
      store.getState().summary !== null && sameSource(doc.source, document.getState().source);
    // A matrix that is still being opened may be shown even though it is cancelled here, or was cancelled before. The
    // document is then that of its address, and has no choice that was made since.
    if (isShown() && (await opener.drop())) since = document.getState();
    if (mine !== restores) return;
    const { summary } = store.getState();
    if (summary && isShown()) {
      const next = await withKnown(doc, summary);
      const now = document.getState();
      if (mine !== restores || store.getState().summary?.generation !== summary.generation) return;
      const chosen = withChoicesSince(next, since, now);
      const isTouched = now.window !== since.window || now.edited !== since.edited;
      document.setState(isTouched ? { ...chosen, window: now.window, edited: now.edited } : chosen);
    } else if ((await consent.ask(doc.source)) && mine === restores) {
      store.setState({ arriving: doc.view });
      // Who has left the place meanwhile stays where they went.
      const asked = (): AppDocument =>
        store.getState().arriving === null ? { ...doc, view: document.getState().view } : doc;
      try {
        if (!(await untilRunEnds(doc.source)) || mine !== restores) return;
        // What was on its way when the run was asked for has come with its own document.
        if (store.getState().summary !== summary) since = document.getState();
        await open(doc.source, (found) => withKnown(asked(), found), {
          since,
          again: () => void restore(doc, problems),
        });
      } catch (error) {
        context.fail(error);
      } finally {
        if (mine === restores) store.setState({ arriving: null });
      }
    }
  };
  const openFiles = async (files: readonly File[]): Promise<void> => {
    const source = requests.keep(files);
    if (source?.kind !== 'file') return;
    const { closed, problems } = store.getState();
    void keepForReload(source.name);
    if (closed?.name !== source.name || !problems.includes(closed.problem)) return openNew(source);
    // It is what an address has asked for.
    const { document: doc, problems: others } = decodeHash(closed.hash, catalog, requests.fileNames());
    return restore(doc, others);
  };
  const keepForReload = async (name: string): Promise<void> => {
    const opened = requests.opened(name);
    if (!opened || !context.keptFiles) return;
    try {
      store.setState({ keptFiles: await (await context.keptFiles()).keep(opened) });
    } catch {
      // After a reload the page asks for it.
    }
  };

  return {
    actions: {
      ...choices,
      openExample: (id) => openNew({ kind: 'example', id }),
      openGenerated: (spec) => openNew({ kind: 'generated', spec }),
      openModel(place, window) {
        const pruning = modelPruning(document.getState().source, place);
        return openNew(pruning ? { kind: 'pruned', base: place, pruning } : place, window);
      },
      openFile: (file) => openFiles([file]),
      openFiles,
      async openRemote(reference, token) {
        requests.hubToken = token;
        await consent.typed(reference);
        return openNew({ kind: 'remote', link: reference });
      },
      cancelOpening: opener.cancel,
      cancelWaiting,
      answerQuestion: consent.answer,
      prune: pruning.prune,
      previewPruning: pruning.preview,
      async forgetFiles() {
        try {
          await (await context.keptFiles?.())?.forget();
          store.setState({ keptFiles: [] });
        } catch (error) {
          context.fail(error);
        }
      },
      openFileNames: () => requests.fileNames(),
    },
    async start() {
      const doc = document.getState();
      const isUnasked = isUnchosen(catalog, doc.source);
      const opened =
        (await consent.ask(doc.source)) &&
        (await open(doc.source, (summary) => fitting(document.getState(), summary), { isUnasked }));
      // An engine that died meanwhile is opening it again.
      if (!opened) await openStart(doc.source);
    },
    restore,
    lose() {
      // The next engine counts its matrices anew: what is known of those before must not be taken for its own.
      pruning.lose();
      const { summary } = store.getState();
      store.setState({ held: false, ...(summary && { summary: { ...summary, generation: 0, whole: 0 } }) });
    },
    async reopen() {
      const { summary: lost, question } = store.getState();
      // The first matrix is one that a person has not agreed to yet.
      if (!lost && question) return '';
      const opened = await opener.open(document.getState().source, (found) => fitting(document.getState(), found));
      const { summary, error } = store.getState();
      if (opened) return ` and ${summary?.name ?? 'the matrix'} was reopened`;
      return lost === null ? '' : `, but ${lost.name} could not be reopened${error === null ? '' : `: ${error}`}`;
    },
  };
}

interface HowToOpen {
  /** the document when the matrix was asked for: what is different once it is there was chosen by a person. Default: now */
  readonly since?: AppDocument;
  /** nobody asked for it */
  readonly isUnasked?: boolean;
  /** asks for it again, where the network did not answer. Default: opens it with the same document */
  readonly again?: () => void;
}

interface Opener {
  /**
   * Opens a matrix and shows it with the document that `documentFor` makes for it. What is on the screen stays until
   * then. The worker is the truth: once it has replaced its matrix, that matrix is shown, even when a cancel was on its
   * way. Returns whether it was opened.
   */
  open(source: MatrixSource, documentFor: DocumentFor, how?: HowToOpen): Promise<boolean>;
  /** Cancels what a person sees being opened. */
  cancel(): void;
  /** Cancels what is being opened and waits until it has ended. Resolves to true if that came too late: its matrix is shown. */
  drop(): Promise<boolean>;
}

function createOpener(
  context: SessionContext,
  stage: Stage,
  queue: EncodingQueue,
  requests: MatrixRequests,
  { offerChoice, offerMore }: Offers,
): Opener {
  const { matrix, store, document } = context;
  const openings = new JobSlot((change) => store.setState(({ opening }) => ({ opening: change(opening) })));
  /** until all that was begun has ended */
  let running: Promise<unknown> = Promise.resolve();
  /** the document when the newest matrix was asked for, or shown since: what is different now was chosen by a person */
  let before = document.getState();
  /** counts what was asked for: only the newest is refused with a sentence */
  let asks = 0;
  const open: Opener['open'] = async (source, documentFor, how = {}) => {
    const { since = document.getState(), isUnasked = false, again = () => void open(source, documentFor) } = how;
    const mine = ++asks;
    const show = async (request: OpenRequest, watch: SlotWatch): Promise<boolean> => {
      before = since;
      // Pruning takes a moment, if it has the thread for itself.
      if (source.kind === 'pruned') queue.hold();
      try {
        const summary = await matrix.open(watch, request);
        const asked = await documentFor(summary);
        before = (await showMatrix(context, stage, queue, summary, asked, () => before)) ?? before;
        return true;
      } catch (error) {
        if (!watch.isCurrent || !(error instanceof Error) || error.name !== 'TensorChoiceError') throw error;
        await offerChoice(source, { signal: watch.signal });
        return false;
      }
    };
    let title = '';
    try {
      const request = requests.of(source);
      const isThere =
        store.getState().summary !== null &&
        source.kind === 'pruned' &&
        sameSource(source.base, baseOf(document.getState().source));
      title = isThere ? 'Pruning' : titleOf(request);
      return await openings.run(title, (watch) => show(request, watch), { isUnasked, source });
    } catch (thrown) {
      if (mine !== asks) return false;
      // Code that is missing does not say what for.
      const error = messageOf(thrown) === NO_NETWORK ? new Error(`${title}: ${NO_NETWORK}`) : thrown;
      context.fail(error);
      if (error instanceof Error && error.name === 'DecompressionLimitError') offerMore(source, sentenceOf(error));
      if (isOfNetwork(error)) store.setState({ missed: { error: sentenceOf(error), again } });
      return false;
    } finally {
      queue.pump();
    }
  };
  return {
    open(source, documentFor, how) {
      const ended = open(source, documentFor, how);
      running = Promise.all([running, ended]);
      return ended;
    },
    cancel: () => openings.cancel(),
    async drop() {
      const { summary } = store.getState();
      openings.cancel();
      await running;
      return store.getState().summary !== summary;
    },
  };
}

interface PruningActions {
  prune(pruning: Pruning | null): Promise<void>;
  preview(pruning: Pruning | null): void;
  /** The engine has died, which ranked the cells. */
  lose(): void;
}

function createPruning(
  context: SessionContext,
  stage: Stage,
  open: (source: MatrixSource, documentFor: DocumentFor) => Promise<boolean>,
): PruningActions {
  const { store, document } = context;
  /** comes when a slider is first moved: the first screen does without */
  let live: LivePruning | null = null;
  let previewed: Pruning | null = null;
  const preview = (pruning: Pruning | null): void => {
    previewed = pruning;
    if (live) return live.show(pruning);
    if (!pruning) return;
    import('./live-pruning.ts').then(({ createLivePruning }) => {
      live ??= createLivePruning(context, stage);
      live.show(previewed);
    }, context.fail);
  };
  return {
    preview,
    async prune(pruning) {
      if (!store.getState().bench.running) preview(pruning);
      const base = baseOf(document.getState().source);
      const asked: MatrixSource = pruning ? { kind: 'pruned', base, pruning } : base;
      await open(asked, async (summary) => {
        const window = document.getState().window ?? (await firstWindow(context, summary, document.getState()));
        return withSource(document.getState(), keptSource(asked, summary.source), window);
      });
      // Where it came to nothing, what was there is shown again; a newer pruning keeps what it shows.
      if (previewed === pruning) preview(null);
      else if (previewed) live?.show(previewed);
    },
    lose() {
      live = null;
    },
  };
}
