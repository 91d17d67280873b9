import type { StoreApi } from 'zustand/vanilla';
import { MODEL_BOUNDS } from '../../core/bounds/bounds.ts';
import type { Region } from '../../core/matrix/index.ts';
import type { BenchReport } from '../../core/report.ts';
import type { GenerateSpec } from '../../generate/generate.ts';
import type { device as deviceService } from '../../engine/device-service.ts';
import { Newest } from '../../engine/bridge/newest.ts';
import type { TextRequest } from '../../engine/matrix/source-types.ts';
import type { ArrayFile, MatrixFileKind, SpyRequest, SpyTile, WindowCells } from '../../engine/matrix/types.ts';
import type { BenchRequest, SweepAxis } from '../../engine/bench/bench-types.ts';
import type { DeviceStatus } from '../../engine/device.ts';
import type { Pruning } from '../../engine/matrix/pruning-way.ts';
import { createBenchRuns, type ReportFile } from './bench-runs.ts';
import {
  type AppDocument,
  type ParamValue,
  paramAccepts,
  paramExpectation,
  paramFields,
  withFormat,
  withParam,
  withView,
  withWindow,
} from '../document.ts';
import { followLink, type LinkArguments, type LinkTargets } from '../place-address.ts';
import { createEncodingQueue } from './encoding-queue.ts';
import { createOpening } from './opening.ts';
import { createSaving } from './saving.ts';
import { asSentence } from '../sentence.ts';
import { createContext, type SessionDependencies, sentenceOf } from './session-context.ts';
import { newJob, type PreviewResult, type SessionState } from './session-state.ts';
import { createStage } from './stage.ts';
import { windowProblem } from '../window.ts';

/**
 * The one who talks to the worker: opens matrices, follows the document (format, parameters, window), and runs
 * benchmarks. No action throws or rejects: failures are sentences in `store`'s `error`, and what was on the screen stays.
 */
export interface Session {
  readonly store: StoreApi<SessionState>;

  /** Opens the document's matrix and asks for the device; `problems` are shown. Once, at the start. */
  start(problems?: readonly string[]): Promise<void>;
  /**
   * Brings back another document, as the URL or undo asks; its matrix is opened when it is another one. Where a link leads
   * to a host that nobody agreed to, `question` asks first, here and at the start.
   */
  restore(doc: AppDocument, problems?: readonly string[]): Promise<void>;

  /** Each opens a matrix and, when that has succeeded, puts it on the screen. A newer call cancels an older one. */
  openExample(id: string): Promise<void>;
  openGenerated(spec: GenerateSpec): Promise<void>;
  openFile(file: File): Promise<void>;
  /** The same for an index and the files that it names; of others the first is opened. */
  openFiles(files: readonly File[]): Promise<void>;
  /** An address, or a reference to the hub. The token is kept in memory, and sent only to the hub. */
  openRemote(reference: string, token: string | null): Promise<void>;
  /** Opens a tensor of the file that `choice` is about. */
  openTensor(tensor: string): Promise<void>;
  /** Opens the file of `overLimit` with the higher limit. */
  openOverLimit(): Promise<void>;
  /** Lists the tensors of the file on the screen again. */
  browseTensors(): Promise<void>;
  /** Looks at a tensor of the file that `choice` is about; a newer look cancels an older one. */
  previewTensor(tensor: string): Promise<PreviewResult>;
  dismissChoice(): void;
  /** Says whether the link of `question` may be opened. */
  answerQuestion(agrees: boolean): void;
  /** Shows what a pruning leaves of the matrix, always of the whole one; null brings that back. */
  prune(pruning: Pruning | null): Promise<void>;
  /**
   * Shows what a pruning would leave in the window, within a frame once the worker has ranked its cells; null shows what
   * is there. `prune` takes its place.
   */
  previewPruning(pruning: Pruning | null): void;
  /**
   * The arrays of an encoding with its current parameters as a file; null when that failed, with a sentence, or was
   * cancelled. A newer file cancels an older one.
   */
  encodingFile(format: string, kind: ArrayFile): Promise<Blob | null>;
  /** The matrix as a file; null as above. */
  matrixFile(kind: MatrixFileKind): Promise<Blob | null>;
  cancelSaving(): void;
  cancelOpening(): void;
  /** Names of the files opened so far: what a document may name besides the catalog. */
  openFileNames(): ReadonlySet<string>;

  setView(view: string): void;
  /** Follows a link to whichever place offers it. */
  follow<K extends keyof LinkTargets>(link: K, ...target: LinkArguments<K>): void;
  setFormat(format: string): void;
  setParam(format: string, name: string, value: ParamValue): void;
  /** A window outside the matrix or above 64 × 64 is refused with a sentence. */
  setWindow(window: Region): void;
  /** Loads the story that is missing again. */
  retryStory(): void;
  /** Loads the stories of all formats: from then on every one is told at once, without a network as well. */
  loadStories(): Promise<void>;
  /** Encodes a format that failed or was cancelled again. */
  retryEncoding(format: string): void;
  cancelEncoding(): void;

  /** A part of the matrix as a picture; null when the matrix has changed meanwhile or there is none. */
  spy(request: SpyRequest): Promise<SpyTile | null>;
  /** Cells of any region, for hover and the keyboard walk; null as above. */
  cells(region: Region): Promise<WindowCells | null>;
  /** What `ask` answers about the matrix on the screen; null as above, and while a benchmark runs. */
  ifCurrent<T extends { readonly generation: number }>(ask: () => Promise<T>): Promise<T | null>;
  /** Runs `work`, whose times nothing may spoil: playback pauses and nothing is encoded meanwhile. `title` is shown. */
  quietly(title: string, work: () => Promise<void>): Promise<void>;
  /**
   * The text of a config.json at an address or on the hub, that a person asked for; null where it cannot be read, which is
   * told, and when a newer one is asked for. The token is sent only to the hub.
   */
  readConfig(reference: string, token: string | null): Promise<string | null>;
  /** Asks again what the device is. */
  refreshDevice(): Promise<void>;

  runBench(request: BenchRequest): Promise<void>;
  /** The same for each density of a generated workload. */
  runSweep(request: BenchRequest, axis: SweepAxis): Promise<void>;
  /** Stops the run; what it has stays. */
  cancelBench(): void;
  /** Measures what a run lacks that broke off in this browser: kernels, rounds, densities. */
  continueBench(id: number): Promise<void>;
  /** Reads reports that this application exported; the file's name is for messages and lists. */
  importReport(file: ReportFile): Promise<void>;
  /** Puts the report of a draft's race beside the runs. */
  keepReport(report: BenchReport): void;
  removeRun(id: number): void;
  /** Brings back the runs that this browser has kept. Once, after the start. */
  loadRuns(): Promise<void>;
  /** Forgets all runs, here and in this browser. */
  clearRuns(): Promise<void>;
  /** Forgets the numbers that trials found for kernels in this browser; false where that failed, which is then said. */
  forgetTuning(): Promise<boolean>;

  dismissError(): void;
  dismissProblems(): void;
}

/** A title within a sentence: 'Opening fc2-70' as 'opening fc2-70'. */
function lowered(title: string): string {
  return title[0].toLowerCase() + title.slice(1);
}

export function createSession(dependencies: SessionDependencies): Session {
  const context = createContext(dependencies);
  const { engine, matrix, catalog, document, store, player } = context;
  const device = engine.service<typeof deviceService>('device');
  const queue = createEncodingQueue(context);
  const stage = createStage(context);
  const opening = createOpening(context, stage, queue);
  const saving = createSaving(context);
  const bench = createBenchRuns(context, {
    before() {
      // Nothing moves and nothing else computes while times are taken.
      player.pause();
      queue.hold();
    },
    after() {
      queue.pump();
      void session.refreshDevice();
    },
  });

  const change = (doc: AppDocument): void => document.setState(doc);
  const refuse = (message: string): void => store.setState({ error: asSentence(message) });
  const generation = (): number | undefined => store.getState().summary?.generation;
  /** The answer, unless it is about another matrix than the one on the screen. */
  const ifCurrent = async <T extends { readonly generation: number }>(ask: () => Promise<T>): Promise<T | null> => {
    const asked = generation();
    if (asked === undefined) return null;
    try {
      const answer = await ask();
      return answer.generation === generation() ? answer : null;
    } catch (error) {
      // A region of the matrix before may lie outside of the one that is there now.
      if (asked === generation()) context.fail(error);
      return null;
    }
  };

  const texts = new Newest();
  const readConfig = async (reference: string, token: string | null): Promise<string | null> => {
    const request: TextRequest = { reference, token, main: 'config.json', mostBytes: MODEL_BOUNDS.length };
    try {
      return await texts.ask((signal) => matrix.text({ signal }, request));
    } catch (error) {
      context.fail(error);
      return null;
    }
  };

  /** counts the engines that died */
  let deaths = 0;
  let reopening = false;
  engine.onDeath(({ how, isFinal }) => {
    const mine = ++deaths;
    const { bench: runs, opening: opens, saving: saves } = store.getState();
    const job = runs.running?.job ?? opens ?? saves;
    const what = `The engine ${how}${job ? ` while ${lowered(job.title)}` : ''}`;
    opening.lose();
    if (isFinal) return refuse(`${what}, again and again; reload the page`);
    void session.refreshDevice();
    // A matrix that has just brought the engine down would do so again.
    if (reopening) return refuse(`${what}; it was started again, without the matrix`);
    reopening = true;
    void opening.reopen().then((outcome) => {
      reopening = false;
      if (mine === deaths) refuse(`${what}; it was started again${outcome}`);
    });
  });

  document.subscribe((doc, before) => {
    if (stage.isCommitting()) return;
    stage.follow(doc, before);
    queue.follow(doc);
  });

  const session: Session = {
    store,
    async start(problems = []) {
      store.setState({ problems });
      void session.refreshDevice();
      stage.prepare(document.getState());
      await opening.start();
    },
    restore(doc, problems) {
      stage.prepare(doc);
      return opening.restore(doc, problems);
    },
    openExample: opening.openExample,
    openGenerated: opening.openGenerated,
    openFile: (file) => opening.openFiles([file]),
    openFiles: opening.openFiles,
    openRemote: opening.openRemote,
    openTensor: opening.openTensor,
    openOverLimit: opening.openOverLimit,
    browseTensors: opening.browse,
    previewTensor: opening.preview,
    dismissChoice: opening.dismissChoice,
    answerQuestion: opening.answerQuestion,
    prune: opening.prune,
    previewPruning: opening.previewPruning,
    encodingFile: saving.encodingFile,
    matrixFile: saving.matrixFile,
    cancelSaving: saving.cancel,
    cancelOpening: opening.cancel,
    openFileNames: opening.fileNames,

    setView(view) {
      change(withView(document.getState(), view));
    },
    follow(link, ...target) {
      const next = followLink(catalog.places, document.getState(), link, ...target);
      if (next !== null) change(next);
    },
    setFormat(format) {
      if (catalog.formats.some((f) => f.id === format)) return change(withFormat(document.getState(), format));
      refuse(`format: found '${format}', expected one of ${catalog.formats.map((f) => f.id).join(', ')}`);
    },
    setParam(format, name, value) {
      const spec = catalog.formats.find((f) => f.id === format)?.params ?? {};
      const field = paramFields(spec).find(([key]) => key === name)?.[1];
      if (!field) return refuse(`${format}: found parameter '${name}', expected one that the format has`);
      if (paramAccepts(field, value)) return change(withParam(document.getState(), format, name, value));
      refuse(`${format}, ${field.label}: found ${String(value)}, expected ${paramExpectation(field)}`);
    },
    setWindow(window) {
      const { summary } = store.getState();
      const problem = summary && windowProblem(window, summary);
      if (problem) return refuse(problem);
      if (summary) change(withWindow(document.getState(), window));
    },
    retryStory: stage.retry,
    loadStories: context.stories.loadAll,
    retryEncoding: queue.retry,
    cancelEncoding: queue.cancel,

    spy: (request) => ifCurrent(() => matrix.spy({}, request)),
    cells: (region) => ifCurrent(() => matrix.window({}, region)),
    ifCurrent: async (ask) => (store.getState().bench.running ? null : ifCurrent(ask)),
    async quietly(title, work) {
      const job = newJob(title);
      try {
        player.pause();
        store.setState({ trying: job });
        queue.hold();
        await work();
      } finally {
        if (store.getState().trying === job) store.setState({ trying: null });
        queue.pump();
      }
    },
    readConfig,
    async refreshDevice() {
      const status = await device
        .status({})
        .catch((error: unknown): DeviceStatus => ({ kind: 'unavailable', reason: sentenceOf(error) }));
      const isReady = status.kind === 'ready';
      store.setState({ device: isReady ? status : { ...status, reason: asSentence(status.reason) } });
    },

    runBench: bench.run,
    runSweep: bench.sweep,
    cancelBench: bench.cancel,
    continueBench: bench.goOn,
    importReport: bench.importReport,
    keepReport: bench.keep,
    removeRun: bench.remove,
    loadRuns: bench.load,
    clearRuns: bench.clear,
    forgetTuning: () =>
      context.bench.forgetTuning({}).then(
        () => true,
        (error: unknown) => {
          context.fail(error);
          return false;
        },
      ),

    dismissError() {
      store.setState({ error: null });
    },
    dismissProblems() {
      store.setState({ problems: [] });
    },
  };
  return session;
}
