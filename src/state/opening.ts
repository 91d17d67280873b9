import type { GenerateSpec } from '../generate/generate.ts';
import type { MatrixSource, MatrixSummary, OpenRequest, WindowCells } from '../worker/protocol.ts';
import { type AppDocument, sameSource, withKnownParams, withSource } from './document.ts';
import type { EncodingQueue } from './encoding-queue.ts';
import { isCancelled, RUN_IN_PROGRESS, type SessionContext } from './session-context.ts';
import type { Stage } from './stage.ts';
import { defaultWindow, windowProblem } from './window.ts';

/** Groups of rows and of columns that the marginals are drawn with. */
const MARGINAL_BUCKETS = 1024;

/** Opens matrices and puts them on the screen once they are there. */
export interface Opening {
  /** Opens the document's matrix; where that fails and nothing is on the screen, the catalog's start. */
  start(): Promise<void>;
  restore(doc: AppDocument, problems?: readonly string[]): Promise<void>;
  openExample(id: string): Promise<void>;
  openGenerated(spec: GenerateSpec): Promise<void>;
  openFile(file: File): Promise<void>;
  cancel(): void;
  fileNames(): ReadonlySet<string>;
}

export function createOpening(context: SessionContext, stage: Stage, queue: EncodingQueue): Opening {
  const { engine, store, document, catalog } = context;
  /** files of this page, by name, so that undo can bring them back; a File is a handle, not its bytes */
  const files = new Map<string, File>();

  const requestFor = (source: MatrixSource): OpenRequest => {
    if (source.kind === 'generated') return source;
    if (source.kind === 'file') {
      const file = files.get(source.name);
      if (file) return { kind: 'file', name: source.name, file };
      throw new Error(`'${source.name}' is no longer open in this page: open the file again.`);
    }
    const example = catalog.examples.find((e) => e.id === source.id);
    if (example) return { kind: 'example', id: source.id, name: example.title, url: context.resolveUrl(example.url) };
    const known = catalog.examples.map((e) => e.id).join(', ');
    throw new RangeError(`example: found '${source.id}', expected one of ${known}`);
  };

  const titleOf = (request: OpenRequest): string =>
    request.kind === 'generated' ? `Generating ${request.spec.rows} x ${request.spec.cols}` : `Opening ${request.name}`;

  /**
   * Opens a matrix and shows it with the document that `documentFor` makes for it. What is on the screen stays until
   * then. The worker is the truth: once it has replaced its matrix, that matrix is shown, even when a cancel was on its
   * way. Returns whether it was opened.
   */
  const open = async (source: MatrixSource, documentFor: (summary: MatrixSummary) => AppDocument): Promise<boolean> => {
    const { bench, opening: older } = store.getState();
    if (bench.running) {
      store.setState({ error: `${RUN_IN_PROGRESS} before you open another matrix.` });
      return false;
    }
    let jobId: number | null = null;
    const isNewest = (): boolean => store.getState().opening?.id === jobId;
    try {
      const request = requestFor(source);
      const job = context.newJob(titleOf(request));
      jobId = job.id;
      if (older) void engine.cancel(older.id).catch(context.fail);
      store.setState({ opening: job });
      const summary = await engine.open(job.id, request, (progress) => {
        store.setState(({ opening }) => (opening?.id === job.id ? { opening: { ...opening, progress } } : {}));
      });
      await show(summary, documentFor(summary));
      return true;
    } catch (error) {
      // An older opening that fails because a newer one has cancelled it is nobody's business.
      if (isNewest() || !isCancelled(error)) context.fail(error);
      return false;
    } finally {
      if (isNewest()) store.setState({ opening: null });
    }
  };

  const show = async (summary: MatrixSummary, doc: AppDocument): Promise<void> => {
    let cells: WindowCells | null = null;
    let failure: unknown = null;
    try {
      if (doc.window) cells = await engine.window(doc.window);
    } catch (error) {
      failure = error;
    }
    // Another matrix was opened while the cells were read: that one is shown, now or soon.
    const shown = store.getState().summary?.generation ?? 0;
    if (summary.generation < shown || (cells && cells.generation !== summary.generation)) return;
    stage.commit(doc, cells, { summary, marginals: null, encodings: queue.restart(doc), error: null });
    if (failure !== null) context.fail(failure);
    queue.pump();
    void readMarginals(summary);
  };

  const readMarginals = async (summary: MatrixSummary): Promise<void> => {
    try {
      const marginals = await engine.marginals(MARGINAL_BUCKETS, MARGINAL_BUCKETS);
      const shown = store.getState().summary?.generation;
      if (shown === summary.generation && marginals.generation === shown) store.setState({ marginals });
    } catch (error) {
      context.fail(error);
    }
  };

  const openNew = async (source: MatrixSource): Promise<void> => {
    await open(source, (summary) => withSource(document.getState(), source, defaultWindow(summary)));
  };

  /** The document with a window that the matrix has: its own, or else the default one, and a sentence about it. */
  const withFittingWindow = (doc: AppDocument, summary: MatrixSummary): AppDocument => {
    const problem = doc.window && windowProblem(doc.window, summary);
    if (doc.window && !problem) return doc;
    if (problem) {
      const sentence = `Link, ${problem.replace(/\.$/, '')}; another window is chosen.`;
      store.setState(({ problems }) => ({ problems: [...problems, sentence] }));
    }
    return { ...doc, window: defaultWindow(summary), step: problem ? 0 : doc.step };
  };

  return {
    async start() {
      const doc = document.getState();
      const opened = await open(doc.source, (summary) => withFittingWindow(document.getState(), summary));
      if (opened || store.getState().summary || sameSource(doc.source, catalog.start.source)) return;
      const { error } = store.getState();
      await openNew(catalog.start.source);
      store.setState({ error });
    },
    async restore(doc, problems = []) {
      store.setState({ problems });
      const { summary, opening } = store.getState();
      if (summary && sameSource(doc.source, document.getState().source)) {
        if (opening) void engine.cancel(opening.id).catch(context.fail);
        document.setState(withKnownParams(withFittingWindow(doc, summary), document.getState()));
      } else {
        await open(doc.source, (opened) => withKnownParams(withFittingWindow(doc, opened), document.getState()));
      }
    },
    openExample: (id) => openNew({ kind: 'example', id }),
    openGenerated: (spec) => openNew({ kind: 'generated', spec }),
    openFile(file) {
      files.set(file.name, file);
      return openNew({ kind: 'file', name: file.name });
    },
    cancel() {
      const { opening } = store.getState();
      if (!opening) return;
      store.setState({ opening: { ...opening, cancelling: true } });
      void engine.cancel(opening.id).catch(context.fail);
    },
    fileNames: () => new Set(files.keys()),
  };
}
