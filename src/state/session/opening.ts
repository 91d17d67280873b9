import type { Region } from '../../core/matrix/index.ts';
import type { CellsSource, LinesAs, MatrixSource, ModelSource } from '../../engine/matrix/source-types.ts';
import type { GenerateSpec } from '../../generate/generate.ts';
import {
  baseOf,
  isDefaultSource,
  modelPruning,
  openedSource,
  sameSource,
  withLinesAs,
  withNeededParams,
  withSource,
} from '../document.ts';
import { decodeHash } from '../url.ts';
import { fitWindow } from '../window.ts';
import type { EncodingQueue } from './encoding-queue.ts';
import { createFileOffers } from './file-offers.ts';
import { firstWindow, withWindowInside } from './first-window.ts';
import { createKeptFiles } from './kept-files.ts';
import { createLinkConsent } from './link-consent.ts';
import { MatrixRequests } from './matrix-requests.ts';
import { createOpener, type DocumentFor, type OpenOptions } from './opener.ts';
import { createPruning } from './pruning.ts';
import { createRestoring } from './restoring.ts';
import type { SessionContext } from './session-context.ts';
import type { StoryBuilder } from './story-builder.ts';

// What opens a matrix: the user, an address, the browser's history, and a restart of the engine (the worker).

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
