import type { BenchRequest } from '../../engine/bench/bench-types.ts';
import { withKnownKernels } from '../../state/known-kernel.ts';
import type { App } from '../app-context.ts';
import { pageRecordings } from './page-recordings.ts';

/** The request with the kernels that were fast in runs of this browser or in loaded recordings, to be tried first. */
export function withFastKernels(app: App, request: BenchRequest): BenchRequest {
  const { device, summary, bench } = app.session.store.getState();
  const matrix = request.workload.kind === 'stage' ? summary : request.workload.spec; // 'stage': the open matrix
  if (matrix?.density === undefined || device?.kind !== 'ready') return request;
  const loaded = Object.values(pageRecordings(app).store.getState().loaded);
  const reports = [...bench.runs.flatMap((run) => run.reports), ...loaded.flatMap((recording) => recording.reports)];
  const changed = new Set(loaded.flatMap((recording) => [...recording.changed])); // kernels that changed since
  const { rows, cols, density } = matrix;
  return withKnownKernels(request, { rows, cols, density }, device.environment.adapter.vendor, reports, changed);
}
