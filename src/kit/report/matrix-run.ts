/* Runs of formats on the open matrix or, if that is too small to time, on the same pattern repeated to a larger one. */

import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { MAX_REPEATED_CELLS, repeatedName } from '../../core/bench/repeated-name.ts';
import type { Shape } from '../../core/format.ts';
import type { BenchReport } from '../../core/report.ts';
import type { MatrixSummary } from '../../engine/matrix/matrix-types.ts';
import {
  type BenchForm,
  type BenchSetup,
  FIRST_OPERATION,
  type OperationQuery,
  runProblem,
  toRequest,
  withOperation,
  withUsualOperation,
} from '../../state/index.ts';
import { isTooSmall } from '../../story/frames.ts';
import { type App, oncePerPage, useApp, useSession } from '../app-context.ts';
import { fastKernelsLoaded, withFastKernels } from '../devices/page-recordings.ts';
import type { TimedMatrix } from './matrix-times.ts';
import { isRepeated } from './run-verdict.ts';

/** Rows and columns of the repeated matrix, unless the matrix itself has more of either. */
const LARGE = 4096;

/** The shape to which a matrix that is too small to time is repeated: never with fewer rows or columns than it has. */
export function largerShape({ rows, cols }: Shape): Shape {
  if (rows > LARGE) return { rows, cols: Math.floor(MAX_REPEATED_CELLS / rows) };
  if (cols > LARGE) return { rows: Math.floor(MAX_REPEATED_CELLS / cols), cols };
  return { rows: LARGE, cols: LARGE };
}

/** The settings of a run of A against B on the open matrix, with the operation that format and tokens need. */
export function formForPair(form: BenchForm, query: OperationQuery): BenchForm {
  const withNeededOperation = withUsualOperation(withOperation(form, FIRST_OPERATION), query);
  return { ...withNeededOperation, pair: true, workload: 'stage', memory: 'cold' };
}

/** Whether a matrix can be timed only repeated: it is too small, and has a weight. */
export const isTimedRepeated = (matrix: Pick<MatrixSummary, 'rows' | 'cols' | 'nnz'>): boolean =>
  isTooSmall(matrix) && matrix.nnz > 0;

/**
 * Starts a run on the open matrix, or on one of the shape `repeatedTo` that repeats it; announces it if none can start.
 * If a matrix is being opened, the run waits for it.
 */
export function startRunOf(app: App, setupOf: (app: App) => BenchSetup, repeatedTo?: Shape): void {
  void app.session.runBench(() => {
    const setup = setupOf(app);
    const problem = runProblem(setup);
    if (problem !== null) {
      app.announce(problem);
      return null;
    }
    const request = toRequest(setup);
    return withFastKernels(app, repeatedTo ? { ...request, workload: { kind: 'stage', repeatedTo } } : request);
  }, fastKernelsLoaded(app));
}

const createLastRun = () => createStore<{ readonly generation: number; readonly run: number } | null>(() => null);

const NO_REPORTS: readonly BenchReport[] = [];

/**
 * Reports of the run that repeated the open matrix, also while it runs; empty before. Cells of a matrix can change
 * without its name, so reports of an earlier `generation` of it are not returned.
 */
export function useLargerReports(generation: number | undefined): readonly BenchReport[] {
  const running = useSession(({ bench }) =>
    bench.running && isRepeated(bench.running.request) ? bench.running.run : null,
  );
  const ended = useSession(({ bench: { ended: end } }) =>
    end && end.generation === generation && isRepeated(end.request) ? end.run : null,
  );
  // The run is remembered, so that its result stays after a later run of the matrix itself.
  const lastRunStore = oncePerPage(useApp(), createLastRun);
  const lastRun = useStore(lastRunStore);
  const run = running ?? ended;
  useEffect(() => {
    if (run !== null && generation !== undefined) lastRunStore.setState({ generation, run });
  }, [lastRunStore, run, generation]);
  const runId = run ?? (lastRun?.generation === generation ? lastRun?.run : undefined);
  return useSession((s) => s.bench.runs.find(({ id }) => id === runId)?.reports) ?? NO_REPORTS;
}

/** The repeated matrix of these reports, to look up its times; null if they have none of it. */
export function repeatedMatrix(matrix: TimedMatrix, name: string, reports: readonly BenchReport[]): TimedMatrix | null {
  const workload = reports[0]?.workload;
  const source = repeatedName(name, largerShape(matrix));
  if (workload?.source !== source || (workload.sizes?.tokens ?? 1) !== matrix.tokens) return null;
  const { rows, cols, nnz, density } = workload;
  return { ...matrix, rows, cols, nnz, density, names: [source], isEstimated: false };
}
