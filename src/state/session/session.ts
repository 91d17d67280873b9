import { SparseScopeError } from '../../core/errors.ts';
import type { Watch } from '../../engine/bridge/service.ts';
import type { ArrayFile, MatrixFileKind, SpyRequest, SpyTile, WindowCells } from '../../engine/matrix/matrix-types.ts';
import { JobSlot } from './job-slot.ts';
import { fileNotesKey } from './session-state.ts';
import { type SessionContext, createContext, messageFor, type SessionDependencies } from './session-context.ts';
import type { device as deviceService } from '../../engine/device-service.ts';
import type { DeviceStatus } from '../../engine/device.ts';
import type { AppDocument } from '../document.ts';
import { asMessage, notLoaded } from '../error-messages.ts';
import type { BenchRuns } from './bench-runs.ts';
import { createDocumentActions } from './document-actions.ts';
import type { CellChange } from './editing.ts';
import { createEncodingQueue } from './encoding-queue.ts';
import { followFormat, nextHighlight } from './first-window.ts';
import { createOpening, type Opening } from './opening.ts';
import { createStoryBuilder } from './story-builder.ts';
import type { Cell, Region } from '../../core/matrix/index.ts';

/** A GPU that has not answered for this long is mentioned. */
const GPU_SILENCE_MS = 10_000;

export type Session = ReturnType<typeof createSession>;

/**
 * The page's client of the engine, its worker: opens matrices, changes and follows the document (what the page shows),
 * queries the matrix, saves files, and runs benchmarks. Failures are messages in `store`, most of them in `error`,
 * and the page does not change; only `withQuietMachine` and `previewTensor` (file-offers.ts) reject.
 */
export function createSession(dependencies: SessionDependencies) {
  const context = createContext(dependencies);
  const { engine, document, store, player } = context;
  const device = engine.service<typeof deviceService>('device');
  const queue = createEncodingQueue(context);
  const storyBuilder = createStoryBuilder(context);
  const opening = createOpening(context, storyBuilder, queue);

  const refreshDevice = async (): Promise<void> => {
    const status = await device
      .status({})
      .catch((error: unknown): DeviceStatus => ({ kind: 'unavailable', reason: messageFor(error) }));
    const isReady = status.kind === 'ready';
    store.setState({ device: isReady ? status : { ...status, reason: asMessage(status.reason) } });
  };
  /** Called before a measurement, during which nothing else may compute. */
  const pauseBackgroundWork = (): void => {
    player.pause();
    queue.pause();
  };
  /** work of `withQuietMachine`, such as trying the draft of a kernel (changed by the user) */
  const quietWork = new JobSlot((change) => store.setState((state) => ({ quietWork: change(state.quietWork) })));
  /** ends with the last change of a cell */
  let changing: Promise<void> = Promise.resolve();
  let loadedRuns: BenchRuns | null = null;
  /** Does something with the benchmark's runs, whose code is loaded when it is first needed. */
  const withRuns = async (act: (runs: BenchRuns) => void | Promise<void>): Promise<void> => {
    if (!loadedRuns) {
      try {
        const [{ createBenchRuns }, runStore] = await Promise.all([import('./bench-runs.ts'), context.runStore()]);
        loadedRuns ??= createBenchRuns(context, runStore, {
          waitForOpenings: opening.end,
          before: pauseBackgroundWork,
          after() {
            queue.startNext();
            void refreshDevice();
          },
        });
      } catch {
        store.setState({ error: notLoaded('Benchmarks') });
        return;
      }
    }
    await act(loadedRuns);
  };
  const bench: BenchRuns = {
    runBench: (source, ready) => withRuns((runs) => runs.runBench(source, ready)),
    runSweep: (request, axis) => withRuns((runs) => runs.runSweep(request, axis)),
    cancelBench: () => loadedRuns?.cancelBench(),
    continueBench: (id) => withRuns((runs) => runs.continueBench(id)),
    importReport: (file) => withRuns((runs) => runs.importReport(file)),
    keepReport: (report) => withRuns((runs) => runs.keepReport(report)),
    removeRun: (id) => loadedRuns?.removeRun(id),
    loadRuns: () => withRuns((runs) => runs.loadRuns()),
    clearRuns: () => withRuns((runs) => runs.clearRuns()),
  };

  reopenAfterCrash(context, opening, refreshDevice);
  engine.onGpuSilence((ms) => {
    const gpuSilentS = ms < GPU_SILENCE_MS ? null : Math.round(ms / 1000);
    if (gpuSilentS !== store.getState().gpuSilentS) store.setState({ gpuSilentS });
  });
  document.subscribe((doc, before) => {
    // The user went to another page: the arrival of the previous one is over.
    if (doc.view !== before.view) store.setState({ arriving: null });
    if (storyBuilder.isOwnChange()) return; // a change that the builder makes itself
    storyBuilder.follow(doc, before);
    queue.follow(doc);
    if (!opening.isRestoring()) void followFormat(context, doc, before);
  });

  return {
    store,
    ...opening.actions,
    ...createDocumentActions(context),
    ...createQueries(context),
    ...createSaving(context),
    ...bench,
    /** Opens the document's matrix, if the page shows one, and requests the device. Called once; shows `problems`. */
    async start(problems: readonly string[] = [], isMatrixShown = true): Promise<void> {
      store.setState({ problems });
      void refreshDevice();
      if (!isMatrixShown) return;
      storyBuilder.prepare(document.getState());
      await opening.start();
    },
    /** Shows another document. Requests confirmation before loading from a server that the user has not confirmed yet. */
    restore(doc: AppDocument, problems?: readonly string[]): Promise<void> {
      storyBuilder.prepare(doc);
      return opening.restore(doc, problems);
    },
    /** Repeats the load of stories (animations of formats) that failed to load. */
    retryStory: storyBuilder.retryStory,
    /** Builds the stories again, after format A (shown) or B (compared) was replaced by another of the same id. */
    rebuildStories: storyBuilder.rebuildStories,
    /** Loads the stories of all formats: from then on each is shown at once, even without a network. */
    loadStories: context.stories.loadAll,
    /** Encodes again in a format whose encoding failed or was cancelled. */
    retryEncoding: queue.retry,
    cancelEncoding: queue.cancel,
    /** Runs `work`, which measures times: playback pauses and no encoding runs meanwhile. Rejects as `work` does. */
    async withQuietMachine(title: string, work: () => Promise<void>): Promise<void> {
      pauseBackgroundWork();
      try {
        await quietWork.run(title, work);
      } finally {
        queue.startNext();
      }
    },
    /** See `changeCell` in editing.ts. */
    changeCell(cell: Cell, change: CellChange = { kind: 'press' }): Promise<void> {
      // Each change begins with the cells that the one before has left.
      changing = changing.then(async () => {
        try {
          const { changeCell } = await import('./editing.ts');
          await changeCell(context, storyBuilder, opening.openEdited, cell, change);
        } catch (error) {
          context.fail(error, 'Changing the cell');
        }
      });
      return changing;
    },
    /** Goes to the next part of the matrix that shows what is special about format A. */
    nextHighlight: () => nextHighlight(context),
    /** Restores the window's cells from the matrix. */
    undoEdits(): void {
      const doc = document.getState();
      store.setState({ rejectedEdit: null, pressedCell: null });
      if (doc.edited !== null) document.setState({ ...doc, edited: null });
    },
    refreshDevice,
    // These three are described in session-context.ts.
    isBusy: context.isBusy,
    isInWorker: context.isInWorker,
    fail: context.fail,
    dismissError(): void {
      store.setState({ error: null });
    },
    /** Dismisses the notes on how the open file was read: they do not appear again for it. */
    dismissFileNotes(): void {
      const { summary, readNotes } = store.getState();
      if (summary?.read) store.setState({ readNotes: [...readNotes, fileNotesKey(summary)] });
    },
    /** Removes the problems for which `isDismissed`; all by default. */
    dismissProblems(isDismissed: (problem: string) => boolean = () => true): void {
      store.setState(({ problems }) => ({ problems: problems.filter((problem) => !isDismissed(problem)) }));
    },
  };
}

/** A title within a sentence: 'Opening fc2-70' as 'opening fc2-70'. */
function withSmallInitial(title: string): string {
  return title[0].toLowerCase() + title.slice(1);
}

/** Shows an error whenever the engine's worker has crashed, and opens the matrix again in the worker that follows. */
function reopenAfterCrash(
  { engine, store }: SessionContext,
  opening: Pick<Opening, 'onEngineLost' | 'reopen'>,
  refreshDevice: () => Promise<void>,
): void {
  const showError = (message: string): void => store.setState({ error: asMessage(message) });
  let crashes = 0;
  let reopening = false;
  engine.onDeath(({ how, isFinal }) => {
    const thisCrash = ++crashes;
    const { bench, opening: openingJob, saving } = store.getState();
    const job = bench.running?.job ?? openingJob ?? saving;
    const what = `The engine ${how}${job ? ` while ${withSmallInitial(job.title)}` : ''}`;
    opening.onEngineLost();
    if (isFinal) return showError(`${what}, again and again; reload the page`);
    void refreshDevice();
    // A matrix whose opening has just crashed the worker would crash it again.
    if (reopening) return showError(`${what}; restarted, without the matrix`);
    reopening = true;
    void opening.reopen().then((outcome) => {
      reopening = false;
      if (thisCrash === crashes) showError(`${what}; it was started again${outcome}`);
    });
  });
}

/** Queries about the current matrix; failures are shown. */
function createQueries({ matrix, store, failOf }: SessionContext) {
  const generation = (): number | undefined => store.getState().summary?.generation;
  /** The answer of a query; null if it is about another matrix than the current one. */
  const ifCurrent = async <T extends { readonly generation: number }>(ask: () => Promise<T>): Promise<T | null> => {
    const before = generation();
    if (before === undefined) return null;
    try {
      const answer = await ask();
      return answer.generation === generation() ? answer : null;
    } catch (error) {
      // A region of the previous matrix may lie outside the current one.
      if (before === generation()) await failOf(before, error, 'Drawing the matrix');
      return null;
    }
  };
  return {
    /** A part of the matrix as a picture; null if the matrix has changed meanwhile or there is none. */
    spy: (request: SpyRequest): Promise<SpyTile | null> => ifCurrent(() => matrix.spy({}, request)),
    /** Cells of any region; null in the same cases. */
    cells: (region: Region): Promise<WindowCells | null> => ifCurrent(() => matrix.window({}, region)),
  };
}

/** Writes files, one at a time: a newer file cancels an older. Null after a failure, which is shown, or a cancel. */
function createSaving(context: SessionContext) {
  const { matrix, store, document } = context;
  const writing = new JobSlot((change) => store.setState(({ saving }) => ({ saving: change(saving) })));

  const write = async (title: string, ask: (watch: Watch) => Promise<Blob>): Promise<Blob | null> => {
    const generation = store.getState().summary?.generation ?? 0;
    try {
      const file = await writing.run(title, ask);
      // Otherwise the file may contain another matrix under the name of this one.
      if (await context.isInWorker(generation)) return file;
      throw new SparseScopeError('not saved: another matrix was opened meanwhile');
    } catch (error) {
      context.fail(error);
      return null;
    }
  };

  return {
    /** The arrays of an encoding with its current parameters. */
    encodingFile: (format: string, kind: ArrayFile): Promise<Blob | null> =>
      write('Writing the arrays', (watch) =>
        matrix.encodingFile(watch, format, document.getState().params[format] ?? {}, kind),
      ),
    matrixFile: (kind: MatrixFileKind): Promise<Blob | null> =>
      write('Writing the matrix', (watch) => matrix.matrixFile(watch, kind)),
    cancelSaving: () => writing.cancel(),
  };
}
