import type { BenchReport } from '../core/report.ts';
import { benchRun, benchSweep } from './bench/bench-runs.ts';
import type { BenchRequest, SweepAxis, OnReport } from './bench/bench-types.ts';
import type { ServiceJob } from './bridge/job.ts';
import { defineService } from './bridge/service.ts';
import type { EngineHost } from './host.ts';

/** Benchmarks, one at a time: a second run is refused with one sentence, and so is most other work until the end of it. */
export const bench = defineService('bench', (host: EngineHost) => ({
  /**
   * `take` gets the report as soon as a kernel has its first rounds, about once in a second, and when the run breaks off,
   * whichever way: the last one is what is left of it then. Each format is encoded, verified and timed before the next one
   * is encoded, those whose encoder searches last.
   *
   * `before`, the report of a run of the same request that broke off: its rows stay, and only what they lack is measured,
   * in later rounds that dense is part of again. Rejects where it is of another matrix or another device.
   */
  run: (job: ServiceJob, request: BenchRequest, take: OnReport, before?: BenchReport): Promise<BenchReport> =>
    host.alone(() => benchRun(host, request, job, take, before)),
  /**
   * The request once for each value of the axis, and for each of its parts, in order; the whole is one run. `take` gets
   * every report while it grows, so that all stays where it breaks off. Only a generated workload has any density.
   *
   * `before`, the reports of a sweep that broke off, by place: those without `unfinished` are not measured again.
   */
  sweep: (
    job: ServiceJob,
    request: BenchRequest,
    axis: SweepAxis,
    take: OnReport,
    before?: readonly BenchReport[],
  ): Promise<void> => host.alone(() => benchSweep(host, request, axis, job, take, before)),
  /** Forgets the numbers that trials found for kernels. Rejects where the browser's storage does. */
  forgetTuning: (_job: ServiceJob): Promise<void> => host.forgetTuning(),
  /** Tells whether nobody can see the page: rounds measured meanwhile are dropped and repeated. */
  setHidden: (_job: ServiceJob, hidden: boolean): void => host.setHidden(hidden),
}));
