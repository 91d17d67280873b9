import { SparseScopeError } from '../../core/errors.ts';
import { isNetworkError, messageOf, NO_NETWORK } from '../../core/error-messages.ts';
import { CsrMatrix } from '../../core/matrix/index.ts';
import type { Watch } from '../../engine/bridge/service.ts';
import type { MatrixSource, OpenRequest } from '../../engine/matrix/source-types.ts';
import type { MatrixSummary, WindowCells } from '../../engine/matrix/matrix-types.ts';
import { type AppDocument, baseOf, sameSource, withChoicesSince } from '../document.ts';
import type { EncodingQueue } from './encoding-queue.ts';
import type { FileOffers } from './file-offers.ts';
import { type JobContext, JobSlot } from './job-slot.ts';
import { type MatrixRequests, openingTitle } from './matrix-requests.ts';
import { messageFor, type SessionContext } from './session-context.ts';
import type { StoryBuilder } from './story-builder.ts';

// Opens one matrix in the engine (the worker) and shows it; a newer request cancels the one before.

/** Makes the document (state of the page) with which an opened matrix is shown. */
export type DocumentFor = (summary: MatrixSummary, watch: Watch) => Promise<AppDocument>;

export interface OpenOptions {
  /** the document at the request: differences when the matrix is open are the user's choices; default: now */
  readonly documentAtRequest?: AppDocument;
  /** whether it was not requested by the user */
  readonly isAutomatic?: boolean;
  /** repeats the request if the network did not answer. Default: opens it with the same document */
  readonly retry?: () => void;
}

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
  if (failure !== null && !(await context.isInWorker(summary.generation))) return null;
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

/** Runs the openings of matrices, one at a time: a new one cancels the one before. */
export function createOpener(
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
    const {
      documentAtRequest = document.getState(),
      isAutomatic = false,
      retry = () => void open(source, documentFor),
    } = options;
    const requestNumber = ++requestCount;
    const show = async (request: OpenRequest, watch: JobContext): Promise<boolean> => {
      before = documentAtRequest;
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
