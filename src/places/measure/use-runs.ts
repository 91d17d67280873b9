import { useCallback, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { BenchReport } from '../../core/report.ts';
import type { MatrixSummary } from '../../engine/matrix/types.ts';
import type { BenchRun } from '../../state/index.ts';
import type { Device } from '../../state/devices/device.ts';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { type ShownDevice, useDevice } from '../../kit/devices/use-device.ts';

export interface ShownRuns {
  readonly runs: readonly BenchRun[];
  /** the device that was chosen; where none was, that of the shown report */
  readonly shownWith: (report: BenchReport | null) => ShownDevice;
}

/** The id of the run that shows a recording's reports; others count from 1. */
export const RECORDED = 0;

/** What of a report says how well it answers for a matrix. */
interface Nearing {
  readonly workload: Pick<BenchReport['workload'], 'rows' | 'cols' | 'density'>;
  readonly rows: readonly unknown[];
}

/**
 * The place of the report whose matrix is most like this one: of its shape where there is one, else nearest in cells;
 * then nearest in density; then with the most kernels. The first of equal ones. O(reports).
 */
export function nearest(
  reports: readonly Nearing[],
  { rows, cols, density }: Pick<MatrixSummary, 'rows' | 'cols' | 'density'>,
): number {
  let best = 0;
  let least = [Infinity, Infinity, Infinity];
  for (const [i, { workload, rows: kernels }] of reports.entries()) {
    const isShape = workload.rows === rows && workload.cols === cols;
    const cells = isShape ? 0 : 1 + Math.abs(Math.log(Math.max(1, rows * cols) / (workload.rows * workload.cols)));
    const far = [cells, Math.abs(workload.density - density), -kernels.length];
    const differs = far.findIndex((value, at) => value !== least[at]);
    if (differs >= 0 && far[differs] < least[differs]) {
      best = i;
      least = far;
    }
  }
  return best;
}

function hasReports({ reports }: Device): boolean {
  return reports.length > 0;
}

/** Those of the chosen device. Without a choice all that are kept here; while there are none, what was recorded. */
export function useRuns(): ShownRuns {
  const { benchForm } = useApp();
  const all = useSession((s) => s.bench.runs);
  const isRunning = useSession((s) => s.bench.running !== null);
  const isOpen = useDocument((doc) => doc.on === '');
  const operation = useStore(benchForm, (form) => form.operation);
  const shown = useDevice(hasReports);
  const { device, devices, release } = shown;
  const newest = all[0]?.id ?? null;
  // What is measured or imported here is shown.
  useEffect(() => {
    if (isRunning) release();
  }, [isRunning, newest, release]);
  const recorded = useMemo((): readonly BenchRun[] => {
    const own = device.reports.filter(({ workload }) => workload.operation === operation);
    const reports = own.length > 0 ? own : device.reports;
    return reports.length === 0 ? [] : [{ id: RECORDED, origin: 'imported', name: device.label, reports }];
  }, [device, operation]);
  const isOwn = isOpen && (all.length > 0 || isRunning);
  const runs = useMemo(() => {
    if (isOwn) return all;
    if (device.kind === 'recorded') return recorded;
    return all.filter(
      ({ origin, reports }) =>
        (device.kind === 'this' && origin === 'measured') || reports.some((report) => device.reports.includes(report)),
    );
  }, [isOwn, all, device, recorded]);
  const shownWith = useCallback(
    (report: BenchReport | null): ShownDevice => {
      if (!isOwn || report === null) return isOwn ? { ...shown, device: devices[0] } : shown;
      return { ...shown, device: devices.find(({ reports }) => reports.includes(report)) ?? devices[0] };
    },
    [isOwn, shown, devices],
  );
  return { runs, shownWith };
}
