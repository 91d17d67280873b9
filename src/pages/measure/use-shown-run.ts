import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { BenchReport } from '../../core/report.ts';
import type { MatrixSummary } from '../../engine/matrix/matrix-types.ts';
import type { BenchRun, Device } from '../../state/index.ts';
import { useApp, useSession } from '../../kit/app-context.ts';

/** The id of the run that shows a recording's reports; others count from 1. */
export const RECORDED_RUN = 0;

/** The part of a report that `nearestReport` compares. */
interface ReportOnMatrix {
  readonly workload: Pick<BenchReport['workload'], 'rows' | 'cols' | 'density'>;
  readonly rows: readonly unknown[]; // kernels, of which only the number counts
}

/** The index of the report with the most similar matrix: by shape, cells, density, then most kernels. O(reports). */
export function nearestReport(
  reports: readonly ReportOnMatrix[],
  { rows, cols, density }: Pick<MatrixSummary, 'rows' | 'cols' | 'density'>,
): number {
  let nearest = 0;
  let minDistance = [Infinity, Infinity, Infinity];
  for (const [i, { workload, rows: kernels }] of reports.entries()) {
    const hasSameShape = workload.rows === rows && workload.cols === cols;
    const cells = hasSameShape ? 0 : 1 + Math.abs(Math.log(Math.max(1, rows * cols) / (workload.rows * workload.cols)));
    const distance = [cells, Math.abs(workload.density - density), -kernels.length];
    // The first part that differs decides.
    const first = distance.findIndex((value, part) => value !== minDistance[part]);
    if (first >= 0 && distance[first] < minDistance[first]) {
      nearest = i;
      minDistance = distance;
    }
  }
  return nearest;
}

/** The report that the user chose. */
interface ChosenReport {
  /** id of its run */
  readonly run: number;
  /** index of the report in the run; null for the default */
  readonly index: number | null;
}

/** The run and the report in the details sections of the page Measure. */
export type VisibleRun = ReturnType<typeof useVisibleRun>;

/** The run in Measure's details sections: new or chosen; at first that of `answerReport`, with the times that head the page. */
export function useVisibleRun(device: Device, answerReport: BenchReport | null) {
  const { benchForm } = useApp();
  const measuredRuns = useSession((s) => s.bench.runs);
  const runningId = useSession((s) => s.bench.running?.run ?? null);
  const matrix = useSession((s) => s.summary);
  const operation = useStore(benchForm, (form) => form.operation);
  const [chosen, setChosen] = useState<ChosenReport | null>(null);
  const newest = measuredRuns[0]?.id ?? null;
  const [seenNewest, setSeenNewest] = useState(newest); // a newer run replaces what was chosen
  if (newest !== seenNewest) {
    setSeenNewest(newest);
    setChosen(newest === null ? null : { run: newest, index: null });
  }
  const runs = useMemo((): readonly BenchRun[] => {
    if (device.kind !== 'recorded' || device.reports.length === 0) return measuredRuns;
    const ofOperation = device.reports.filter(({ workload }) => workload.operation === operation);
    const reports = ofOperation.length > 0 ? ofOperation : device.reports;
    return [...measuredRuns, { id: RECORDED_RUN, origin: 'imported', name: device.label, reports }];
  }, [measuredRuns, device, operation]);
  const answerRun = runs.find(({ reports }) => answerReport !== null && reports.includes(answerReport));
  const run = runs.find(({ id }) => id === chosen?.run) ?? answerRun ?? runs[0] ?? null;
  if (run === null) return { runs, run, report: null, choose, show };
  const defaultIndex =
    answerReport !== null && run.reports.includes(answerReport)
      ? run.reports.indexOf(answerReport)
      : run.id === runningId
        ? run.reports.length - 1
        : nearestOrMiddleReport(run, matrix);
  const index = chosen?.run === run.id ? (chosen.index ?? defaultIndex) : defaultIndex;
  return { runs, run, report: run.reports[index] ?? null, choose, show };

  function choose(id: number): void {
    setChosen({ run: id, index: null });
  }
  function show(report: BenchReport): void {
    if (run) setChosen({ run: run.id, index: run.reports.indexOf(report) });
  }
}

/** The index of the report to show by default: in a recording the most similar matrix's, else the middle report. */
function nearestOrMiddleReport({ id, reports }: BenchRun, matrix: MatrixSummary | null): number {
  return id === RECORDED_RUN && matrix !== null ? nearestReport(reports, matrix) : middleOf(reports);
}

/** The index of the middle one of the reports on the last one's operation: a sweep can have several operations. */
function middleOf(reports: readonly BenchReport[]): number {
  const operation = reports.at(-1)?.workload.operation;
  const indices = reports.flatMap((report, i) => (report.workload.operation === operation ? [i] : []));
  return indices[Math.floor(indices.length / 2)] ?? 0;
}
