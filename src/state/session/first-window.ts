import { resolvedParams, storyParams } from '../../core/format.ts';
import { FIRST_REGION } from '../../core/cut.ts';
import type { Region } from '../../core/matrix/index.ts';
import type { Watch } from '../../engine/bridge/service.ts';
import type { MatrixSummary } from '../../engine/matrix/matrix-types.ts';
import {
  type AppDocument,
  atStart,
  baseOf,
  secondFormat,
  sameRegion,
  sameSource,
  type FormatChoice,
  choiceA,
  withCarriedSource,
  withWindow,
} from '../document.ts';
import { defaultWindow, fitWindow, windowProblem } from '../window.ts';
import { isCancelled, type SessionContext } from './session-context.ts';

// Chooses the window of a document: the first one, the one after format A was changed, and the next highlight. A highlight is a
// window that shows what is special about a format.

type Context = Pick<SessionContext, 'catalog' | 'matrix' | 'formats'>;
type SearchContext = Context & Pick<SessionContext, 'store' | 'document'>;

/**
 * The window (the part of the matrix that the animation shows) to begin with. An example may name it, or the format
 * that the example shows best. Otherwise: rows that show what is special about format A, or about B, or else typical
 * rows. A matrix that fits is shown whole.
 */
export async function firstWindow(
  context: Context,
  summary: MatrixSummary,
  doc: AppDocument,
  watch: Watch = {},
): Promise<Region> {
  const named = namedWindow(context, summary, doc);
  if (named) return named;
  const usual = defaultWindow(summary);
  if (isShownWhole(summary)) return usual;
  try {
    let typical: Region | null = null;
    for (const choice of [choiceA(doc), secondFormat(doc)]) {
      const highlight = choice && (await highlightOf(context, choice, summary, null, watch));
      if (highlight && highlight.generation !== summary.generation) return usual;
      // The format's special case happens here; elsewhere rows are only typical.
      if (highlight?.cut?.hasCase) return highlight.cut.region;
      typical ??= highlight?.cut?.region ?? null;
    }
    return typical ?? usual;
  } catch {
    // Without a highlight the usual window is fine.
    return usual;
  }
}

/** Rows at most of a user's own matrix that is shown whole: all of them fit on a page. */
const MAX_OWN_ROWS = 8;

/** Whether the animation begins with the whole matrix. */
function isShownWhole({ rows, cols, source }: MatrixSummary): boolean {
  const max = baseOf(source).kind === 'cells' ? MAX_OWN_ROWS : FIRST_REGION.rows;
  return rows <= max && cols <= FIRST_REGION.cols;
}

type Highlight = Awaited<ReturnType<Context['matrix']['highlight']>>;

/** The first highlight (window that shows what is special) of each format: a search may read all rows. */
const highlights = new WeakMap<
  Context['matrix'],
  { readonly generation: number; readonly byChoice: Map<string, Highlight> }
>();

function highlightsOf(matrix: Context['matrix'], generation: number): Map<string, Highlight> {
  const cached = highlights.get(matrix);
  if (cached?.generation === generation) return cached.byChoice;
  const byChoice = new Map<string, Highlight>();
  highlights.set(matrix, { generation, byChoice });
  return byChoice;
}

/** The first highlight of a format after a row; null if it has none. Rejects if the engine does. */
async function highlightOf(
  { formats, matrix }: Pick<Context, 'formats' | 'matrix'>,
  { format: id, params }: FormatChoice,
  summary: MatrixSummary,
  after: number | null,
  watch: Watch = {},
): Promise<Highlight | null> {
  const format = formats.find((candidate) => candidate.id === id);
  if (!format || format.sandboxed) return null;
  const onStage = storyParams(format.params, resolvedParams(format.params, params, summary));
  if (after !== null) return matrix.highlight(watch, id, onStage, after);
  const cached = highlightsOf(matrix, summary.generation);
  const key = `${id} ${JSON.stringify(onStage)}`;
  const highlight = cached.get(key) ?? (await matrix.highlight(watch, id, onStage, after));
  if (highlight.generation === summary.generation) cached.set(key, highlight);
  return highlight;
}

/** The running search for a highlight; a later search ends it. */
const searches = new WeakMap<Context['matrix'], AbortController>();

/** Runs a search and shows its progress in the session's `seeking`. Rejects once there is a later search. */
async function search<T>(
  { matrix, store }: Pick<SearchContext, 'matrix' | 'store'>,
  find: (watch: Watch) => Promise<T>,
): Promise<T> {
  searches.get(matrix)?.abort();
  const controller = new AbortController();
  searches.set(matrix, controller);
  const isLast = (): boolean => searches.get(matrix) === controller;
  try {
    return await find({
      signal: controller.signal,
      onProgress: (progress) => isLast() && store.setState({ seeking: progress }),
    });
  } finally {
    if (isLast()) store.setState({ seeking: null });
  }
}

/** After A was changed, moves the window, unless the user chose it, to rows that show what is special about A. */
export async function followFormat(context: SearchContext, doc: AppDocument, before: AppDocument): Promise<void> {
  const { store, document } = context;
  const { summary } = store.getState();
  const isKept = sameRegion(doc.window, before.window) && sameSource(doc.source, before.source) && doc.edited === null;
  if (!summary || doc.format === before.format || !isKept || isShownWhole(summary)) return;
  try {
    if (!sameRegion(await firstWindow(context, summary, before), doc.window)) return;
    const highlight = await search(context, (watch) => highlightOf(context, choiceA(doc), summary, null, watch));
    const next =
      namedWindow(context, summary, doc) ??
      (highlight?.generation === summary.generation ? highlight.cut?.region : null);
    const now = document.getState();
    const isShown = now.format === doc.format && sameRegion(now.window, doc.window) && now.edited === null;
    if (next && isShown && sameSource(now.source, doc.source)) document.setState(withWindow(now, next));
  } catch {
    // The window stays.
  }
}

/** Moves to the next rows that show what is special about format A; if there are none, `rejectedEdit` states this. */
export async function nextHighlight(context: SearchContext & Pick<SessionContext, 'failOf'>): Promise<void> {
  const { store, document } = context;
  const { summary } = store.getState();
  const doc = document.getState();
  const { window } = doc;
  if (!summary || !window) return;
  try {
    const highlight = await search(context, (watch) => highlightOf(context, choiceA(doc), summary, window.row, watch));
    // Another matrix or window has been chosen meanwhile.
    if (document.getState() !== doc || (highlight && highlight.generation !== summary.generation)) return;
    const cut = highlight?.cut;
    if (cut && cut.region.row !== window.row) document.setState(withWindow(doc, cut.region));
    else store.setState({ rejectedEdit: 'No other row shows what is special about this format.', pressedCell: null });
  } catch (error) {
    if (!isCancelled(error)) await context.failOf(summary.generation, error, 'The search for a row');
  }
}

/** The window that format A names for this example, or else the example itself. */
function namedWindow(
  { catalog, formats }: Pick<Context, 'catalog' | 'formats'>,
  summary: MatrixSummary,
  doc: AppDocument,
): Region | null {
  const { source } = summary;
  if (source.kind !== 'example') return null;
  const best = formats.find(({ id }) => id === doc.format)?.bestExample;
  const formatsWindow = best?.id === source.id ? best.window : undefined;
  const window = formatsWindow ?? catalog.examples.find((example) => example.id === source.id)?.window;
  return window ? fitWindow(window, summary) : null;
}

/**
 * The document with a window inside the matrix: its own window if it fits, else `firstWindow` and a message in
 * `problems`. An address without format B and without a frame may be of an older version, in which the step refers to
 * `defaultWindow`. Without `watch`, the session's `seeking` shows the progress.
 */
export async function withFittingWindow(
  context: Context & Pick<SessionContext, 'store'>,
  doc: AppDocument,
  summary: MatrixSummary,
  watch?: Watch,
): Promise<AppDocument> {
  const problem = doc.window && windowProblem(doc.window, summary);
  if (doc.window && !problem) return doc;
  if (problem) {
    const text = `Link, ${problem.replace(/\.$/, '')}; another is used.`;
    context.store.setState(({ problems }) => ({ problems: [...problems, text] }));
  }
  const usual =
    doc.formatB === null && doc.frame === null ? (namedWindow(context, summary, doc) ?? defaultWindow(summary)) : null;
  const find = (findWatch: Watch): Promise<Region> => firstWindow(context, summary, doc, findWatch);
  const window = usual ?? (await (watch ? find(watch) : search(context, find)));
  return { ...(problem ? atStart(doc) : doc), window, edited: null };
}

/** The document with a window inside the opened matrix; a small matrix of a file replaces the file. */
export function withWindowInside(
  context: Context & Pick<SessionContext, 'store'>,
  doc: AppDocument,
  summary: MatrixSummary,
  watch?: Watch,
): Promise<AppDocument> {
  return withFittingWindow(context, withCarriedSource(doc, summary.source), summary, watch);
}
