import type { Region } from '../../core/matrix/index.ts';
import type { MatrixSummary } from '../../engine/matrix/types.ts';
import type { AppDocument } from '../document.ts';
import { defaultWindow, fitWindow, windowProblem } from '../window.ts';
import type { SessionContext } from './session-context.ts';

/** The window that a matrix is first looked at with: an example may name it. */
export function firstWindow({ catalog }: Pick<SessionContext, 'catalog'>, summary: MatrixSummary): Region {
  const { source } = summary;
  const example = source.kind === 'example' ? catalog.examples.find((e) => e.id === source.id) : undefined;
  return example?.window ? fitWindow(example.window, summary) : defaultWindow(summary);
}

/** The document with a window that the matrix has: its own, or else the first one and a sentence about it. */
export function withFittingWindow(
  context: Pick<SessionContext, 'catalog' | 'store'>,
  doc: AppDocument,
  summary: MatrixSummary,
): AppDocument {
  const problem = doc.window && windowProblem(doc.window, summary);
  if (doc.window && !problem) return doc;
  if (problem) {
    const sentence = `Link, ${problem.replace(/\.$/, '')}; another window is chosen.`;
    context.store.setState(({ problems }) => ({ problems: [...problems, sentence] }));
  }
  return { ...doc, window: firstWindow(context, summary), step: problem ? 0 : doc.step };
}
