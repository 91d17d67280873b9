import type { MatrixSummary, WindowCells } from '../../engine/matrix/types.ts';
import { type AppDocument, withChoicesSince } from '../document.ts';
import type { EncodingQueue } from './encoding-queue.ts';
import type { SessionContext } from './session-context.ts';
import type { Stage } from './stage.ts';

/** Groups of rows and of columns that the marginals are drawn with. */
const MARGINAL_BUCKETS = 1024;

/**
 * Puts a matrix that the worker has opened on the screen, with the document that it was asked for with, and what was chosen
 * since the document was `before`. Returns that document; null where another matrix has taken its place.
 */
export async function showMatrix(
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
  let cells: WindowCells | null = null;
  let failure: unknown = null;
  try {
    if (asked.window) cells = await matrix.window({}, asked.window);
  } catch (error) {
    failure = error;
  }
  // Another matrix was opened while the cells were read: that one is shown, now or soon.
  const shown = store.getState().summary?.generation ?? 0;
  if (summary.generation < shown || (cells && cells.generation !== summary.generation)) return null;
  const doc = withChoicesSince(asked, before(), document.getState());
  stage.commit(doc, cells, { summary, held: true, marginals: null, encodings: queue.restart(doc), error: null });
  if (failure !== null) context.fail(failure);
  void readMarginals(context, summary);
  return doc;
}

async function readMarginals({ matrix, store, fail }: SessionContext, summary: MatrixSummary): Promise<void> {
  try {
    const marginals = await matrix.marginals({}, MARGINAL_BUCKETS, MARGINAL_BUCKETS);
    const shown = store.getState().summary?.generation;
    if (shown === summary.generation && marginals.generation === shown) store.setState({ marginals });
  } catch (error) {
    fail(error);
  }
}
