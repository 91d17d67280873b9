import type { BenchReport } from '../core/report.ts';
import type { BenchRequest, ReportProgress, SweepAxis } from '../worker/protocol.ts';
import { checkReports, checkReportSize, parseReportText } from './report-import.ts';
import { RUN_IN_PROGRESS, type SessionContext } from './session-context.ts';
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
  let lastRun = 0;

  const setBench = (change: (bench: BenchState) => Partial<BenchState>): void => {
    store.setState(({ bench }) => ({ bench: { ...bench, ...change(bench) } }));
  };
  const add = (origin: BenchRun['origin'], name: string, reports: readonly BenchReport[]): void => {
    const run = { id: ++lastRun, origin, name, reports };
    setBench(({ runs }) => ({ runs: [run, ...runs] }));
    store.setState({ error: null });
  };

  const start = async (
    request: BenchRequest,
    title: string,
    call: (job: number, onProgress: ReportProgress) => Promise<readonly BenchReport[]>,
    axis?: SweepAxis,
  ): Promise<void> => {
    const { bench, opening } = store.getState();
    if (bench.running) return store.setState({ error: `${RUN_IN_PROGRESS} before you start another.` });
    if (opening) return store.setState({ error: `${opening.title} is not finished: run when the matrix is there.` });
    const job = context.newJob(title);
    setBench(() => ({ running: { job, request } }));
    around.before();
    try {
      const reports = await call(job.id, (progress) => {
        setBench(({ running }) =>
          running?.job.id === job.id ? { running: { ...running, job: { ...running.job, progress } } } : {},
        );
      });
      add('measured', nameOf(reports, request, axis), reports);
    } catch (error) {
      context.fail(error);
    } finally {
      setBench(() => ({ running: null }));
      around.after();
    }
  };

  return {
    run: (request) =>
      start(request, 'Running', async (job, onProgress) => [await engine.bench(job, request, onProgress)]),
    sweep: (request, axis) =>
      start(
        request,
        `Running at ${axisWords(axis)}`,
        (job, onProgress) => engine.sweep(job, request, axis, onProgress),
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
      setBench(({ runs }) => ({ runs: runs.filter((run) => run.id !== id) }));
    },
  };
}

function nameOf([first]: readonly BenchReport[], request: BenchRequest, axis: SweepAxis | undefined): string {
  if (!first) return 'empty sweep';
  const { operation, rows, cols, source } = first.workload;
  const computed = axis?.of === 'non-zeros' ? axis.stages.map((stage) => stage.operation).join(' + ') : operation;
  const what = computed === 'spmv' ? '' : `${computed}, `;
  const swept = axis ? axisWords(axis) : paramWords(request);
  // The first report's density is one of many.
  const matrix = axis && axis.of !== 'size' ? source.replace(/, density [^,]+/, '') : source;
  return `${what}${matrix}, ${rows} x ${cols}${swept === null ? '' : `, ${swept}`}`;
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
