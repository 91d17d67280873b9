import type { BenchReport } from '../../../core/report.ts';
import type { OnReport } from '../../../engine/bench/bench-types.ts';
import type { ServiceJob } from '../../../engine/bridge/job.ts';
import { defineService } from '../../../engine/bridge/service.ts';
import type { EngineHost } from '../../../engine/host.ts';
import type { LiveRequest } from './live/live-types.ts';
import { LiveMeasuring } from './live/measuring.ts';
import type { EncodeOnPage, SizesRequest, OnSize } from './size-types.ts';
import { measureSizes } from './sizes.ts';

/** Services for the questions of Compare: sizes of many matrices, and live times. */
export const explore = defineService('explore', (host: EngineHost) => {
  const live = new LiveMeasuring(host);
  return {
    /**
     * Encodes every matrix in every format and reports each size as it comes, without touching the open matrix and its
     * encodings. `ask`: formats that people wrote.
     */
    async sizes(job: ServiceJob, request: SizesRequest, onSize: OnSize, ask: EncodeOnPage): Promise<void> {
      host.refuseIfBusy('encode');
      return measureSizes(host, request, job, onSize, ask);
    },
    /**
     * Times of dense and other formats for y = A x at one density, as soon as possible. Whatever densities share is
     * kept, so that only the first takes seconds. Formats that encode in one pass come first, together; those whose
     * encoder searches follow one by one. `onReport` receives the report as it grows, with `unfinished` while more is
     * to come; every kernel is verified before it is timed. Times are of few short passes. The matrix is random, of 512
     * repeating rows, pruned to a pattern for formats that require one. A newer call ends an older one, which rejects
     * with CancelledError. A benchmark ends it, and is not disturbed by it: while one is running, this rejects with one
     * sentence.
     */
    async live(job: ServiceJob, request: LiveRequest, onReport: OnReport): Promise<BenchReport> {
      host.refuseIfBusy('measure a density');
      return live.measure(request, job, onReport);
    },
    /** Frees what densities share; the next one takes seconds again. Ends the current measurement. */
    endLive: (_job: ServiceJob): Promise<void> => live.end(),
  };
});
