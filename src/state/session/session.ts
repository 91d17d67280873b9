import type { StoreApi } from 'zustand/vanilla';
import type { device as deviceService } from '../../engine/device-service.ts';
import type { DeviceStatus } from '../../engine/device.ts';
import type { AppDocument } from '../document.ts';
import { asSentence } from '../sentence.ts';
import type { BenchRuns } from './bench-runs.ts';
import { createDocumentActions, type DocumentActions } from './document-actions.ts';
import { createEncodingQueue } from './encoding-queue.ts';
import { watchDeaths } from './engine-death.ts';
import { createOpening, type MatrixActions } from './opening.ts';
import { createQuestions, type Questions } from './questions.ts';
import { createSaving, type Saving } from './saving.ts';
import { createContext, type SessionDependencies, sentenceOf } from './session-context.ts';
import { newJob, type SessionState } from './session-state.ts';
import { createStage } from './stage.ts';

/**
 * The page's client of the worker: opens matrices, follows the document (format, parameters, window), and runs
 * benchmarks. No action throws or rejects: failures are sentences in `store`'s `error`, and what was on the screen stays.
 */
export interface Session extends MatrixActions, DocumentActions, Questions, Saving, BenchRuns {
  readonly store: StoreApi<SessionState>;
  /** Opens the document's matrix, if it is shown at all, and asks for the device; `problems` are shown. Once, at the start. */
  start(problems?: readonly string[], isMatrixShown?: boolean): Promise<void>;
  /**
   * Brings back another document, as the URL or undo asks; its matrix is opened when it is another one. Where a link leads
   * to a host that nobody agreed to, `question` asks first, here and at the start.
   */
  restore(doc: AppDocument, problems?: readonly string[]): Promise<void>;
  /** Loads the story that is missing again. */
  retryStory(): void;
  /** Loads the stories of all formats: from then on each is shown at once, without a network as well. */
  loadStories(): Promise<void>;
  /** Tells the stories anew: a format on the stage is another one of its id now. */
  narrateAgain(): void;
  /** Encodes a format that failed or was cancelled again. */
  retryEncoding(format: string): void;
  cancelEncoding(): void;
  /** Runs `work`, whose times nothing may spoil: playback pauses and nothing is encoded meanwhile. `title` is shown. */
  withQuietMachine(title: string, work: () => Promise<void>): Promise<void>;
  /** Asks again what the device is. */
  refreshDevice(): Promise<void>;
  /** Whether a benchmark is in progress, which is then said: `what`, to follow 'before you', has to wait for its end. */
  isBusy(what: string): boolean;
  /** Shows what went wrong, unless somebody cancelled it, or the engine died, which is told by itself. */
  fail(error: unknown): void;
  dismissError(): void;
  dismissProblems(): void;
}

export function createSession(dependencies: SessionDependencies): Session {
  const context = createContext(dependencies);
  const { engine, document, store, player } = context;
  const device = engine.service<typeof deviceService>('device');
  const queue = createEncodingQueue(context);
  const stage = createStage(context);
  const opening = createOpening(context, stage, queue);

  const refreshDevice = async (): Promise<void> => {
    const status = await device
      .status({})
      .catch((error: unknown): DeviceStatus => ({ kind: 'unavailable', reason: sentenceOf(error) }));
    const isReady = status.kind === 'ready';
    store.setState({ device: isReady ? status : { ...status, reason: asSentence(status.reason) } });
  };
  /** Nothing moves and nothing else computes while times are taken. */
  const pauseBackgroundWork = (): void => {
    player.pause();
    queue.hold();
  };
  let loadedRuns: BenchRuns | null = null;
  /** Their code is loaded for the first of these actions: the first screen does without it. */
  const withRuns = async (act: (runs: BenchRuns) => void | Promise<void>): Promise<void> => {
    if (!loadedRuns) {
      try {
        const [{ createBenchRuns }, runStore] = await Promise.all([import('./bench-runs.ts'), context.runStore()]);
        loadedRuns ??= createBenchRuns(context, runStore, {
          before: pauseBackgroundWork,
          after() {
            queue.pump();
            void refreshDevice();
          },
        });
      } catch {
        store.setState({ error: 'Benchmarks could not be loaded: is there a network?' });
        return;
      }
    }
    await act(loadedRuns);
  };
  const bench: BenchRuns = {
    runBench: (request) => withRuns((runs) => runs.runBench(request)),
    runSweep: (request, axis) => withRuns((runs) => runs.runSweep(request, axis)),
    cancelBench: () => loadedRuns?.cancelBench(),
    continueBench: (id) => withRuns((runs) => runs.continueBench(id)),
    importReport: (file) => withRuns((runs) => runs.importReport(file)),
    keepReport: (report) => withRuns((runs) => runs.keepReport(report)),
    removeRun: (id) => loadedRuns?.removeRun(id),
    loadRuns: () => withRuns((runs) => runs.loadRuns()),
    clearRuns: () => withRuns((runs) => runs.clearRuns()),
  };

  watchDeaths(context, opening, refreshDevice);
  document.subscribe((doc, before) => {
    if (stage.isCommitting()) return;
    stage.follow(doc, before);
    queue.follow(doc);
  });

  return {
    store,
    ...opening.actions,
    ...createDocumentActions(context),
    ...createQuestions(context),
    ...createSaving(context),
    ...bench,
    async start(problems = [], isMatrixShown = true) {
      store.setState({ problems });
      void refreshDevice();
      if (!isMatrixShown) return;
      stage.prepare(document.getState());
      await opening.start();
    },
    restore(doc, problems) {
      stage.prepare(doc);
      return opening.restore(doc, problems);
    },
    retryStory: stage.retryStory,
    narrateAgain: stage.narrateAgain,
    loadStories: context.stories.loadAll,
    retryEncoding: queue.retry,
    cancelEncoding: queue.cancel,
    async withQuietMachine(title, work) {
      const job = newJob(title);
      try {
        pauseBackgroundWork();
        store.setState({ trying: job });
        await work();
      } finally {
        if (store.getState().trying === job) store.setState({ trying: null });
        queue.pump();
      }
    },
    refreshDevice,
    isBusy: context.isBusy,
    fail: context.fail,
    dismissError() {
      store.setState({ error: null });
    },
    dismissProblems() {
      store.setState({ problems: [] });
    },
  };
}
