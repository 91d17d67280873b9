import type { BenchReport } from '../core/report.ts';
import type { BenchRequest, ReportProgress, SweepAxis } from '../worker/protocol.ts';
import { parseReports } from './report-import.ts';
import { RUN_IN_PROGRESS, type SessionContext } from './session-context.ts';
import type { BenchRun, BenchState } from './session-state.ts';

/** Runs benchmarks one at a time, and keeps their reports beside imported ones. */
export interface BenchRuns {
  run(request: BenchRequest): Promise<void>;
  sweep(request: BenchRequest, axis: SweepAxis): Promise<void>;
  cancel(): void;
  importReport(name: string, text: string): void;
  remove(id: number): void;
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
      add('measured', nameOf(reports, axis), reports);
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
    importReport(name, text) {
      try {
        add('imported', name, parseReports(name, text));
      } catch (error) {
        context.fail(error);
      }
    },
    remove(id) {
      setBench(({ runs }) => ({ runs: runs.filter((run) => run.id !== id) }));
    },
  };
}

function nameOf([first]: readonly BenchReport[], axis: SweepAxis | undefined): string {
  if (!first) return 'empty sweep';
  const { operation, rows, cols, source } = first.workload;
  const what = operation === 'spmv' ? '' : `${operation}, `;
  return `${what}${source}, ${rows} x ${cols}${axis ? `, ${axisWords(axis)}` : ''}`;
}

/** 7 densities, or 5 values of tokens */
function axisWords(axis: SweepAxis): string {
  return axis.of === 'density' ? `${axis.values.length} densities` : `${axis.values.length} values of ${axis.name}`;
}
