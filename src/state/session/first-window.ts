import { type AnyListedFormat, resolvedParams, stageParams } from '../../core/format.ts';
import { CsrMatrix, type Region } from '../../core/matrix/index.ts';
import type { MatrixSummary } from '../../engine/matrix/types.ts';
import { type AppDocument, atStart, besideA, type Stored, storedA } from '../document.ts';
import type { UnusualAt } from '../example-window.ts';
import { defaultWindow, fitWindow, windowProblem } from '../window.ts';
import type { SessionContext } from './session-context.ts';

/** Cells in which a telling window is searched: rows of any model, at a cost of some 50 ms where nothing is found. */
const SEARCHED = { rows: 64, cols: 32768 };

/** How long a matrix that is open waits for the code that says where to look. */
const WAIT_MS = 1000;

type Context = Pick<SessionContext, 'catalog' | 'matrix' | 'formats' | 'stories'>;

/**
 * The window that a matrix, which the worker holds, is first looked at with: an example may name it, or the format that
 * is shown best on it. Else one in which
 * the formats of the document do something that they do not do for every non-zero.
 */
export async function firstWindow(context: Context, summary: MatrixSummary, doc: AppDocument): Promise<Region> {
  const named = namedWindow(context, summary, doc);
  if (named) return named;
  const found = await Promise.all([storedA(doc), besideA(doc)].map((stored) => unusualOf(context, stored, summary)));
  const unusual = found.filter((find) => find !== null);
  if (unusual.length === 0) return defaultWindow(summary);
  const [rows, cols] = [Math.min(SEARCHED.rows, summary.rows), Math.min(SEARCHED.cols, summary.cols)];
  try {
    const [{ exampleWindow }, cells] = await Promise.all([
      import('../example-window.ts'),
      context.matrix.window({}, { row: 0, col: 0, rows, cols }),
    ]);
    // Another matrix has been opened meanwhile.
    if (cells.generation !== summary.generation) return defaultWindow(summary);
    return exampleWindow(summary, new CsrMatrix(cells), unusual);
  } catch {
    return defaultWindow(summary);
  }
}

/** The window that format A names of this example, or else the example itself. */
function namedWindow(
  { catalog, formats }: Pick<Context, 'catalog' | 'formats'>,
  summary: MatrixSummary,
  doc: AppDocument,
): Region | null {
  const { source } = summary;
  if (source.kind !== 'example') return null;
  const best = formats.find(({ id }) => id === doc.format)?.shownBestOn;
  const own = best?.id === source.id ? best.window : undefined;
  const window = own ?? catalog.examples.find((example) => example.id === source.id)?.window;
  return window ? fitWindow(window, summary) : null;
}

/** What a format finds unusual, with its parameters for this matrix; null where that is nothing, or its code is missing. */
async function unusualOf(
  { formats, stories }: Context,
  stored: Stored | null,
  summary: MatrixSummary,
): Promise<UnusualAt | null> {
  const format: AnyListedFormat | undefined = formats.find(({ id }) => id === stored?.format);
  if (!stored || !format) return null;
  const story = await Promise.race([stories.load(format).catch(() => null), afterWait()]);
  const params = stageParams(format.params, resolvedParams(format.params, stored.params, summary));
  return story?.unusualAt ? (rows, cols) => story.unusualAt?.(rows, cols, params) ?? null : null;
}

function afterWait(): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), WAIT_MS);
  });
}

/**
 * The document with a window that the matrix has: its own, or else the first one and a sentence about it. An address
 * without B may be an old one, whose step is of the window that was usual then.
 */
export async function withFittingWindow(
  context: Context & Pick<SessionContext, 'store'>,
  doc: AppDocument,
  summary: MatrixSummary,
): Promise<AppDocument> {
  const problem = doc.window && windowProblem(doc.window, summary);
  if (doc.window && !problem) return doc;
  if (problem) {
    const sentence = `Link, ${problem.replace(/\.$/, '')}; another is used.`;
    context.store.setState(({ problems }) => ({ problems: [...problems, sentence] }));
  }
  const usual = doc.against === null ? (namedWindow(context, summary, doc) ?? defaultWindow(summary)) : null;
  const window = usual ?? (await firstWindow(context, summary, doc));
  return { ...(problem ? atStart(doc) : doc), window, edited: null };
}
