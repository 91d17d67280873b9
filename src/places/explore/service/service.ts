import type { BenchReport } from '../../../core/report.ts';
import type { TakeReport } from '../../../engine/bench/bench-types.ts';
import { given } from '../../../engine/bridge/given.ts';
import type { ServiceJob } from '../../../engine/bridge/job.ts';
import { defineService } from '../../../engine/bridge/service.ts';
import type { EngineHost } from '../../../engine/host.ts';
import { downloadFile } from '../../../engine/matrix/loading.ts';
import type { LiveRequest } from './live/live-types.ts';
import { LiveMeasuring } from './live/measuring.ts';
import { Networks } from './network/networks.ts';
import type { DigitAnswer, DigitRequest, NetworkRequest, TakeNetworkResult, TestImages } from './network/types.ts';
import type { SizesRequest, TakeSize } from './size-types.ts';
import { measureSizes } from './sizes.ts';

/** What the questions of Explore ask: sizes of many matrices, live times, and a network. */
export const explore = defineService('explore', (host: EngineHost) => {
  const live = new LiveMeasuring(host);
  const networks = new Networks(host, (url, job) => downloadFile(url, job, host.loading));
  return {
    /**
     * Encodes every matrix in every format and hands out each size as it comes; the open matrix and its encodings stay as
     * they are. Rejects with one sentence where a pruning finds no matrix open.
     */
    async sizes(job: ServiceJob, request: SizesRequest, take: TakeSize): Promise<void> {
      host.refuseIfBusy('encode');
      const whole = () => host.matrix.held.base.loaded.matrix;
      return measureSizes({ ...host, whole }, request, job, take);
    },
    /**
     * Runs images through a network once for each choice, in order; every result is handed to `take` at once. A choice that
     * its format cannot hold is a result as well. The matrix that is open has no part in it.
     */
    async network(job: ServiceJob, request: NetworkRequest, take: TakeNetworkResult): Promise<void> {
      host.refuseIfBusy('run the network');
      return networks.run(request, job, take);
    },
    /** What every layer makes of one image. */
    async digit(job: ServiceJob, request: DigitRequest): Promise<DigitAnswer> {
      host.refuseIfBusy('ask for a digit');
      return networks.digit(request, job);
    },
    /** `count` test images from the `first` on. */
    async testImages(job: ServiceJob, first: number, count: number): Promise<TestImages> {
      return given(await networks.testImages(first, count, job));
    },
    /**
     * Times of dense and other formats for y = A x at one density, as soon as they can be had. What densities share is kept,
     * so that only the first takes seconds. Formats that encode in a pass come first, together; those whose encoder searches
     * follow one by one. `take` gets the report as it grows, with `unfinished` while there is more to come; every kernel is
     * verified before it is timed. The times are of few short passes. The matrix is random, of 512 rows that repeat; for a
     * format that holds only a pattern it is pruned to that.
     *
     * A newer call ends an older one, which rejects with CancelledError. A benchmark ends it, and is not disturbed by it:
     * while one is running this is refused with one sentence.
     */
    async live(job: ServiceJob, request: LiveRequest, take: TakeReport): Promise<BenchReport> {
      host.refuseIfBusy('measure a density');
      return live.measure(request, job, take);
    },
    /** Frees what densities share; the next one takes seconds again. Ends the current measurement. */
    endLive: (_job: ServiceJob): Promise<void> => live.end(),
  };
});
