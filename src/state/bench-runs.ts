import type { BenchReport } from '../core/report.ts';
import type { BenchRequest, ReportProgress, SweepAxis } from '../worker/protocol.ts';
import { createKeptRuns } from './kept-runs.ts';
import { checkReports, checkReportSize, parseReportText } from './report-import.ts';
import type { SessionContext } from './session-context.ts';
import type { BenchRun, BenchState } from './session-state.ts';

/** A file of reports that is read when it is known not to be too large. */
export interface ReportFile {
  readonly name: string;
  /** in bytes */
  readonly size: number;
  text(): Promise<string>;
}

/** Runs benchmarks one at a time, and keeps their reports beside imported ones. */
export interface BenchRuns {
  run(request: BenchRequest): Promise<void>;
  sweep(request: BenchRequest, axis: SweepAxis): Promise<void>;
  cancel(): void;
  importReport(file: ReportFile): Promise<void>;
  remove(id: number): void;
  /** Brings back the runs of earlier visits, behind those of this one. */
  load(): Promise<void>;
  /** Forgets all runs, here and in this browser. */
  clear(): Promise<void>;
}

/** Lets the page answer in between: reading, checking and drawing many reports takes a while each. */
async function nextTask(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}

/** `before` is called when a run begins and must leave the machine quiet, `after` when it has ended, whichever way. */
export function createBenchRuns(
  context: SessionContext,
  around: { readonly before: () => void; readonly after: () => void },
): BenchRuns {
  const { engine, store } = context;
  const kept = createKeptRuns(context, context.runStore, nextTask);
  let lastRun = 0;

  const setBench = (change: (bench: BenchState) => Partial<BenchState>): void => {
    store.setState(({ bench }) => ({ bench: { ...bench, ...change(bench) } }));
  };
  const add = (origin: BenchRun['origin'], name: string, reports: readonly BenchReport[]): void => {
    const run = { id: ++lastRun, origin, name, reports };
    setBench(({ runs }) => ({ runs: [run, ...runs] }));
    store.setState({ error: null });
    void kept.keep(run);
  };

  const start = async (
    request: BenchRequest,
    title: string,
    call: (job: number, onProgress: ReportProgress, take: (known: readonly BenchReport[]) => void) => Promise<void>,
    axis?: SweepAxis,
  ): Promise<void> => {
    if (context.isBusy('start another')) return;
    const { opening } = store.getState();
    if (opening) return store.setState({ error: `${opening.title} is not finished: run once the matrix is open.` });
    const job = context.newJob(title);
    setBench(() => ({ running: { job, request } }));
    around.before();
    let reports: readonly BenchReport[] = [];
    /** What there is so far: it stays, whatever becomes of the rest. */
    const take = (known: readonly BenchReport[]): void => {
      reports = known;
      kept.begin({ name: nameOf(reports, request, axis), reports });
    };
    take([]);
    const onProgress: ReportProgress = (progress) => {
      setBench(({ running }) =>
        running?.job.id === job.id ? { running: { ...running, job: { ...running.job, progress } } } : {},
      );
    };
    try {
      await call(job.id, onProgress, take);
      add('measured', nameOf(reports, request, axis), reports);
    } catch (error) {
      // What was measured before stays, also where it was cancelled or the engine died.
      if (reports.length > 0) add('measured', nameOf(reports, request, axis), reports);
      context.fail(error);
      if (reports.length > 0) {
        const kept = keptWords(reports, axis);
        store.setState(({ error: told }) => ({ error: told && `${told.replace(/\.$/, '')}; ${kept}.` }));
      }
    } finally {
      kept.end();
      setBench(() => ({ running: null }));
      around.after();
    }
  };

  return {
    run: (request) =>
      start(request, 'Running', async (job, onProgress, take) =>
        take([await engine.bench(job, request, onProgress, (part) => take([part]))]),
      ),
    sweep: (request, axis) =>
      start(
        request,
        `Running at ${axisWords(axis)}`,
        (job, onProgress, take) => {
          const reports: BenchReport[] = [];
          return engine.sweep(job, request, axis, onProgress, (report) => {
            reports.push(report);
            take(reports);
          });
        },
        axis,
      ),
    cancel() {
      const { running } = store.getState().bench;
      if (!running) return;
      setBench(() => ({ running: { ...running, job: { ...running.job, cancelling: true } } }));
      void engine.cancel(running.job.id).catch(context.fail);
    },
    async importReport(file) {
      try {
        checkReportSize(file.name, file.size);
        const value = parseReportText(file.name, await file.text());
        await nextTask();
        const reports = checkReports(file.name, value);
        await nextTask();
        add('imported', file.name, reports);
      } catch (error) {
        context.fail(error);
      }
    },
    remove(id) {
      const removed = store.getState().bench.runs.find((run) => run.id === id);
      if (removed) void kept.remove(removed);
      setBench(({ runs }) => ({ runs: runs.filter((run) => run.id !== id) }));
    },
    async load() {
      const loaded = (await kept.load()).map((run) => ({ ...run, id: ++lastRun }));
      setBench(({ runs }) => ({ runs: [...runs, ...loaded.toReversed()] }));
    },
    async clear() {
      setBench(() => ({ runs: [] }));
      await kept.clear();
    },
  };
}

/** What stays of a run that broke off. */
function keptWords([first, ...more]: readonly BenchReport[], axis: SweepAxis | undefined): string {
  const { rounds } = first.workload;
  if (!axis) return rounds === 1 ? 'the round before it is kept' : `the ${rounds} rounds before it are kept`;
  return more.length === 0 ? 'the run before it is kept' : `the ${more.length + 1} runs before it are kept`;
}

function nameOf(reports: readonly BenchReport[], request: BenchRequest, axis: SweepAxis | undefined): string {
  const [first] = reports;
  if (!first) return 'empty sweep';
  const { operation, rows, cols, source } = first.workload;
  const computed = axis?.of === 'non-zeros' ? axis.parts.map((part) => part.operation).join(' + ') : operation;
  const what = computed === 'spmv' ? '' : `${computed}, `;
  const swept = axis ? partWords(reports.length, axis) + axisWords(axis) : paramWords(request);
  const { rounds } = first.workload;
  const part = !axis && rounds < request.rounds ? `, ${rounds} of ${request.rounds} rounds` : '';
  // The first report's density is one of many.
  const matrix = axis && axis.of !== 'size' ? source.replace(/, density [^,]+/, '') : source;
  return `${what}${matrix}, ${rows} × ${cols}${swept === null ? '' : `, ${swept}`}${part}`;
}

/** What a sweep that broke off has: '4 of 7 runs at '; empty where it is whole. */
function partWords(runs: number, axis: SweepAxis): string {
  const all = axis.values.length * (axis.of === 'non-zeros' ? axis.parts.length : 1);
  return runs === all ? '' : `${runs} of ${all} runs at `;
}

/** 7 densities, or 5 values of tokens */
function axisWords(axis: SweepAxis): string {
  if (axis.of === 'density') return `${axis.values.length} densities`;
  return `${axis.values.length} values of ${axis.of === 'size' ? axis.name : 'non-zeros per row'}`;
}

/** 'ell at 2 values of valueType' where formats of a request run at several values of one parameter; null elsewhere. */
function paramWords({ entries }: BenchRequest): string | null {
  const words = [...new Set(entries.map(({ format }) => format))].flatMap((format) => {
    const sets = entries.filter((entry) => entry.format === format).map(({ params }) => params);
    const changing = Object.keys(sets[0] ?? {}).filter((name) => sets.some((params) => params[name] !== sets[0][name]));
    return changing.length === 1 ? [`${format} at ${sets.length} values of ${changing[0]}`] : [];
  });
  return words.length === 0 ? null : words.join(', ');
}
