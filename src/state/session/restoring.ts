import type { Watch } from '../../engine/bridge/service.ts';
import type { MatrixSource } from '../../engine/matrix/source-types.ts';
import type { MatrixSummary } from '../../engine/matrix/matrix-types.ts';
import { type AppDocument, baseOf, sameSource, withChoicesSince, withKnownParts } from '../document.ts';
import { withWindowInside } from './first-window.ts';
import { JobSlot } from './job-slot.ts';
import type { createLinkConsent } from './link-consent.ts';
import { type MatrixRequests, openingTitle } from './matrix-requests.ts';
import type { DocumentFor, OpenOptions } from './opener.ts';
import type { SessionContext } from './session-context.ts';

// Shows the documents of addresses and of the browser's history: their matrix is opened if another one is visible.

interface Restoring {
  readonly open: (source: MatrixSource, documentFor: DocumentFor, options?: OpenOptions) => Promise<boolean>;
  /** drops a pending question about a file */
  readonly dismissChoice: () => void;
  /** cancels the current opening; resolves to whether its matrix is shown all the same */
  readonly cancelAndWait: () => Promise<boolean>;
}

export function createRestoring(
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
  const waitingSlot = new JobSlot((change) => store.setState((state) => ({ waiting: change(state.waiting) })));

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
        waitingSlot.clear();
        resolve(!isGivenUp);
      };
      waitingSlot.showWaiting(title);
    });
  };
  const cancelWaiting = (): void => endWaiting?.(true);

  /** Whether the matrix of this document is visible, and in the worker. */
  const isShown = (doc: AppDocument): boolean => {
    const { summary, isInWorker } = store.getState();
    return summary !== null && isInWorker && sameSource(doc.source, document.getState().source);
  };

  /** Replaces the document by `nextDoc`, of the same matrix, with the user's choices since `docAtRequest`. */
  const change = (nextDoc: AppDocument, docAtRequest: AppDocument): void => {
    const currentDoc = document.getState();
    const docWithChoices = withChoicesSince(nextDoc, docAtRequest, currentDoc);
    const isTouched = currentDoc.window !== docAtRequest.window || currentDoc.edited !== docAtRequest.edited;
    isChanging = true;
    try {
      document.setState(
        isTouched ? { ...docWithChoices, window: currentDoc.window, edited: currentDoc.edited } : docWithChoices,
      );
    } finally {
      isChanging = false;
    }
  };

  /** Shows another document: with the same matrix at once, else when its matrix is open. */
  const restore = async (doc: AppDocument, problems: readonly string[] = []): Promise<void> => {
    // An address that this one replaces no longer determines the visible page.
    store.setState({ problems, arriving: null });
    consent.answer(false);
    dismissChoice();
    cancelWaiting();
    const restoreNumber = ++restoreCount;
    let documentAtRequest = document.getState();
    // A matrix may be visible although its opening was cancelled; it came with its own document.
    if (isShown(doc) && (await cancelAndWait())) documentAtRequest = document.getState();
    if (restoreNumber !== restoreCount) return;
    const { summary } = store.getState();
    if (summary && isShown(doc)) {
      const nextDoc = await withKnown(doc, summary);
      if (restoreNumber !== restoreCount || store.getState().summary?.generation !== summary.generation) return;
      change(nextDoc, documentAtRequest);
    } else if ((await consent.ask(doc.source)) && restoreNumber === restoreCount) {
      store.setState({ arriving: doc.view });
      // A user who has gone to another page meanwhile stays there.
      const requestedDoc = (): AppDocument =>
        store.getState().arriving === null ? { ...doc, view: document.getState().view } : doc;
      try {
        if (!(await untilRunEnds(doc.source)) || restoreNumber !== restoreCount) return;
        // Another matrix may have been opened while this waited, with its own document.
        if (store.getState().summary !== summary) documentAtRequest = document.getState();
        await open(doc.source, (openedMatrix, watch) => withKnown(requestedDoc(), openedMatrix, watch), {
          documentAtRequest,
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
