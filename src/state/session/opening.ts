import type { Region } from '../../core/matrix/index.ts';
import type { ReportProgress } from '../../engine/bridge/job.ts';
import { Newest, type Turn } from '../../engine/bridge/newest.ts';
import type { Watch } from '../../engine/bridge/service.ts';
import type { GenerateSpec } from '../../generate/generate.ts';
import type {
  BaseRequest,
  BaseSource,
  ContainerRequest,
  MatrixSource,
  OpenRequest,
} from '../../engine/matrix/source-types.ts';
import { MAX_DECOMPRESSED_BYTES } from '../../io/archives/decompression-limit.ts';
import type { MatrixSummary, WindowCells } from '../../engine/matrix/types.ts';
import type { Pruning } from '../../engine/matrix/pruning-way.ts';
import {
  type AppDocument,
  baseOf,
  sameSource,
  withChoicesSince,
  withKnownParts,
  withSource,
  withTensor,
} from '../document.ts';
import type { EncodingQueue } from './encoding-queue.ts';
import { createLinkConsent } from './link-consent.ts';
import type { LivePruning } from './live-pruning.ts';
import { isCancelled, sentenceOf, type SessionContext } from './session-context.ts';
import { newJob, type PreviewResult } from './session-state.ts';
import type { Stage } from './stage.ts';
import { defaultWindow, fitWindow, windowProblem } from '../window.ts';

/** Groups of rows and of columns that the marginals are drawn with. */
const MARGINAL_BUCKETS = 1024;

/** A limit that was too low is offered again this many times higher. */
const RAISE = 4;

/** What tells files of this page apart. */
function addressOf(source: BaseSource & { kind: 'file' | 'remote' }): string {
  return `${source.kind} ${source.kind === 'file' ? source.name : source.link}`;
}

/** Makes the document that a matrix is shown with. */
type DocumentFor = (summary: MatrixSummary) => AppDocument;

/** Opens matrices and puts them on the screen once they are there. */
export interface Opening {
  /** Opens the document's matrix; where that fails and nothing is on the screen, the catalog's start. */
  start(): Promise<void>;
  restore(doc: AppDocument, problems?: readonly string[]): Promise<void>;
  openExample(id: string): Promise<void>;
  openGenerated(spec: GenerateSpec): Promise<void>;
  openFiles(files: readonly File[]): Promise<void>;
  openRemote(reference: string, token: string | null): Promise<void>;
  openTensor(tensor: string): Promise<void>;
  openOverLimit(): Promise<void>;
  browse(): Promise<void>;
  preview(tensor: string): Promise<PreviewResult>;
  dismissChoice(): void;
  prune(pruning: Pruning | null): Promise<void>;
  previewPruning(pruning: Pruning | null): void;
  cancel(): void;
  answerQuestion(agrees: boolean): void;
  /** The engine has died, and what it held with it; what is on the screen stays. */
  lose(): void;
  /**
   * Opens what was lost again, or the matrix that was to be the first. Resolves with what came of it, to follow 'it was
   * started again'.
   */
  reopen(): Promise<string>;
  fileNames(): ReadonlySet<string>;
}

export function createOpening(context: SessionContext, stage: Stage, queue: EncodingQueue): Opening {
  const { matrix, store, document, catalog } = context;
  const consent = createLinkConsent(context);
  /** files of this page, by name, so that undo can bring them back; a File is a handle, not its bytes */
  const files = new Map<string, { readonly file: File; readonly others: readonly File[] }>();
  /** for the hub; as long as the page lives, and nowhere else */
  let hubToken: string | null = null;
  /** what files of this page may unpack to where that was raised, by their names or addresses */
  const limits = new Map<string, number>();
  /** comes when a slider is first moved: the first screen does without */
  let live: LivePruning | null = null;
  let previewed: Pruning | null = null;
  const openings = new Newest();
  const previews = new Newest();

  const containerRequest = (source: BaseSource & { kind: 'file' | 'remote' }): ContainerRequest => {
    const limit = limits.get(addressOf(source));
    const chosen = {
      ...(source.tensor === undefined ? {} : { tensor: source.tensor }),
      ...(limit === undefined ? {} : { maxDecompressedBytes: limit }),
    };
    if (source.kind === 'remote') return { kind: 'remote', reference: source.link, token: hubToken, ...chosen };
    const found = files.get(source.name);
    if (found) return { kind: 'file', name: source.name, ...found, ...chosen };
    throw new Error(`'${source.name}' is no longer open on this page: open the file again.`);
  };

  const baseRequest = (source: BaseSource): BaseRequest => {
    if (source.kind === 'generated') return source;
    if (source.kind !== 'example') return containerRequest(source);
    const example = catalog.examples.find((e) => e.id === source.id);
    if (example) {
      const { title: name, url, inputs } = example;
      const found = { kind: 'example', id: source.id, name, url: context.resolveUrl(url) } as const;
      return inputs === undefined ? found : { ...found, inputs };
    }
    const known = catalog.examples.map((e) => e.id).join(', ');
    throw new RangeError(`example: found '${source.id}', expected one of ${known}`);
  };

  const requestFor = (source: MatrixSource): OpenRequest =>
    source.kind === 'pruned'
      ? { kind: 'pruned', base: baseRequest(source.base), pruning: source.pruning }
      : baseRequest(source);

  const titleOf = (request: OpenRequest): string => {
    switch (request.kind) {
      case 'generated':
        return `Generating ${request.spec.rows} × ${request.spec.cols}`;
      case 'pruned':
        return 'Pruning';
      case 'remote':
        return `Opening ${request.tensor ?? request.reference}`;
      case 'file':
        return `Opening ${request.tensor ?? request.name}`;
      case 'example':
        return `Opening ${request.name}`;
    }
  };

  /**
   * Opens a matrix and shows it with the document that `documentFor` makes for it. What is on the screen stays until
   * then. The worker is the truth: once it has replaced its matrix, that matrix is shown, even when a cancel was on its
   * way. Returns whether it was opened.
   */
  const openNow = async (source: MatrixSource, documentFor: DocumentFor): Promise<boolean> => {
    let turn: Turn | null = null;
    try {
      const request = requestFor(source);
      turn = openings.begin();
      const { signal } = turn;
      store.setState({ opening: newJob(titleOf(request)) });
      // What is pruned is there in a moment, if it has the thread for itself.
      if (source.kind === 'pruned') queue.hold();
      const onProgress: ReportProgress = (progress) => {
        if (turn?.isNewest) store.setState(({ opening }) => ({ opening: opening && { ...opening, progress } }));
      };
      const summary = await matrix.open({ signal, onProgress }, request);
      await show(summary, documentFor(summary));
      return true;
    } catch (error) {
      if (turn?.isNewest && error instanceof Error && error.name === 'TensorChoiceError') {
        await offerChoice(source, { signal: turn.signal });
        return false;
      }
      context.fail(error);
      if (error instanceof Error && error.name === 'DecompressionLimitError') offerMore(source, sentenceOf(error));
      return false;
    } finally {
      if (turn?.isNewest) store.setState({ opening: null });
      queue.pump();
    }
  };

  /** The same, but not while times are taken. */
  const open = async (source: MatrixSource, documentFor: DocumentFor): Promise<boolean> =>
    !context.isBusy('open another matrix') && openNow(source, documentFor);

  const offerMore = (source: MatrixSource, error: string): void => {
    const base = baseOf(source);
    if (base.kind !== 'file' && base.kind !== 'remote') return;
    const maxDecompressedBytes = RAISE * (limits.get(addressOf(base)) ?? MAX_DECOMPRESSED_BYTES);
    store.setState({ overLimit: { source, error, maxDecompressedBytes } });
  };

  /** Lists what the file of `source` holds, for a person to choose from. */
  const offerChoice = async (source: MatrixSource, watch: Watch = {}): Promise<void> => {
    const base = baseOf(source);
    if (base.kind !== 'file' && base.kind !== 'remote') return;
    try {
      const { tensors } = await matrix.tensors(watch, containerRequest(base));
      if (tensors) store.setState({ choice: { source, tensors }, error: null });
    } catch (error) {
      context.fail(error);
    }
  };

  const show = async (summary: MatrixSummary, asked: AppDocument): Promise<void> => {
    const before = document.getState();
    let cells: WindowCells | null = null;
    let failure: unknown = null;
    try {
      if (asked.window) cells = await matrix.window({}, asked.window);
    } catch (error) {
      failure = error;
    }
    // Another matrix was opened while the cells were read: that one is shown, now or soon.
    const shown = store.getState().summary?.generation ?? 0;
    if (summary.generation < shown || (cells && cells.generation !== summary.generation)) return;
    const doc = withChoicesSince(asked, before, document.getState());
    stage.commit(doc, cells, { summary, held: true, marginals: null, encodings: queue.restart(doc), error: null });
    if (failure !== null) context.fail(failure);
    void readMarginals(summary);
  };

  const readMarginals = async (summary: MatrixSummary): Promise<void> => {
    try {
      const marginals = await matrix.marginals({}, MARGINAL_BUCKETS, MARGINAL_BUCKETS);
      const shown = store.getState().summary?.generation;
      if (shown === summary.generation && marginals.generation === shown) store.setState({ marginals });
    } catch (error) {
      context.fail(error);
    }
  };

  /** What of a matrix is looked at first: an example may say it. */
  const firstWindow = (summary: MatrixSummary): Region => {
    const { source } = summary;
    const example = source.kind === 'example' ? catalog.examples.find((e) => e.id === source.id) : undefined;
    return example?.window ? fitWindow(example.window, summary) : defaultWindow(summary);
  };

  const openNew = async (source: MatrixSource): Promise<void> => {
    // What a person chooses takes the place of the link that they are asked about.
    consent.answer(false);
    // The summary knows more than was asked: the tensor that was meant, the commit of a revision.
    await open(source, (summary) => withSource(document.getState(), summary.source, firstWindow(summary)));
  };

  /** The document with a window that the matrix has: its own, or else the default one, and a sentence about it. */
  const withFittingWindow = (doc: AppDocument, summary: MatrixSummary): AppDocument => {
    const problem = doc.window && windowProblem(doc.window, summary);
    if (doc.window && !problem) return doc;
    if (problem) {
      const sentence = `Link, ${problem.replace(/\.$/, '')}; another window is chosen.`;
      store.setState(({ problems }) => ({ problems: [...problems, sentence] }));
    }
    return { ...doc, window: firstWindow(summary), step: problem ? 0 : doc.step };
  };

  const previewPruning = (pruning: Pruning | null): void => {
    previewed = pruning;
    if (live) return live.show(pruning);
    if (!pruning) return;
    import('./live-pruning.ts').then(({ createLivePruning }) => {
      live ??= createLivePruning(context, stage);
      live.show(previewed);
    }, context.fail);
  };

  return {
    async start() {
      const doc = document.getState();
      const opened =
        (await consent.ask(doc.source)) &&
        (await open(doc.source, (summary) => withFittingWindow(document.getState(), summary)));
      // An engine that died meanwhile is opening it again.
      const { summary, opening } = store.getState();
      if (opened || summary || opening || sameSource(doc.source, catalog.start.source)) return;
      const { error } = store.getState();
      await openNew(catalog.start.source);
      store.setState({ error });
    },
    async restore(doc, problems = []) {
      store.setState({ problems });
      const { summary } = store.getState();
      if (summary && sameSource(doc.source, document.getState().source)) {
        consent.answer(false);
        openings.cancel();
        document.setState(withKnownParts(withFittingWindow(doc, summary), document.getState(), catalog));
      } else if (await consent.ask(doc.source)) {
        await open(doc.source, (opened) =>
          withKnownParts(withFittingWindow(doc, opened), document.getState(), catalog),
        );
      }
    },
    openExample: (id) => openNew({ kind: 'example', id }),
    openGenerated: (spec) => openNew({ kind: 'generated', spec }),
    async openFiles(chosen) {
      const file = chosen.find(({ name }) => name.endsWith('.index.json')) ?? chosen[0];
      if (!file) return;
      const others = chosen.filter((other) => other !== file);
      files.set(file.name, { file, others });
      limits.delete(addressOf({ kind: 'file', name: file.name }));
      await openNew({ kind: 'file', name: file.name });
    },
    openRemote(reference, token) {
      hubToken = token;
      consent.typed(reference);
      return openNew({ kind: 'remote', link: reference });
    },
    async openTensor(tensor) {
      const { choice } = store.getState();
      if (!choice) return;
      store.setState({ choice: null });
      await openNew(withTensor(choice.source, tensor));
    },
    async openOverLimit() {
      const { overLimit } = store.getState();
      const base = overLimit && baseOf(overLimit.source);
      if (!base || (base.kind !== 'file' && base.kind !== 'remote')) return;
      limits.set(addressOf(base), overLimit.maxDecompressedBytes);
      store.setState({ overLimit: null, error: null });
      await openNew(overLimit.source);
    },
    async browse() {
      await offerChoice(baseOf(document.getState().source));
    },
    async preview(tensor) {
      const { choice } = store.getState();
      const base = choice && baseOf(choice.source);
      if (!base || (base.kind !== 'file' && base.kind !== 'remote')) return { kind: 'cancelled' };
      try {
        const request = { ...containerRequest(base), tensor };
        return { kind: 'ready', preview: await previews.ask((signal) => matrix.preview({ signal }, request)) };
      } catch (error) {
        return isCancelled(error) ? { kind: 'cancelled' } : { kind: 'failed', reason: sentenceOf(error) };
      }
    },
    dismissChoice() {
      previews.cancel();
      store.setState({ choice: null });
    },
    async prune(pruning) {
      if (!store.getState().bench.running) previewPruning(pruning);
      const base = baseOf(document.getState().source);
      await open(pruning ? { kind: 'pruned', base, pruning } : base, (summary) => {
        const doc = document.getState();
        return withSource(doc, summary.source, doc.window ?? firstWindow(summary));
      });
      // Where it came to nothing, what was there is shown again; a newer pruning keeps what it shows.
      if (previewed === pruning) previewPruning(null);
      else if (previewed) live?.show(previewed);
    },
    previewPruning,
    cancel() {
      const { opening } = store.getState();
      if (!opening) return;
      store.setState({ opening: { ...opening, cancelling: true } });
      openings.cancel();
    },
    answerQuestion: consent.answer,
    lose() {
      // The next engine counts its matrices anew: what is known of those before must not be taken for its own.
      live = null;
      const { summary } = store.getState();
      store.setState({ held: false, ...(summary && { summary: { ...summary, generation: 0, whole: 0 } }) });
    },
    async reopen() {
      const { summary: lost, question } = store.getState();
      // The first matrix is one that a person has not agreed to yet.
      if (!lost && question) return '';
      const { source } = document.getState();
      const opened = await openNow(source, (found) => withFittingWindow(document.getState(), found));
      const { summary, error } = store.getState();
      if (opened) return ` and ${summary?.name ?? 'the matrix'} was reopened`;
      return lost === null ? '' : `, but ${lost.name} could not be reopened${error === null ? '' : `: ${error}`}`;
    },
    fileNames: () => new Set(files.keys()),
  };
}
