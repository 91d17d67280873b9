import { CancelledError } from '../../core/errors.ts';
import { failureOf } from '../../core/error-messages.ts';
import type { BenchReport } from '../../core/report.ts';
import { countText, nameAndShape } from '../../core/text/words.ts';
import { storedKey } from '../../core/format.ts';
import type { BenchRequest, SweepAxis, OnReport } from '../../engine/bench/bench-types.ts';
import type { ReportProgress } from '../../engine/bridge/service-job.ts';
import type { Watch } from '../../engine/bridge/service.ts';
import { createSavedRuns } from './saved-runs.ts';
import type { RunStore } from './run-store.ts';
import type { SessionContext } from './session-context.ts';
import { isCancelled } from './session-context.ts';
import { type BenchRun, type BenchState, newJob, type RunEnd, type RunInProgress } from './session-state.ts';
import { asMessage } from '../error-messages.ts';
import { REFERENCE_FORMAT } from '../reference-format.ts';
import { remainingTime } from '../time-left.ts';
import { sourceText } from '../../generate/spec.ts';

// The benchmark's runs: starts, continues, imports and removes them, and stores their reports.

/** A file of reports; its size is checked before it is read. */
interface ReportFile {
  readonly name: string;
  readonly size: number;
  text(): Promise<string>;
}

/** A request, or a function that makes it from the current page; null if nothing can be measured. */
type RequestSource = BenchRequest | (() => BenchRequest | null);

/** Lets the page respond between long tasks: reading, checking and drawing many reports is slow. */
async function nextTask(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}

/** Called around a run: `before` must stop all other work, `after` follows when the run has ended in any way. */
interface RunHooks {
  /** Settles when every opening that has begun has ended, those that were cancelled or replaced too; null: all have. */
  readonly waitForOpenings: () => Promise<unknown> | null;
  readonly before: () => void;
  readonly after: () => void;
}

export type BenchRuns = ReturnType<typeof createBenchRuns>;

/** Runs benchmarks one at a time, and stores their reports together with imported ones. */
export function createBenchRuns(context: SessionContext, runStore: RunStore, hooks: RunHooks) {
  const { bench: service, store } = context;
  const savedRuns = createSavedRuns(context, runStore, nextTask);
  /** id of the newest run */
  let lastRun = 0;
  /** aborts the current run */
  let abort = new AbortController();

  const setBench = (change: (bench: BenchState) => Partial<BenchState>): void => {
    store.setState(({ bench }) => ({ bench: { ...bench, ...change(bench) } }));
  };
  const setRunning = (change: (running: RunInProgress) => Partial<RunInProgress>): void => {
    setBench(({ running }) => ({ running: running && { ...running, ...change(running) } }));
  };
  /** Replaces the run in the list, or adds a new one before all others. */
  const showRun = (run: BenchRun): void => {
    setBench(({ runs }) => ({
      runs: runs.some(({ id }) => id === run.id)
        ? runs.map((listedRun) => (listedRun.id === run.id ? run : listedRun))
        : [run, ...runs],
    }));
  };
  /** Shows a run and stores it in this browser. */
  const addRun = (run: BenchRun): void => {
    showRun(run);
    store.setState({ error: null });
    void savedRuns.keep(run);
  };

  /** A run in words: 'The run of MACKO and CSR on fc2-70', 'The run of MACKO at 7 shares left'. */
  const runWords = ({ entries, workload }: BenchRequest, axis: SweepAxis | undefined): string => {
    const titles = [
      ...new Set(
        entries
          .map(({ format }) => format)
          .toSorted((a, b) => Number(a === REFERENCE_FORMAT) - Number(b === REFERENCE_FORMAT))
          .map((format) => context.formats.find(({ id }) => id === format)?.title ?? format),
      ),
    ];
    const formats = titles.length > 3 ? `${titles.length} formats` : listText(titles);
    const name = workload.kind === 'stage' ? store.getState().summary?.name : undefined;
    const where = axis ? ` at ${axisText(axis)}` : name === undefined ? '' : ` on ${name}`;
    return `The run${formats === '' ? '' : ` of ${formats}`}${where}`;
  };
  const generation = (): number => store.getState().summary?.generation ?? 0;

  /** Waits until no matrix is being opened. Rejects with CancelledError if the user stops the run meanwhile. */
  const untilOpen = async (openings: Promise<unknown>, { signal }: AbortController): Promise<void> => {
    const progress = { what: 'waits for the matrix to open', done: 0, total: 0 };
    setRunning(({ job }) => ({ job: { ...job, progress } }));
    await new Promise<unknown>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new CancelledError()), { once: true });
      openings.then(resolve, reject);
    });
  };

  /** Starts a run or continues `continuedRun`, and records how it ended. Never rejects. */
  const start = async (
    source: RequestSource,
    axis: SweepAxis | undefined,
    continuedRun: BenchRun | null,
    whenReady?: Promise<void>,
  ): Promise<void> => {
    if (context.isBusy('start another')) return;
    const currentRequest = (): BenchRequest | null => (typeof source === 'function' ? source() : source);
    const firstRequest = currentRequest();
    if (firstRequest === null) return;
    let request = firstRequest;
    const job = newJob(axis ? `Running at ${axisText(axis)}` : 'Running');
    abort = new AbortController();
    const id = continuedRun?.id ?? ++lastRun;
    setBench(() => ({ running: { job, request, run: continuedRun && id }, ended: null }));
    const startGeneration = generation();
    let end: Pick<RunEnd, 'how' | 'message'> = { how: 'failed', message: null };
    const runText = (): string => runWords(request, axis);
    const reportsBefore = continuedRun?.reports ?? [];
    let reports = reportsBefore;
    const runNow = (): BenchRun => ({
      id,
      origin: 'measured',
      name: nameOf(reports, request, axis),
      reports,
      ...(isComplete(reports, axis) ? {} : { rest: { request, ...(axis && { axis }) } }),
    });
    /** Shows and stores a report at once, so that it stays even if the rest of the run fails. */
    const onReport: OnReport = async (report, index) => {
      reports = [...reports.slice(0, index), report, ...reports.slice(index + 1)];
      showRun(runNow());
      setRunning(() => ({ run: id }));
      savedRuns.begin(runNow(), continuedRun);
      await context.drawn?.();
    };
    const estimateMs = remainingTime(() => performance.now());
    const onProgress: ReportProgress = (progress) =>
      setRunning((running) => ({ job: { ...running.job, progress, remainingMs: estimateMs(progress) } }));
    const watch: Watch = { signal: abort.signal, onProgress };
    let isChanged = false;
    try {
      // An opening may end that is not visible: the worker may have the matrix of a cancelled opening, which appears soon.
      const openings = hooks.waitForOpenings();
      if (openings) {
        const [visibleGeneration, isOpening] = [generation(), store.getState().opening !== null];
        await untilOpen(openings, abort);
        // A run on the open matrix ('stage') does not start if the matrix did not open, or the user cancelled this.
        if (isOpening && request.workload.kind === 'stage' && generation() <= visibleGeneration) {
          end = { how: 'failed', message: `${runText()} did not start: the matrix was not opened.` };
          return;
        }
        isChanged = true;
      }
      if (whenReady) {
        await whenReady;
        isChanged = true;
      }
      if (isChanged) {
        const newRequest = currentRequest();
        if (newRequest === null) {
          end = { how: 'failed', message: `${runText()} did not start: the settings leave nothing to measure.` };
          return;
        }
        request = newRequest;
        setRunning(() => ({ request }));
      }
      hooks.before();
      savedRuns.begin(runNow(), continuedRun);
      if (axis) await service.sweep(watch, request, axis, onReport, reportsBefore);
      else await onReport(await service.run(watch, request, onReport, reportsBefore[0]), 0);
      if (continuedRun) void savedRuns.remove(continuedRun);
      addRun(runNow());
      end = { how: 'finished', message: null };
    } catch (error) {
      // Earlier results stay, even if the run was cancelled or the engine died.
      if (reports !== reportsBefore) {
        if (continuedRun) void savedRuns.remove(continuedRun);
        addRun(runNow());
      }
      end = isCancelled(error)
        ? { how: 'cancelled', message: `${runText()} was cancelled.` }
        : { how: 'failed', message: asMessage(failedText(error, runText())) };
      context.fail(error, runText());
      if (reports !== reportsBefore) {
        store.setState(({ error: message }) => ({
          error: message && `${message.replace(/\.$/, '')}; what was measured stays.`,
        }));
      }
    } finally {
      savedRuns.end();
      const run = reports === reportsBefore ? null : id;
      const runGeneration =
        generation() > startGeneration && request.workload.kind === 'stage' ? generation() : startGeneration;
      setBench(() => ({ running: null, ended: { ...end, request, generation: runGeneration, run } }));
      hooks.after();
    }
  };

  return {
    /**
     * Runs a benchmark, after waiting for a matrix that is being opened, and for `whenReady`; a `source` function is then
     * called again. If the matrix does not open, a benchmark on it does not run. `whenReady` must not reject.
     */
    runBench(source: RequestSource, whenReady?: Promise<void>): Promise<void> {
      return start(source, undefined, null, whenReady);
    },
    /** Like `runBench`, at each value of an axis such as the density of a generated matrix. */
    runSweep(request: BenchRequest, axis: SweepAxis): Promise<void> {
      return start(request, axis, null);
    },
    /** Measures the missing parts of a run that was interrupted in this browser: kernels, rounds, densities. */
    async continueBench(id: number): Promise<void> {
      const run = store.getState().bench.runs.find((listedRun) => listedRun.id === id);
      if (run?.rest) await start(run.rest.request, run.rest.axis, run);
    },
    /** Stops the run; its results so far stay. */
    cancelBench(): void {
      const { running } = store.getState().bench;
      if (!running) return;
      setRunning(() => ({ job: { ...running.job, cancelling: true } }));
      abort.abort();
    },
    /** Reads reports that this application exported; the file's name is used in messages and lists. */
    async importReport(file: ReportFile): Promise<void> {
      try {
        const { checkImportedReports, checkReportSize, parseReportText } =
          await import('../reports/imported-reports.ts');
        checkReportSize(file.name, file.size);
        const value = parseReportText(file.name, await file.text());
        await nextTask();
        const reports = checkImportedReports(file.name, value);
        await nextTask();
        addRun({ id: ++lastRun, origin: 'imported', name: file.name, reports });
      } catch (error) {
        context.fail(error);
      }
    },
    /** Adds a report that another part of the page measured, as a new run. */
    async keepReport(report: BenchReport): Promise<void> {
      const drafts = report.rows.flatMap(({ draft }) => (draft ? [`${draft.name} ${draft.version}`] : []));
      const name = `draft ${drafts.join(', ')} on ${sourceText(report.workload.source)}`;
      addRun({ id: ++lastRun, origin: 'measured', name, reports: [report] });
    },
    removeRun(id: number): void {
      const removedRun = store.getState().bench.runs.find((run) => run.id === id);
      if (removedRun) void savedRuns.remove(removedRun);
      setBench(({ runs }) => ({ runs: runs.filter((run) => run.id !== id) }));
    },
    /** Adds the runs that this browser has stored to the end of the list. Called once, after the start. */
    async loadRuns(): Promise<void> {
      const loadedRuns = (await savedRuns.load()).map((run) => ({ ...run, id: ++lastRun }));
      setBench(({ runs }) => ({ runs: [...runs, ...loadedRuns.toReversed()] }));
    },
    /** Deletes all runs, from the list and from this browser's storage. */
    async clearRuns(): Promise<void> {
      setBench(() => ({ runs: [] }));
      await savedRuns.clear();
    },
  };
}

/** Why a run failed, always with its name. */
function failedText(error: unknown, runName: string): string {
  const text = failureOf(error, runName);
  return text.startsWith(runName) ? text : `${runName} failed: ${text}`;
}

/** 'A', 'A and B', 'A, B and C' */
function listText(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

/** Whether the reports of a run are complete. */
function isComplete(reports: readonly BenchReport[], axis: SweepAxis | undefined): boolean {
  return reports.length === reportCount(axis) && reports.every(({ unfinished }) => unfinished === undefined);
}

/** How many reports a complete run has. */
function reportCount(axis: SweepAxis | undefined): number {
  if (!axis) return 1;
  return axis.values.length * (axis.of === 'non-zeros' ? axis.parts.length : 1);
}

/** The name of a run in the list: operation, matrix, values of the sweep, and how much of it is complete. */
function nameOf(reports: readonly BenchReport[], request: BenchRequest, axis: SweepAxis | undefined): string {
  const [firstReport] = reports;
  if (!firstReport) return 'empty sweep';
  const { operation, rows, cols, source } = firstReport.workload;
  const operationText = axis?.of === 'non-zeros' ? axis.parts.map((part) => part.operation).join(' + ') : operation;
  const operationPart = operationText === 'spmv' ? '' : `${operationText}, `;
  const axisPart = axis ? partText(reports, axis) + axisText(axis) : paramText(request);
  const unfinishedPart = axis ? '' : unfinishedText(firstReport);
  // In a sweep, the first report's shape or density is only one of many.
  const name =
    axis?.of === 'density' || axis?.of === 'non-zeros' ? source.replace(/, density [^,]+/, '') : sourceText(source);
  const matrix = axis?.of === 'shape' ? name : nameAndShape({ name, rows, cols });
  return `${operationPart}${matrix}${axisPart === null ? '' : `, ${axisPart}`}${unfinishedPart}`;
}

/** The finished part of an interrupted sweep: '4 of 7 runs at '; empty if it is complete. */
function partText(reports: readonly BenchReport[], axis: SweepAxis): string {
  const completeCount = reports.filter(({ unfinished }) => !unfinished).length;
  return completeCount === reportCount(axis) ? '' : `${completeCount} of ${reportCount(axis)} runs at `;
}

/** What an interrupted run has: ', 3 of 8 formats', or ', 2 of 9 rounds' with all formats; '' if it is complete. */
function unfinishedText({ unfinished, rows, refused: rejected, workload }: BenchReport): string {
  if (!unfinished) return '';
  const finished = new Set([...rows, ...rejected].map(({ format, params }) => storedKey(format, params ?? {}))).size;
  const waitingCount = unfinished.waiting.length;
  if (waitingCount > 0) return `, ${finished} of ${countText(finished + waitingCount)} formats`;
  const minRounds = rows.reduce(
    (fewest, { verified, samplesNs }) => (verified.ok ? Math.min(fewest, samplesNs.length) : fewest),
    workload.rounds,
  );
  return minRounds === workload.rounds ? ', not verified again' : `, ${minRounds} of ${workload.rounds} rounds`;
}

/** The values of a sweep in words: '7 shares left', '5 values of tokens'. */
function axisText(axis: SweepAxis): string {
  if (axis.of === 'density') return `${axis.values.length} shares left`;
  if (axis.of === 'shape') return `${axis.values.length} shapes`;
  return `${axis.values.length} values of ${axis.of === 'size' ? axis.name : 'non-zeros per row'}`;
}

/** 'ell at 2 values of valueType' if formats of a request run at several values of one parameter; else null. */
function paramText({ entries }: BenchRequest): string | null {
  const words = [...new Set(entries.map(({ format }) => format))].flatMap((format) => {
    const sets = entries.filter((entry) => entry.format === format).map(({ params }) => params);
    const changing = Object.keys(sets[0] ?? {}).filter((name) => sets.some((params) => params[name] !== sets[0][name]));
    return changing.length === 1 ? [`${format} at ${sets.length} values of ${changing[0]}`] : [];
  });
  return words.length === 0 ? null : words.join(', ');
}
